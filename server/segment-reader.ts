// Reads a run's log from where it is kept: the executions of its thread's workflow, each by query, and the run's row for
// the last superstep, which the workflow may not have appended yet or never will.
import { QueryNotRegisteredError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { decodeBatch } from '../events/batch-codec.js';
import type { Batch, Cursor, EventsAnswer, EventsRequest } from '../events/batch.js';
import { isFrameEntry, LOG_START, type Entry, type LogPosition } from '../events/entry.js';
import type { Blobs } from '../storage/blobs.js';
import type { LogSegment, Run } from '../storage/records.js';
import { EVENTS_QUERY, threadWorkflowId } from '../workflows/messages.js';

/** Of batch bodies in one answer; Temporal refuses query results over 2 MB. */
const ANSWER_BYTES = 1_000_000;
/** A closed execution is replayed for the query: about 1 ms an event, at most 1,000 events and some (measured). */
const QUERY_DEADLINE_MS = 10_000;

/** A part of the log is not kept any more. */
export class SegmentLostError extends Error {
  override readonly name = 'SegmentLostError';
}

export interface Stretch {
  readonly entries: readonly Entry[];
  /** Every entry after this is in `entries`, up to `end`. At or before the cursor where the log allows it. */
  readonly start: LogPosition;
  readonly end: LogPosition;
  /** The budget was used up before the end of the log. */
  readonly more: boolean;
}

export class SegmentReader {
  readonly #client: Client;
  readonly #blobs: Pick<Blobs, 'get'>;

  constructor(client: Client, blobs: Pick<Blobs, 'get'>) {
    this.#client = client;
    this.#blobs = blobs;
  }

  /**
   * What follows the cursor, up to about `budgetBytes` of JSON. `run` must have been read before this call: what the
   * workflow appends later than that is then at least as new as the row's tail, and no gap can be between the two.
   * @throws SegmentLostError, or what Temporal throws when no worker answers.
   */
  async read(run: Run, after: Cursor, budgetBytes: number): Promise<Stretch> {
    const tail = run.lastStep?.batches ?? [];
    const stretch = new StretchBuilder(after);
    if (!joins(after, tail) && !isBehind(run, after)) {
      for (const segment of segmentsAfter(run.segments, after)) {
        if (stretch.reached(segment.until)) continue;
        let more = true;
        while (more) {
          const answer = await this.#query(run.threadId, segment, { after: stretch.cursor, maxBytes: ANSWER_BYTES });
          for (const batch of answer.batches) stretch.add(batch, await this.#decode(batch));
          stretch.reach(answer.more ? (answer.batches.at(-1)?.last ?? answer.end) : answer.end);
          more = answer.more && answer.batches.length > 0;
          if (stretch.bytes > budgetBytes) return stretch.build(true);
        }
      }
    }
    for (const batch of tail) {
      if (!stretch.reached(batch.last)) stretch.add(batch, await this.#decode(batch));
    }
    if (run.lastStep) stretch.reach(run.lastStep.end);
    return stretch.build(false);
  }

  async #query(threadId: string, segment: LogSegment, request: EventsRequest): Promise<EventsAnswer> {
    const handle = this.#client.workflow.getHandle(threadWorkflowId(threadId), segment.executionId);
    try {
      return await this.#client.withDeadline(Date.now() + QUERY_DEADLINE_MS, () =>
        handle.query<EventsAnswer, [EventsRequest]>(EVENTS_QUERY, request),
      );
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) {
        throw new SegmentLostError(`Temporal no longer keeps execution ${segment.executionId}.`, { cause: error });
      }
      // Temporal's answer to a result over its limit has the name of another fault.
      if (error instanceof QueryNotRegisteredError && /too large|exceeds.*limit/i.test(error.message)) {
        throw new Error(`A batch of the event log is over Temporal's limit for query results: ${error.message}`, {
          cause: error,
        });
      }
      throw error;
    }
  }

  #decode(batch: Batch): Promise<readonly Entry[]> {
    return decodeBatch(batch, async (blobId) => {
      const bytes = await this.#blobs.get(blobId);
      if (bytes === null) throw new SegmentLostError(`Blob ${blobId} of the event log is gone.`);
      return bytes;
    });
  }
}

/**
 * Whether the row's tail goes on right behind the cursor, so that no query is needed: one-step runs, followers. A cursor
 * at the tail's end asks for what the superstep after it has flushed, and that is only in the workflow.
 */
function joins(after: Cursor, tail: readonly Batch[]): boolean {
  const [first, last] = [tail[0], tail.at(-1)];
  if (!first || !last) return false;
  if (after.kind === 'frame') return after.after === -1 && first.first.seq === 0;
  return first.first.seq <= after.after + 1 && after.after < last.last.seq;
}

/** Whether the run is over or waits, and the cursor is at the log's end: what nobody writes need not be asked for. */
function isBehind({ state, lastStep }: Run, after: Cursor): boolean {
  if (lastStep === null || state === 'pending' || state === 'running') return false;
  return after.after >= (after.kind === 'seq' ? lastStep.end.seq : lastStep.end.frame);
}

/** The segments that may hold something after the cursor, with where each ends if that is known. */
function segmentsAfter(
  segments: readonly LogSegment[],
  after: Cursor,
): readonly (LogSegment & { readonly until?: LogPosition })[] {
  const begin = segments.findLastIndex(({ from }) => (after.kind === 'seq' ? from.seq : from.frame) <= after.after);
  return segments.slice(Math.max(begin, 0)).map((segment, index, rest) => {
    const until = rest[index + 1]?.from;
    return until ? { ...segment, until } : segment;
  });
}

class StretchBuilder {
  readonly #after: Cursor;
  readonly #entries: Entry[] = [];
  #start: LogPosition | undefined;
  /** Of what was read: below the cursor where that is past the log's end. */
  #end: LogPosition = LOG_START;
  bytes = 0;

  constructor(after: Cursor) {
    this.#after = after;
  }

  /** Up to here nothing is asked for any more. */
  get #passed(): number {
    return this.#after.kind === 'seq' ? Math.max(this.#after.after, this.#end.seq) : this.#end.seq;
  }

  /** Where the next query goes on. */
  get cursor(): Cursor {
    return this.#start === undefined ? this.#after : { kind: 'seq', after: this.#end.seq };
  }

  reached(position: LogPosition | undefined): boolean {
    return position !== undefined && this.#passed >= position.seq;
  }

  add(batch: Batch, entries: readonly Entry[]): void {
    // The batch's own first entry need not be a frame: its frame number is then one that was used before it.
    const first = entries[0];
    this.#start ??= {
      seq: batch.first.seq - 1,
      frame: first && isFrameEntry(first) ? batch.first.frame - 1 : batch.first.frame,
    };
    for (const entry of entries) {
      if (entry.seq <= this.#passed) continue;
      this.#entries.push(entry);
      this.bytes += entry.json?.length ?? 0;
    }
    this.reach(batch.last);
  }

  reach(position: LogPosition): void {
    if (position.seq > this.#end.seq) this.#end = position;
    else if (position.frame > this.#end.frame) this.#end = { seq: this.#end.seq, frame: position.frame };
  }

  build(more: boolean): Stretch {
    const { kind, after } = this.#after;
    const found = this.#start ?? this.#end;
    const start =
      kind === 'seq'
        ? { seq: Math.min(after, this.#end.seq), frame: found.frame }
        : { seq: found.seq, frame: Math.min(after, this.#end.frame) };
    return { entries: this.#entries, start, end: this.#end, more };
  }
}
