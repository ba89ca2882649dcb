import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { randomUUID } from 'node:crypto';
import { CheckpointCache } from '../../storage/checkpoint-cache.js';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import { aCheckpoint, openStorage, type Storage } from './fixtures.js';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
}, POSTGRES_START_TIMEOUT_MS);
afterAll(() => storage.close());

const LIMITS = { maxEntries: 2, maxBytes: 100_000 };
const none = { pendingWrites: 'none' } as const;

async function saved(value: unknown, threadId: string = randomUUID()): Promise<CheckpointTuple> {
  const { checkpoint, newVersions } = aCheckpoint(storage.saver, value);
  const metadata = { source: 'loop', step: 1, parents: {} } as const;
  const config = { configurable: { thread_id: threadId, checkpoint_ns: '' } };
  return { config: await storage.saver.put(config, checkpoint, metadata, newVersions), checkpoint, metadata };
}

/** Makes what the database would give differ from what the cache holds. */
const forgetInDatabase = (tuple: CheckpointTuple) =>
  storage.saver.deleteThread(tuple.config.configurable?.thread_id as string);

test('a remembered checkpoint is what the database would give', async () => {
  const cache = new CheckpointCache(storage.saver, LIMITS);
  const tuple = await saved({ at: new Date(0), set: new Set([1]), missing: undefined });
  await cache.remember(tuple);
  const fromDatabase = await storage.saver.getTuple(tuple.config);
  await forgetInDatabase(tuple);
  expect(await cache.get(tuple.config, none)).toEqual(fromDatabase);
});

test('who changes values that came from the cache changes them for himself', async () => {
  const cache = new CheckpointCache(storage.saver, LIMITS);
  const tuple = await saved({ list: [1] });
  await cache.remember(tuple);
  for (const _ of [1, 2]) {
    const { list } = (await cache.get(tuple.config, none))?.checkpoint.channel_values.value as { list: number[] };
    expect(list).toEqual([1]);
    list.push(2);
  }
});

test('another checkpoint of the thread is read from the database', async () => {
  const cache = new CheckpointCache(storage.saver, LIMITS);
  const older = await saved('older');
  const newer = await saved('newer', older.config.configurable?.thread_id as string);
  await cache.remember(older);
  expect((await cache.get(newer.config, none))?.checkpoint.channel_values).toEqual({ value: 'newer' });
});

test('pending writes are read when asked for', async () => {
  const cache = new CheckpointCache(storage.saver, LIMITS);
  const tuple = await saved('value');
  await cache.remember(tuple);
  await storage.saver.putWrites(tuple.config, [['value', 'written']], 'task');
  expect((await cache.get(tuple.config, none))?.pendingWrites).toEqual([]);
  expect((await cache.get(tuple.config, { pendingWrites: 'read' }))?.pendingWrites).toEqual([
    ['task', 'value', 'written'],
  ]);
});

test('the least recently used goes first, and nothing over the bound is kept', async () => {
  const cache = new CheckpointCache(storage.saver, LIMITS);
  const [first, second, third, large] = [
    await saved(1),
    await saved(2),
    await saved(3),
    await saved('x'.repeat(200_000)),
  ];
  for (const tuple of [first, second, large]) await cache.remember(tuple);
  await cache.get(first.config, none);
  await cache.remember(third);
  await Promise.all([first, second, third, large].map(forgetInDatabase));
  const kept = await Promise.all([first, second, third, large].map((tuple) => cache.get(tuple.config, none)));
  expect(kept.map((tuple) => tuple !== undefined)).toEqual([true, false, true, false]);
  cache.forget(first.config.configurable?.thread_id as string);
  expect(await cache.get(first.config, none)).toBeUndefined();
});
