// A thread as its latest checkpoint has it, for the row that clients read.
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { GraphRegistry } from '../graph-core/index.js';
import { isUnavailable } from '../storage/database.js';
import type { Run, SettledThread } from '../storage/records.js';
import { toWireValue } from './wire-value.js';

/**
 * Null: there is no checkpoint; or its graph is not served (any more) or cannot read it, and what the row says stays. A
 * run has to end even then.
 * @throws when storage cannot be reached
 */
export async function threadAsSaved(
  graphs: GraphRegistry,
  saver: BaseCheckpointSaver,
  run: Run,
): Promise<SettledThread | null> {
  const config = { configurable: { ...run.kwargs.config.configurable, thread_id: run.threadId } };
  try {
    const graph = (await graphs.get(run.graphId, config)).withSaver(saver);
    const { values, next, tasks, config: saved } = await graph.getState({ configurable: { thread_id: run.threadId } });
    if (saved.configurable?.['checkpoint_id'] === undefined) return null;
    const asked = tasks.filter(({ interrupts }) => interrupts.length > 0);
    return {
      values: toWireValue(values),
      next: [...next],
      interrupts: Object.fromEntries(
        asked.map(({ id, interrupts }) => [
          id,
          interrupts.map((asks) => ({ ...(asks.id !== undefined && { id: asks.id }), value: toWireValue(asks.value) })),
        ]),
      ),
    };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return null;
  }
}
