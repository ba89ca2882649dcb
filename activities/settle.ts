// The `settle` activity: a run's end other than by its last superstep. The row, the thread and the last entries of the log
// change together; repeating it gives what was stored the first time.
import { settleStart, type LogPosition } from '../events/entry.js';
import type { Run } from '../storage/records.js';
import {
  FAILURE,
  type SettleInput,
  type SettleResult,
  type SuperstepResult,
  type ThreadActivities,
} from '../workflows/messages.js';
import type { ActivityDependencies } from './dependencies.js';
import { EventWriter } from './event-writer.js';
import { retryable } from './failures.js';
import { recoveredLog, type RecoveredLog } from './recovered-log.js';
import { threadAsSaved } from './thread-as-saved.js';

export function settleActivity(deps: ActivityDependencies): ThreadActivities['settle'] {
  return async (input) => {
    try {
      return await settle(deps, input);
    } catch (error) {
      // Whatever it is: a run that cannot be settled now is settled later, by the next attempt.
      throw retryable(FAILURE.unavailable, error);
    }
  };
}

export async function settle(deps: ActivityDependencies, input: SettleInput): Promise<SettleResult> {
  const { outcome, end } = input;
  const run = await deps.runs.read(input.run.runId);
  if (run === null) return { kind: 'settled', batches: [], end };
  if (run.endedAt !== null) return settledBefore(run, end);
  if (outcome.kind === 'superseded' && run.resume !== null) return { kind: 'answered' };

  // A superstep that was committed, and whose worker died before it could say so, is part of the log all the same.
  const unreported = run.lastStep !== null && run.lastStep.end.seq > end.seq ? run.lastStep : undefined;
  const at = unreported?.end ?? end;
  const journal = await deps.steps.journal.read(run.runId, (run.lastStep?.step ?? 0) + 1);
  const recovered = await recoveredLog(journal, deps.blobs, async () => Promise.resolve(at));
  const writer = writerFor(deps, run, at, { beyondEnd: input.beyondEnd, recovered });
  writer.announceAfterCommit();
  tell(writer, outcome);
  const batches = [...(unreported?.batches ?? []), ...(await writer.close())];
  const result: SettleResult = { kind: 'settled', batches, end: writer.end };
  const stored =
    outcome.kind === 'rolled_back' ? await rollBack(deps, run, result) : await store(deps, run, outcome, result);
  if (stored.kind === 'settled') writer.committed();
  return stored;
}

async function store(
  { graphs, saver, steps }: ActivityDependencies,
  run: Run,
  outcome: Exclude<SettleInput['outcome'], { kind: 'rolled_back' }>,
  result: Extract<SettleResult, { kind: 'settled' }>,
): Promise<SettleResult> {
  const thread = await threadAsSaved(graphs, saver, run);
  const { batches, end } = result;
  const settled = await steps.settleRun({
    runId: run.runId,
    threadId: run.threadId,
    state: outcome.kind === 'superseded' ? 'success' : outcome.kind,
    ...('error' in outcome && { error: outcome.error }),
    ...(outcome.kind === 'superseded' && { from: ['paused'] }),
    record: { step: (run.lastStep?.step ?? 0) + 1, end, batches, result },
    ...(thread !== null && { thread }),
  });
  if (settled.kind === 'settled') return result;
  if (settled.kind === 'missing') return { kind: 'settled', batches: [], end };
  return settled.run.endedAt === null ? { kind: 'answered' } : settledBefore(settled.run, end);
}

/** The row goes, and the log with it; those who follow it live are told. */
async function rollBack(
  { graphs, cache, steps }: ActivityDependencies,
  run: Run,
  result: SettleResult,
): Promise<SettleResult> {
  await steps.rollbackRun({
    runId: run.runId,
    threadId: run.threadId,
    remaining: (saver) => threadAsSaved(graphs, saver, run),
  });
  cache.forget(run.threadId);
  return result;
}

function writerFor(
  { bus, blobs }: ActivityDependencies,
  run: Run,
  end: LogPosition,
  { beyondEnd, recovered }: Pick<SettleInput, 'beyondEnd'> & { readonly recovered: RecoveredLog | undefined },
): EventWriter {
  return new EventWriter({
    runId: run.runId,
    kwargs: run.kwargs,
    end,
    attempt: 1,
    ...(beyondEnd === 'unknown' && { start: settleStart(end) }),
    ...(bus && { bus }),
    recovered,
    // All that a settling says waits for its transaction.
    flush: () => Promise.reject(new Error('A settling does not flush.')),
    putBlob: (content) => blobs.put(run.runId, typeof content === 'string' ? Buffer.from(content) : content),
  });
}

function tell(writer: EventWriter, outcome: SettleInput['outcome']): void {
  if ('error' in outcome) {
    const { node, error, message } = outcome.error;
    if (node !== undefined) writer.progress('node.failed', { node, error, message });
    writer.error(outcome.error);
    writer.progress('run.failed', outcome.error);
  } else {
    writer.progress('run.cancelled', { reason: outcome.kind });
  }
}

/** What was announced when the run ended: by an earlier attempt at this, or by its last superstep. */
function settledBefore({ lastStep }: Run, end: LogPosition): SettleResult {
  const { batches = [], end: at = end } = (lastStep?.result ?? {}) as Partial<
    Extract<SuperstepResult, { kind: 'done' }>
  >;
  return { kind: 'settled', batches, end: at };
}
