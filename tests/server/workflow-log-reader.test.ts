// The reader over a Temporal client played by hand: executions that answer `events` queries out of batches.
import { QueryNotRegisteredError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { describe, expect, test } from '@jest/globals';
import { encodeBatches } from '../../events/batch-codec.js';
import type { Batch, Cursor, EventsAnswer, EventsRequest } from '../../events/batch.js';
import { isFrameEntry, LOG_START, type Entry, type LogPosition } from '../../events/entry.js';
import type { LogPage } from '../../events/log-reader.js';
import type { Run } from '../../storage/records.js';
import { SegmentReader } from '../../server/segment-reader.js';
import { WorkflowLogReader } from '../../server/workflow-log-reader.js';
import { frame } from '../events/fixtures.js';

const noBlobs = { get: () => Promise.resolve(null) };
const never = (): never => {
  throw new Error('No blob is needed.');
};
const endOf = (entries: readonly Entry[]): LogPosition => {
  const last = entries.at(-1);
  return last && isFrameEntry(last) ? { seq: last.seq, frame: last.frame } : LOG_START;
};
const entriesFrom = (first: number, last: number): Entry[] =>
  Array.from({ length: last - first + 1 }, (_, index) => frame(first + index, first + index));

class FakeTemporal {
  queries = 0;
  readonly executions = new Map<string, { batches: Batch[]; end: LogPosition }>();
  /** Thrown instead of an answer. */
  fault: Error | undefined;

  async append(executionId: string, entries: readonly Entry[]): Promise<void> {
    const execution = this.executions.get(executionId) ?? { batches: [], end: LOG_START };
    execution.batches.push(...(await batchesOf(entries)));
    execution.end = endOf(entries);
    this.executions.set(executionId, execution);
  }

  get client(): Client {
    const query = (executionId: string, { after }: EventsRequest): EventsAnswer => {
      this.queries += 1;
      if (this.fault) throw this.fault;
      const execution = this.executions.get(executionId);
      if (!execution) throw new WorkflowNotFoundError('workflow not found', 'thread:t', executionId);
      const position = ({ last }: Batch): number => (after.kind === 'seq' ? last.seq : last.frame);
      const following = execution.batches.filter((batch) => position(batch) > after.after);
      // One batch at a time, so that a read has to ask again.
      return { batches: following.slice(0, 1), more: following.length > 1, end: execution.end };
    };
    return {
      withDeadline: (_deadline: unknown, call: () => Promise<unknown>) => call(),
      workflow: {
        getHandle: (_workflowId: string, executionId: string) => ({
          query: async (_name: string, request: EventsRequest) => query(executionId, request),
        }),
      },
    } as unknown as Client;
  }
}

const batchesOf = (entries: readonly Entry[]): Promise<readonly Batch[]> =>
  encodeBatches(entries, { seq: (entries[0]?.seq ?? 0) - 1, frame: (entries[0]?.seq ?? 0) - 1 }, endOf(entries), never);

interface Row {
  state: Run['state'];
  segments: Run['segments'];
  lastStep: Run['lastStep'];
  endedAt: Run['endedAt'];
}

function scene(options: { readonly ttlMs?: number } = {}) {
  const temporal = new FakeTemporal();
  const row: Row = { state: 'running', segments: [], lastStep: null, endedAt: null };
  let reads = 0;
  const reader = new WorkflowLogReader({
    runs: {
      read: async () => {
        reads += 1;
        return { runId: 'r', threadId: 't', ...row } as unknown as Run;
      },
    },
    segments: new SegmentReader(temporal.client, noBlobs),
    ...options,
  });
  const tail = async (entries: readonly Entry[]): Promise<void> => {
    row.lastStep = { step: 1, end: endOf(entries), batches: await batchesOf(entries), result: null };
  };
  return { temporal, row, reader, tail, rowReads: () => reads };
}

/** As `follow` reads: page after page. */
async function readAll(reader: WorkflowLogReader, after: Cursor): Promise<{ seqs: number[]; state: LogPage['state'] }> {
  const seqs: number[] = [];
  for (let cursor = after; ;) {
    const page = await reader.read('r', cursor);
    seqs.push(...page.entries.map(({ seq }) => seq));
    if (!page.more) return { seqs, state: page.state };
    cursor = { kind: 'seq', after: page.entries.at(-1)?.seq ?? page.end.seq };
  }
}
const START: Cursor = { kind: 'seq', after: -1 };
const range = (first: number, last: number): number[] => entriesFrom(first, last).map(({ seq }) => seq);

describe('WorkflowLogReader', () => {
  test('puts together all executions of a run and the row’s tail, each entry once', async () => {
    const { temporal, row, reader, tail } = scene();
    await temporal.append('one', entriesFrom(0, 4));
    await temporal.append('one', entriesFrom(5, 9));
    await temporal.append('two', entriesFrom(10, 14));
    row.segments = [
      { executionId: 'one', from: LOG_START },
      { executionId: 'two', from: { seq: 9, frame: 9 } },
    ];
    await tail(entriesFrom(13, 19));
    expect(await readAll(reader, START)).toEqual({ seqs: range(0, 19), state: 'open' });
  });

  test.each<Cursor>([
    { kind: 'seq', after: 7 },
    { kind: 'frame', after: 7 },
  ])('starts behind the cursor %j', async (after) => {
    const { temporal, row, reader } = scene();
    await temporal.append('one', entriesFrom(0, 4));
    await temporal.append('one', entriesFrom(5, 9));
    await temporal.append('two', entriesFrom(10, 14));
    row.segments = [
      { executionId: 'one', from: LOG_START },
      { executionId: 'two', from: { seq: 9, frame: 9 } },
    ];
    expect((await readAll(reader, after)).seqs).toEqual(range(8, 14));
    expect((await readAll(reader, START)).seqs).toEqual(range(0, 14));
  });

  test('whoever asks behind the end is told where it is, and goes on from there', async () => {
    const { temporal, row, reader } = scene();
    await temporal.append('one', entriesFrom(0, 4));
    row.segments = [{ executionId: 'one', from: LOG_START }];
    const { entries, end } = await reader.read('r', { kind: 'seq', after: Number.MAX_SAFE_INTEGER });
    expect({ entries, end }).toEqual({ entries: [], end: { seq: 4, frame: 4 } });
    await temporal.append('one', entriesFrom(5, 6));
    expect((await readAll(reader, { kind: 'seq', after: end.seq })).seqs).toEqual([5, 6]);
    expect((await readAll(reader, START)).seqs).toEqual(range(0, 6));
  });

  test('a run of one step is read from its row alone', async () => {
    const { temporal, row, reader, tail } = scene();
    row.segments = [{ executionId: 'one', from: LOG_START }];
    row.state = 'success';
    await tail(entriesFrom(0, 3));
    expect(await readAll(reader, START)).toEqual({ seqs: range(0, 3), state: 'settled' });
    expect(temporal.queries).toBe(0);
  });

  test('many readers of a run at once cost one read', async () => {
    const { temporal, row, reader, rowReads } = scene();
    await temporal.append('one', entriesFrom(0, 9));
    row.segments = [{ executionId: 'one', from: LOG_START }];
    const all = await Promise.all(Array.from({ length: 50 }, () => readAll(reader, START)));
    expect(all.every(({ seqs }) => seqs.length === 10)).toBe(true);
    expect(temporal.queries).toBe(1);
    expect(rowReads()).toBe(1);
  });

  test('a settled run that was read once costs nothing any more', async () => {
    const { temporal, row, reader, rowReads } = scene();
    await temporal.append('one', entriesFrom(0, 9));
    row.segments = [{ executionId: 'one', from: LOG_START }];
    row.state = 'success';
    await readAll(reader, START);
    const before = [temporal.queries, rowReads()];
    expect(await readAll(reader, { kind: 'frame', after: 4 })).toEqual({ seqs: range(5, 9), state: 'settled' });
    expect([temporal.queries, rowReads()]).toEqual(before);
  });

  test('a reader at the end of a committed step gets what the next one flushes', async () => {
    const { temporal, row, reader, tail } = scene();
    await temporal.append('one', entriesFrom(0, 4));
    row.segments = [{ executionId: 'one', from: LOG_START }];
    await tail(entriesFrom(0, 4));
    expect((await readAll(reader, START)).seqs).toEqual(range(0, 4));
    await temporal.append('one', entriesFrom(5, 9));
    expect((await readAll(reader, { kind: 'seq', after: 4 })).seqs).toEqual(range(5, 9));
  });

  test('a run that ended longer ago than its log is served has expired', async () => {
    const { temporal, row, reader } = scene({ ttlMs: 60_000 });
    await temporal.append('one', entriesFrom(0, 4));
    row.segments = [{ executionId: 'one', from: LOG_START }];
    row.state = 'success';
    row.endedAt = new Date();
    expect(await readAll(reader, START)).toEqual({ seqs: range(0, 4), state: 'settled' });
    row.endedAt = new Date(Date.now() - 61_000);
    const late = scene({ ttlMs: 60_000 });
    Object.assign(late.row, row);
    expect(await readAll(late.reader, START)).toEqual({ seqs: [], state: 'expired' });
  });

  test('a reader at the end gets what comes, and one further back what it missed', async () => {
    const { temporal, row, reader } = scene();
    await temporal.append('one', entriesFrom(0, 4));
    row.segments = [{ executionId: 'one', from: LOG_START }];
    await readAll(reader, { kind: 'seq', after: 4 });
    await temporal.append('one', entriesFrom(5, 9));
    const [end, start] = await Promise.all([readAll(reader, { kind: 'seq', after: 4 }), readAll(reader, START)]);
    expect(end.seqs).toEqual(range(5, 9));
    expect(start.seqs).toEqual(range(0, 9));
  });

  test('an execution that Temporal no longer keeps makes the log expired, never shorter', async () => {
    const { row, reader, tail } = scene();
    row.segments = [{ executionId: 'gone', from: LOG_START }];
    row.state = 'success';
    await tail(entriesFrom(5, 9));
    expect(await readAll(reader, START)).toEqual({ seqs: [], state: 'expired' });
  });

  test('waits out a worker that does not answer', async () => {
    const { temporal, row, reader } = scene();
    await temporal.append('one', entriesFrom(0, 4));
    row.segments = [{ executionId: 'one', from: LOG_START }];
    temporal.fault = new QueryNotRegisteredError('no poller seen for task queue recently', 3);
    const read = readAll(reader, START);
    while (temporal.queries === 0) await new Promise((resolve) => setImmediate(resolve));
    temporal.fault = undefined;
    expect((await read).seqs).toEqual(range(0, 4));
  });
});
