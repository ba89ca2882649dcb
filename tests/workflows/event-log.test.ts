import { describe, expect, test } from '@jest/globals';
import type { Batch } from '../../events/batch.js';
import { EventLog } from '../../workflows/event-log.js';

/** Entries `first`..`last`, of which those up to `frame` are frames. */
const batch = (first: number, last: number, frame = last, body = 'x'.repeat(10)): Batch => ({
  first: { seq: first, frame: Math.min(first, frame) },
  last: { seq: last, frame },
  entries: last - first + 1,
  body: { kind: 'inline', deflated: body },
});
const firsts = (batches: readonly Batch[]) => batches.map(({ first }) => first.seq);

describe('the event log', () => {
  test('drops a batch that it has, and keeps the order', () => {
    const log = new EventLog();
    log.append([batch(0, 4)]);
    log.append([batch(0, 4), batch(5, 9)]);
    expect(firsts(log.read({ after: { kind: 'seq', after: -1 }, maxBytes: 1_000 }).batches)).toEqual([0, 5]);
    expect(log.end).toEqual({ seq: 9, frame: 9 });
  });

  test('accepts a gap, which an attempt that died has left', () => {
    const log = new EventLog({ seq: 3, frame: 2 });
    log.append([batch(1_000, 1_001)]);
    expect(log.end.seq).toBe(1_001);
  });

  test('ends where the writer says it stopped, though that was only shown live', () => {
    const log = new EventLog();
    log.append([batch(0, 4)], { seq: 20, frame: 12 });
    log.append([batch(15, 19)]);
    expect(log.end).toEqual({ seq: 20, frame: 12 });
    expect(log.read({ after: { kind: 'seq', after: -1 }, maxBytes: 1_000 }).batches).toHaveLength(1);
  });

  test('is read from the middle of a batch on', () => {
    const log = new EventLog();
    log.append([batch(0, 4), batch(5, 9), batch(10, 14)]);
    expect(firsts(log.read({ after: { kind: 'seq', after: 7 }, maxBytes: 1_000 }).batches)).toEqual([5, 10]);
    expect(log.read({ after: { kind: 'seq', after: 14 }, maxBytes: 1_000 }).batches).toEqual([]);
  });

  test('is read by frame, past batches that hold none', () => {
    const log = new EventLog();
    log.append([batch(0, 4, 2), batch(5, 9, 2), batch(10, 14, 6)]);
    expect(firsts(log.read({ after: { kind: 'frame', after: 2 }, maxBytes: 1_000 }).batches)).toEqual([10]);
  });

  test('answers with at least one batch, and says that there is more', () => {
    const log = new EventLog();
    log.append([batch(0, 4), batch(5, 9), batch(10, 14)]);
    const answer = log.read({ after: { kind: 'seq', after: -1 }, maxBytes: 5 });
    expect(firsts(answer.batches)).toEqual([0]);
    expect(answer.more).toBe(true);
    expect(log.read({ after: { kind: 'seq', after: 4 }, maxBytes: 20 })).toMatchObject({ more: false });
  });
});
