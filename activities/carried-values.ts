// Values of untracked channels on their way from one superstep's activity to the next. They belong to the run, not to its
// thread: a blob that is gone with the run, not a checkpoint.
import { log } from '@temporalio/activity';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { untrackedValues, withUntrackedValues, type CompiledGraph, type SavedState } from '../graph-core/index.js';
import type { Blobs } from '../storage/blobs.js';
import type { Run } from '../storage/records.js';
import type { RunProgress } from '../workflows/messages.js';

interface Carrier {
  readonly blobs: Blobs;
  readonly saver: BaseCheckpointSaver;
}

/** The saver's serializer makes JSON of a record. */
const FORMAT = 'json';

/** @returns the blob's id. What cannot be serialized is not carried, as it would not be over a pause. */
export async function carry(
  { blobs, saver }: Carrier,
  run: Run,
  graph: CompiledGraph,
  saved: SavedState,
): Promise<string | undefined> {
  const values = untrackedValues(graph, saved);
  if (values === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    [, bytes] = await saver.serde.dumpsTyped(values);
  } catch (error) {
    log.warn('Values of untracked keys cannot be carried to the next superstep.', {
      runId: run.runId,
      keys: Object.keys(values),
      error,
    });
    return undefined;
  }
  return blobs.put(run.runId, bytes);
}

export async function uncarry(
  { blobs, saver }: Carrier,
  graph: CompiledGraph,
  saved: SavedState,
  { untracked }: RunProgress,
): Promise<SavedState> {
  const bytes = untracked === undefined ? null : await blobs.get(untracked);
  if (bytes === null) return saved;
  const values = (await saver.serde.loadsTyped(FORMAT, bytes)) as Readonly<Record<string, unknown>>;
  return withUntrackedValues(graph, saved, values);
}
