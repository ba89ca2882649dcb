// Time travel into nested graphs: each loads, on its first visit, the state it had before the checkpoint the run was sent
// back to; after that its own latest. Data: whoever drives the run from superstep to superstep carries it.
import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';

export interface ReplayPoint {
  /** Id of the root checkpoint that the run was sent back to. */
  readonly before: string;
  /** Id of the root checkpoint that its first superstep starts from; what was saved upon it and later ones is of this run. */
  readonly from: string;
}

/** @param config of the nested graph; its checkpoint_map names the root checkpoint that the present superstep starts from. */
export async function loadReplayed(
  replay: ReplayPoint,
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
): Promise<CheckpointTuple | undefined> {
  const latest = await saver.getTuple(config);
  if (latest === undefined || wasVisited(latest, replay, rootOf(config.configurable?.['checkpoint_map'])))
    return latest;
  const before = { configurable: { checkpoint_id: replay.before } };
  for await (const tuple of saver.list(config, { before, limit: 1 })) return tuple;
  return undefined;
}

/** Whether the replayed run has been here: in an earlier superstep, or in this one's earlier attempt if it is not the first. */
function wasVisited({ metadata }: CheckpointTuple, { from }: ReplayPoint, present: string): boolean {
  const root = rootOf(metadata?.parents);
  // Ids of a thread sort by time.
  return root > from || (root === from && present !== from);
}

const rootOf = (checkpointMap: unknown): string => (checkpointMap as { readonly ''?: string } | undefined)?.[''] ?? '';
