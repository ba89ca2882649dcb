// What `GET /api/runs/{id}` tells of a run: its row, and its progress out of the log.
import { isFrameEntry, type Entry } from '../events/entry.js';
import type { Cursor } from '../events/batch.js';
import { progressSnapshot, type ProgressSnapshot } from '../events/projections/progress-snapshot.js';
import type { Run } from '../storage/records.js';
import type { ServerContext } from './context.js';
import { runNotFound } from './errors.js';

export interface ProcessSnapshot extends ProgressSnapshot {
  readonly run_id: string;
  readonly thread_id: string;
  readonly assistant_id: string;
  readonly graph_id: string;
  /** `paused` while the run waits for an answer. */
  readonly status: Run['state'];
  /** Of the present superstep; 1-based. */
  readonly attempt: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** Each read of the log finds what the row said before it; only a run that moves on at every read is read again. */
const MAX_READS = 3;

/** @throws ServiceError RUN_NOT_FOUND */
export async function processSnapshot(context: ServerContext, runId: string): Promise<ProcessSnapshot> {
  for (let reads = 1; ; reads += 1) {
    const { entries, endSeq } = await progressEntries(context, runId);
    // Read after the log: a status that is newer than `last_seq` is confirmed by the events that follow, while an older
    // one would never be corrected. Where it is newer, the log is read again, so that a pause shows what it waits for.
    const run = await context.runs.get(undefined, runId);
    if (run === null) throw runNotFound(runId);
    const complete = (run.lastStep?.end.seq ?? -1) <= endSeq;
    if (complete || reads === MAX_READS) return snapshotOf(run, progressSnapshot(entries));
  }
}

export const snapshotOf = (run: Run, progress: ProgressSnapshot = progressSnapshot([])): ProcessSnapshot => ({
  run_id: run.runId,
  thread_id: run.threadId,
  assistant_id: run.assistantId,
  graph_id: run.graphId,
  status: run.state,
  attempt: run.attempt,
  created_at: run.createdAt.toISOString(),
  started_at: run.startedAt?.toISOString() ?? null,
  ended_at: run.endedAt?.toISOString() ?? null,
  ...progress,
});

interface ProgressEntries {
  /** The progress entries, and the last entry of all, whose seq counts. Nothing where the log is no longer kept. */
  readonly entries: readonly Entry[];
  readonly endSeq: number;
}

async function progressEntries(context: ServerContext, runId: string): Promise<ProgressEntries> {
  const progress: Entry[] = [];
  let last: Entry | undefined;
  let after: Cursor = { kind: 'seq', after: -1 };
  for (;;) {
    const { entries, more, end, state } = await context.log.read(runId, after);
    for (const entry of entries) if (!isFrameEntry(entry)) progress.push(entry);
    last = entries.at(-1) ?? last;
    if (!more) {
      const all = last === undefined || last === progress.at(-1) ? progress : [...progress, last];
      return { entries: all, endSeq: state === 'expired' ? Infinity : end.seq };
    }
    after = { kind: 'seq', after: entries.at(-1)?.seq ?? end.seq };
  }
}
