// A node may call a graph of its own deployment. On its own thread that run would wait behind the one that waits for it.
import type { ServerContext } from './context.js';
import { ServiceError } from './errors.js';
import type { RunCreate } from './schemas/runs.js';

/**
 * A RemoteGraph in a node tells which run it is called by, in the metadata of its config.
 * @throws ServiceError MULTITASK_REJECTED for a run that would wait for itself.
 */
export async function refuseSelfCall(context: ServerContext, threadId: string, body: RunCreate): Promise<void> {
  const { metadata } = body.config as { readonly metadata?: Readonly<Record<string, unknown>> };
  const caller = metadata?.['run_id'];
  if (typeof caller !== 'string' || body.multitaskStrategy !== 'enqueue') return;
  const inflight = await context.runs.listInflight(threadId);
  if (!inflight.some(({ runId, state }) => runId === caller && state !== 'paused')) return;
  throw new ServiceError(
    'MULTITASK_REJECTED',
    `Run ${caller} goes on on this thread and makes this call, which would wait for it: a thread runs one run at a time. ` +
      "Call the graph on another thread: new RemoteGraph({ ..., thread: 'own' }).",
    { field: 'multitask_strategy' },
  );
}
