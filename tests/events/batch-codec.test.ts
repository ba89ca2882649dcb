import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  BatchCorruptError,
  decodeBatch,
  encodeBatches,
  fitInline,
  MAX_BATCH_ENTRIES,
  MAX_BATCH_JSON_BYTES,
  MAX_INFLATED_BATCH_BYTES,
  MAX_INLINE_BATCH_BYTES,
} from '../../events/batch-codec.js';
import type { Batch } from '../../events/batch.js';
import { FRAME_EVENTS, LOG_START, PROGRESS_EVENTS, type Entry } from '../../events/entry.js';
import { frame } from './fixtures.js';

class BlobTable {
  readonly blobs = new Map<string, Uint8Array>();
  readonly put = async (content: string | Uint8Array): Promise<string> => {
    const id = `blob-${this.blobs.size}`;
    this.blobs.set(id, Buffer.from(content));
    return id;
  };
  readonly get = async (id: string): Promise<Uint8Array> => this.blobs.get(id) ?? Buffer.alloc(0);
}

const noise = (length: number): string =>
  JSON.stringify(Array.from({ length }, (_, i) => ((Math.sin(i + 1) * 1e9) | 0).toString(36)).join(''));

const entriesArbitrary = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 2 ** 25 }),
      event: fc.constantFrom(...FRAME_EVENTS, ...PROGRESS_EVENTS),
      ns: fc.array(fc.string(), { maxLength: 2 }),
      data: fc.oneof(
        fc.jsonValue().map((value) => ({ json: JSON.stringify(value) })),
        fc.constant({ ref: { kind: 'checkpoint' as const, checkpointId: 'c1' } }),
        fc.constant({ ref: { kind: 'blob' as const, blobId: 'b', bytes: 9 } }),
      ),
    }),
    { maxLength: 40 },
  )
  .map((drafts) => {
    let [seq, frameId] = [-1, -1];
    return drafts.map(({ gap, event, ns, data }): Entry => {
      seq += gap;
      const base = { seq, at: seq * 3, ...data };
      if (event.includes('.')) return { ...base, event } as Entry;
      frameId += gap;
      return { ...base, event, frame: frameId, ns };
    });
  });

const endOf = (entries: readonly Entry[]) => ({ seq: entries.at(-1)?.seq ?? -1, frame: 10 ** 9 });

describe('batches', () => {
  test('give back the entries they were made of, text for text', async () => {
    const table = new BlobTable();
    await fc.assert(
      fc.asyncProperty(entriesArbitrary, async (entries) => {
        const batches = await encodeBatches(entries, LOG_START, endOf(entries), table.put);
        const decoded = await Promise.all(batches.map((batch) => decodeBatch(batch, table.get)));
        expect(decoded.flat()).toEqual(entries);
      }),
      { numRuns: 60 },
    );
  });

  test('are split by size and by number, and their headers join on', async () => {
    const table = new BlobTable();
    const big = Array.from({ length: 5 }, (_, i) =>
      frame(i, i, { json: `"${'x'.repeat(MAX_BATCH_JSON_BYTES / 2 - 100)}"` }),
    );
    const many = Array.from({ length: MAX_BATCH_ENTRIES + 1 }, (_, i) => frame(5 + i, 5 + i, { json: '0' }));
    const end = { seq: MAX_BATCH_ENTRIES + 5, frame: MAX_BATCH_ENTRIES + 5 };
    const batches = await encodeBatches([...big, ...many], LOG_START, end, table.put);
    expect(batches.map(({ entries }) => entries)).toEqual([2, 2, MAX_BATCH_ENTRIES, 2]);
    expect(batches.map(({ first, last }) => [first.seq, last.seq])).toEqual([
      [0, 1],
      [2, 3],
      [4, MAX_BATCH_ENTRIES + 3],
      [MAX_BATCH_ENTRIES + 4, end.seq],
    ]);
    expect(batches.at(-1)?.last).toEqual(end);
  });

  test('carry a position alone where nothing was logged', async () => {
    const table = new BlobTable();
    const [batch] = await encodeBatches([], { seq: 3, frame: 2 }, { seq: 9, frame: 7 }, table.put);
    expect(batch).toMatchObject({ entries: 0, last: { seq: 9, frame: 7 } });
    expect(await decodeBatch(batch!, table.get)).toEqual([]);
  });

  test('name the highest frame so far even where they hold progress entries only', async () => {
    const table = new BlobTable();
    const end = { seq: 8, frame: 4 };
    const [batch] = await encodeBatches(
      [{ seq: 8, at: 0, event: 'node.started', json: '{}' }],
      { seq: 7, frame: 4 },
      end,
      table.put,
    );
    expect(batch).toMatchObject({ first: { seq: 8, frame: 4 }, last: { seq: 8, frame: 4 } });
  });

  test('over the inline bound go to a blob', async () => {
    const table = new BlobTable();
    const entries = [frame(0, 0, { json: noise(20_000) })];
    const [batch] = await encodeBatches(entries, LOG_START, endOf(entries), table.put);
    expect(batch?.body.kind).toBe('blob');
    expect(await decodeBatch(batch!, table.get)).toEqual(entries);
  });

  test('together keep to the inline bound', async () => {
    const table = new BlobTable();
    const all: Batch[] = [];
    for (let i = 0; i < 4; i += 1) {
      const entries = [frame(i, i, { json: noise(3_000) })];
      all.push(...(await encodeBatches(entries, LOG_START, endOf(entries), table.put)));
    }
    const fitted = await fitInline(all, table.put);
    const inline = fitted.map(({ body }) => (body.kind === 'inline' ? body.deflated.length : 0));
    expect(inline.reduce((a, b) => a + b)).toBeLessThanOrEqual(MAX_INLINE_BATCH_BYTES);
    expect(fitted.some(({ body }) => body.kind === 'blob')).toBe(true);
    const decoded = await Promise.all(fitted.map((batch) => decodeBatch(batch, table.get)));
    expect(decoded.flat().map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  });
});

describe('a body that cannot be read', () => {
  const decode = (text: string | Uint8Array, over: Partial<Batch> = {}) => {
    const deflated =
      typeof text === 'string' ? deflateSync(text).toString('base64') : Buffer.from(text).toString('base64');
    const batch: Batch = {
      first: { seq: 0, frame: 0 },
      last: { seq: 5, frame: 5 },
      entries: 1,
      body: { kind: 'inline', deflated },
      ...over,
    };
    return decodeBatch(batch, async () => Buffer.alloc(0));
  };

  test('is refused when it grows past the bound', async () => {
    const bomb = Buffer.alloc(MAX_INFLATED_BATCH_BYTES + 1);
    await expect(decode(deflateSync(bomb))).rejects.toThrow(/larger than 16777216 bytes once inflated/);
  });

  test('is refused when a byte has changed', async () => {
    const good = deflateSync('[0,0,0,"custom",null,null]\t1');
    good[good.length - 1]! ^= 1;
    await expect(decode(good)).rejects.toThrow(BatchCorruptError);
  });

  test.each([
    ['not our lines', 'hello', /does not begin with its head/],
    ['an unknown event', '[0,0,0,"coffee",null,null]\t1', /unknown kind/],
    ['a number out of place', '[6,0,0,"custom",null,null]\t1', /entry 6 is out of place/],
    ['too few entries', '', /holds 0 entries where 1 are announced/],
  ])('is refused for %s', async (_what, text, message) => {
    await expect(decode(text)).rejects.toThrow(message);
  });
});
