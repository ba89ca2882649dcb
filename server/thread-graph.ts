// The graph that a thread's state belongs to, ready for reading and editing that state.
import type { CompiledGraph } from '../graph-core/index.js';
import type { ServerContext } from './context.js';
import { ServiceError } from './errors.js';
import type { Thread } from '../storage/records.js';

/** Null: the thread has had no run, so nothing says which graph it is of. */
export async function threadGraph(context: ServerContext, thread: Thread): Promise<CompiledGraph | null> {
  const graphId = thread.metadata.graph_id;
  if (typeof graphId !== 'string') return null;
  try {
    const graph = await context.graphs.get(graphId, thread.config);
    return graph.withSaver(context.saver, graph.store ?? context.store);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ServiceError(
      'GRAPH_NOT_LOADED',
      `Graph "${graphId}" of thread ${thread.threadId} is not available: ${cause}`,
      { cause: error },
    );
  }
}
