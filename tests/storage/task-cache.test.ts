import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AIMessage } from '@langchain/core/messages';
import { InMemoryCache, type BaseCache, type CacheFullKey } from '@langchain/langgraph-checkpoint';
import { sql } from 'kysely';
import { TaskCache } from '../../storage/task-cache.js';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import { until } from '../support/until.js';
import { openStorage, type Storage } from './fixtures.js';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
}, POSTGRES_START_TIMEOUT_MS);
afterAll(() => storage.close());
beforeEach(() => sql`truncate task_cache`.execute(storage.db.query));

const keys: CacheFullKey[] = [
  [['writes', 'graph', 'a'], 'one'],
  [['writes', 'graph', 'a'], 'two'],
  [['writes', 'graph', 'b'], 'one'],
  [['other'], 'one'],
];
const count = async () => (await sql`select from task_cache`.execute(storage.db.query)).rows.length;

test.each([
  ['memory', () => new InMemoryCache<unknown>()],
  ['Postgres', () => new TaskCache(storage.db)],
])('in %s: what was set is found until its namespace is cleared', async (_where, make) => {
  const cache: BaseCache = make();
  expect(await cache.get(keys)).toEqual([]);
  expect(await cache.get([])).toEqual([]);
  await cache.set([]);
  const writes = [['messages', new AIMessage('hello \0')]];
  await cache.set(
    keys.map((key, index) => ({ key, value: index === 0 ? writes : index, ...(index && { ttl: 3600 }) })),
  );
  const values = async () => {
    const found = await cache.get(keys);
    return keys.map((key) => found.find((pair) => JSON.stringify(pair.key) === JSON.stringify(key))?.value);
  };
  expect(await values()).toEqual([writes, 1, 2, 3]);
  await cache.set([{ key: keys[1]!, value: 'changed' }]);
  expect(await values()).toEqual([writes, 'changed', 2, 3]);
  await cache.clear([
    ['writes', 'graph', 'a'],
    ['never', 'set'],
  ]);
  expect(await values()).toEqual([undefined, undefined, 2, 3]);
  await cache.clear([]);
  expect(await values()).toEqual([undefined, undefined, undefined, undefined]);
});

test('an expired value is not found, and its row goes with the next sweep', async () => {
  const cache = new TaskCache(storage.db);
  await cache.set([
    { key: keys[0]!, value: 'short', ttl: 0.001 },
    { key: keys[1]!, value: 'long', ttl: 3600 },
    { key: keys[2]!, value: 'for ever' },
  ]);
  await until('it to expire', async () => (await cache.get([keys[0]!])).length === 0);
  expect(await count()).toBe(3);
  await cache.deleteExpired();
  expect(await count()).toBe(2);
  expect((await cache.get(keys)).map(({ value }) => value).sort()).toEqual(['for ever', 'long']);
});

test('labels that join to the same text are different namespaces', async () => {
  const cache = new TaskCache(storage.db);
  await cache.set([{ key: [['a', 'b'], 'k'], value: 1 }]);
  expect(await cache.get([[['a,b'], 'k']])).toEqual([]);
});

test('a value that expired and is set again is found', async () => {
  const cache = new TaskCache(storage.db);
  await cache.set([{ key: keys[0]!, value: 'old', ttl: 0 }]);
  await cache.set([
    { key: keys[0]!, value: 'lost' },
    { key: keys[0]!, value: 'new', ttl: 60 },
  ]);
  expect(await cache.get([keys[0]!])).toEqual([{ key: keys[0], value: 'new' }]);
});

test('workers that set the same keys at once do not wait for each other for ever', async () => {
  const cache = new TaskCache(storage.db);
  const set = (order: readonly CacheFullKey[], value: number) =>
    cache.set(order.map((key) => ({ key, value, ttl: 0 })));
  const rounds = Array.from({ length: 8 }, (_, n) => set(n % 2 ? keys : [...keys].reverse(), n));
  await Promise.all([...rounds, cache.deleteExpired(), cache.deleteExpired()]);
  await cache.deleteExpired();
  expect(await count()).toBe(0);
});
