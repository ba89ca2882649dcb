// What attempts before this one have told of their superstep, after they died with their worker: from the journal.
import { Context } from '@temporalio/activity';
import { decodeBatch } from '../events/batch-codec.js';
import type { EventsAnswer, EventsRequest } from '../events/batch.js';
import type { Entry, LogPosition } from '../events/entry.js';
import type { Blobs } from '../storage/blobs.js';
import type { ToldTasks } from '../storage/records.js';
import type { JournalEntry } from '../storage/step-journal.js';
import { EVENTS_QUERY } from '../workflows/messages.js';

export interface RecoveredLog {
  readonly told: ToldTasks;
  /** That the log does not have, in order. */
  readonly entries: readonly Entry[];
  /** The log's end. */
  readonly after: LogPosition;
}

/** A worker is there: this code runs on one. */
const QUERY_DEADLINE_MS = 10_000;

/** @returns undefined where the journal is empty */
export async function recoveredLog(
  journal: readonly JournalEntry[],
  blobs: Pick<Blobs, 'get'>,
  logEnd: () => Promise<LogPosition>,
): Promise<RecoveredLog | undefined> {
  if (journal.length === 0) return undefined;
  const after = await logEnd();
  const entries = new Map<number, Entry>();
  for (const batch of journal.flatMap(({ batches }) => batches)) {
    if (batch.last.seq <= after.seq) continue;
    const decoded = await decodeBatch(batch, async (blobId) => {
      const bytes = await blobs.get(blobId);
      if (bytes === null) throw new Error(`Blob ${blobId} of the step's journal is gone.`);
      return bytes;
    });
    for (const entry of decoded) if (entry.seq > after.seq) entries.set(entry.seq, entry);
  }
  const tasks = (which: keyof ToldTasks) => [...new Set(journal.flatMap(({ told }) => told[which]))];
  return {
    told: { started: tasks('started'), finished: tasks('finished') },
    entries: [...entries.values()].sort((a, b) => a.seq - b.seq),
    after,
  };
}

/** What the workflow has, flushes of attempts that died included. */
export async function workflowLogEnd(): Promise<LogPosition> {
  const { client, info } = Context.current();
  const { workflowId = '', runId } = info.workflowExecution ?? {};
  const request: EventsRequest = { after: { kind: 'seq', after: Number.MAX_SAFE_INTEGER }, maxBytes: 0 };
  const answer = await client.withDeadline(Date.now() + QUERY_DEADLINE_MS, () =>
    client.workflow.getHandle(workflowId, runId).query<EventsAnswer, [EventsRequest]>(EVENTS_QUERY, request),
  );
  return answer.end;
}
