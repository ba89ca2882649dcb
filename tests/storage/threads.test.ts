import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Json } from '../../storage/records.js';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import { aStep, openStorage, submitted, type Storage } from './fixtures.js';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
}, POSTGRES_START_TIMEOUT_MS);
afterAll(() => storage.close());

const page = { limit: 10, offset: 0, sortBy: 'created_at', sortOrder: 'desc' } as const;

async function aThread(metadata: { readonly [key: string]: Json } = {}): Promise<string> {
  const threadId = randomUUID();
  await storage.threads.create({ threadId, metadata, ifExists: 'raise' });
  return threadId;
}

test('a thread is created once', async () => {
  const thread = { threadId: randomUUID(), metadata: { owner: 'ada' } };
  expect(await storage.threads.create({ ...thread, ifExists: 'raise' })).toMatchObject({
    kind: 'created',
    thread: { status: 'idle', values: null, interrupts: {}, config: {}, metadata: { owner: 'ada' } },
  });
  expect(await storage.threads.create({ ...thread, ifExists: 'raise' })).toEqual({ kind: 'conflict' });
  expect(await storage.threads.create({ ...thread, metadata: {}, ifExists: 'do_nothing' })).toMatchObject({
    kind: 'existing',
    thread: { metadata: { owner: 'ada' } },
  });
});

test('metadata is merged at its first level, and patches at the same time are all kept', async () => {
  const threadId = await aThread({ a: { deep: 1 }, b: 1 });
  await Promise.all([
    storage.threads.patchMetadata(threadId, { a: { other: 2 } }),
    storage.threads.patchMetadata(threadId, { c: 3 }),
  ]);
  expect((await storage.threads.get(threadId))?.metadata).toEqual({ a: { other: 2 }, b: 1, c: 3 });
  expect(await storage.threads.patchMetadata(randomUUID(), {})).toBeNull();
});

test('threads are found by what their metadata and values contain', async () => {
  const tag = randomUUID();
  const threadId = await aThread({ tag, tags: ['x', 'y'], deep: { a: 1, b: 2 } });
  await aThread({ tag });
  await storage.threads.updateValues(threadId, { report: { state: 'draft' } });
  const found = async (filter: object) =>
    (await storage.threads.search({ ...page, ...filter })).map((thread) => thread.threadId);
  expect(await found({ metadata: { tag, tags: ['y'], deep: { b: 2 } } })).toEqual([threadId]);
  expect(await found({ metadata: { tag }, values: { report: { state: 'draft' } } })).toEqual([threadId]);
  expect(await found({ metadata: { tag }, values: { report: { state: 'final' } } })).toEqual([]);
  expect(await storage.threads.count({ metadata: { tag } })).toBe(2);
  expect(await storage.threads.count({ metadata: { tag }, values: { report: {} } })).toBe(1);
});

test('threads are found by status and ids, sorted, a page at a time', async () => {
  const tag = randomUUID();
  const ids = [await aThread({ tag }), await aThread({ tag }), await aThread({ tag })];
  await submitted(storage, { threadId: ids[1] as string });
  const found = async (search: object) =>
    (await storage.threads.search({ ...page, metadata: { tag }, ...search })).map((thread) => thread.threadId);
  expect(await found({ status: 'busy' })).toEqual([ids[1]]);
  expect(await found({ ids: [ids[0], ids[2], randomUUID()], sortBy: 'thread_id', sortOrder: 'asc' })).toEqual(
    [ids[0], ids[2]].toSorted(),
  );
  expect(await found({ ids: [] })).toEqual([]);
  expect(await found({ sortBy: 'thread_id', sortOrder: 'desc', limit: 1, offset: 1 })).toEqual([
    ids.toSorted().toReversed()[1],
  ]);
});

const STRINGS = [
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\ud83d\ude00',
  '\uf8ff',
  '\uf8ff0000',
  '\\u0000',
  '\\\0',
  '"\u2028',
];

test.each(STRINGS.map((text) => [JSON.stringify(text), text]))(
  'the string %s survives and is found',
  async (_, text) => {
    const tag = randomUUID();
    const metadata = { tag, text, [text]: [text] };
    const threadId = await aThread(metadata);
    await storage.threads.updateValues(threadId, { [text]: { text } });
    await storage.threads.patchMetadata(threadId, { more: text });
    const found = await storage.threads.search({
      ...page,
      metadata: { ...metadata, more: text },
      values: { [text]: { text } },
    });
    expect(found).toMatchObject([{ threadId, metadata: { ...metadata, more: text }, values: { [text]: { text } } }]);
    for (const other of STRINGS.filter((string) => string !== text)) {
      expect(await storage.threads.count({ metadata: { tag, text: other } })).toBe(0);
    }
    const run = await submitted(storage, {
      threadId,
      metadata: { text },
      kwargs: { ...KWARGS, input: { [text]: text } },
    });
    expect(await storage.runs.read(run.runId)).toMatchObject({
      metadata: { text },
      kwargs: { input: { [text]: text } },
    });
    const value = { [text]: text };
    const step = aStep(storage, run, 1, { value });
    const checkpoints = step.checkpoints.map((checkpoint) => ({
      ...checkpoint,
      metadata: { ...checkpoint.metadata, text },
    }));
    const interrupts = [{ id: 'a'.repeat(32), node: 'ask', value: text }];
    await storage.steps.commitStep({
      ...step,
      checkpoints: checkpoints,
      then: {
        kind: 'pause',
        pause: { number: 1, at: new Date(), interrupts, next: ['ask'] },
        thread: { values: value, interrupts: { task: [{ id: 'a'.repeat(32), value: text }] }, next: ['ask'] },
      },
    });
    expect(await storage.runs.claimPause(run.runId, { answer: text })).toMatchObject({
      kind: 'claimed',
      run: { pause: { interrupts }, resume: { answer: { answer: text } } },
    });
    expect(await storage.threads.get(threadId)).toMatchObject({
      values: value,
      interrupts: { task: [{ value: text }] },
    });
    const config = { configurable: { thread_id: threadId } };
    expect(await storage.saver.getTuple(config)).toMatchObject({
      metadata: { text },
      checkpoint: { channel_values: { value } },
    });
    const listed = [];
    for await (const tuple of storage.saver.list(config, { filter: { text } })) listed.push(tuple);
    expect(listed).toHaveLength(1);
  },
);

const KWARGS = { config: {}, stream_mode: [], stream_subgraphs: false, stream_resumable: false, temporary: false };

test('values keep the order of their keys', async () => {
  const threadId = await aThread();
  await storage.threads.updateValues(threadId, { zebra: 1, ant: 2 });
  expect(Object.keys((await storage.threads.get(threadId))?.values as object)).toEqual(['zebra', 'ant']);
});

test('a deleted thread takes runs, blobs and checkpoints along', async () => {
  const run = await submitted(storage);
  await storage.steps.commitStep(aStep(storage, run, 1));
  const blobId = await storage.blobs.put(run.runId, Buffer.from(run.threadId));
  expect(await storage.threads.delete(run.threadId)).toBe(true);
  expect(await storage.threads.delete(run.threadId)).toBe(false);
  expect(await storage.runs.read(run.runId)).toBeNull();
  expect(await storage.blobs.get(blobId)).toBeNull();
  expect(await storage.saver.getTuple({ configurable: { thread_id: run.threadId } })).toBeUndefined();
});
