import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InMemoryStore, type BaseStore, type Operation } from '@langchain/langgraph-checkpoint';
import { sql } from 'kysely';
import { Store } from '../../storage/store.js';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import { openStorage, type Storage } from './fixtures.js';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
}, POSTGRES_START_TIMEOUT_MS);
afterAll(() => storage.close());

/** The dates are each store's own. */
const plain = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer ?? null, (key, value: unknown) => (key.endsWith('At') ? undefined : value)));

const items: readonly [namespace: string[], key: string, value: Record<string, unknown>][] = [
  [['users', 'ada'], 'profile', { name: 'Ada', age: 36, tags: ['math'], admin: true, note: null }],
  [['users', 'ada'], 'settings', { theme: 'dark', age: '12' }],
  [['users', 'ada', 'old'], 'profile', { name: 'Ada', age: 20.5 }],
  [['users2'], 'profile', { name: 'Not of users', age: 99 }],
  [['docs', 'v1', 'ada'], 'strange "key" %_', { text: 'a_b%c', nested: { a: [1, { b: 2 }] } }],
  [['docs', 'v2', 'bob'], 'nul', { text: 'zero \0 and lone \ud800 and \uf8ff', age: -1 }],
];

describe('the store answers what an InMemoryStore answers', () => {
  let stores: readonly BaseStore[];
  beforeEach(async () => {
    await sql`truncate store_items`.execute(storage.db.query);
    stores = [new InMemoryStore(), new Store(storage.db)];
    for (const store of stores) for (const [namespace, key, value] of items) await store.put(namespace, key, value);
  });

  const same = async (ask: (store: BaseStore) => Promise<unknown>) => {
    const [expected, answer] = await Promise.all(stores.map(async (store) => plain(await ask(store))));
    expect(answer).toEqual(expected);
    return answer;
  };

  test.each(items)('get %j %j', (namespace, key) => same((store) => store.get(namespace, key)));

  test.each<[string[], Parameters<BaseStore['search']>[1]]>([
    [['users'], {}],
    [[], { limit: 100 }],
    [[], { limit: 2, offset: 3 }],
    [['nobody'], {}],
    [[], { filter: { name: 'Ada' } }],
    [[], { filter: { name: { $ne: 'Ada' } } }],
    [[], { filter: { age: { $gt: 20.5 } } }],
    [[], { filter: { age: { $gte: 12, $lt: 36 } } }],
    [[], { filter: { age: { $lte: 0 } } }],
    [[], { filter: { age: { $in: [36, 99] } } }],
    [[], { filter: { age: { $nin: [36, 99] } } }],
    [[], { filter: { age: { $in: [] } } }],
    [[], { filter: { age: { $gt: 'no number' } } }],
    [[], { filter: { admin: true, note: null } }],
    [[], { filter: { admin: false } }],
    [[], { filter: { text: 'zero \0 and lone \ud800 and \uf8ff' } }],
    [[], { filter: { text: "'; drop table store_items; --" } }],
    [['users'], { query: 'ranks nothing' }],
  ])('search %j %j', (prefix, options) => same((store) => store.search(prefix, options)));

  test.each<[Parameters<BaseStore['listNamespaces']>[0]]>([
    [{}],
    [{ prefix: ['users'] }],
    [{ suffix: ['ada'] }],
    [{ prefix: ['docs', '*'], suffix: ['ada'] }],
    [{ prefix: ['*', 'ada'] }],
    [{ maxDepth: 1 }],
    [{ prefix: ['users'], maxDepth: 2, limit: 1, offset: 0 }],
    [{ limit: 2, offset: 1 }],
    [{ prefix: ['users', 'ada', 'old', 'deeper'] }],
  ])('listNamespaces %j', (options) => same((store) => store.listNamespaces(options)));

  test('an item put again keeps its place and its creation', async () => {
    await same(async (store) => {
      const before = await store.get(['users', 'ada'], 'profile');
      await store.put(['users', 'ada'], 'profile', { name: 'Countess' });
      const after = await store.get(['users', 'ada'], 'profile');
      expect(after?.createdAt).toEqual(before?.createdAt);
      return store.search(['users', 'ada']);
    });
  });

  test('a deleted item is gone, and deleting it again is no error', async () => {
    await same(async (store) => {
      await store.delete(['users', 'ada'], 'profile');
      await store.delete(['users', 'ada'], 'profile');
      return store.search(['users']);
    });
  });

  test('a batch reads before it writes, and the last put of an item counts', async () => {
    const at = { namespace: ['users', 'ada'], key: 'profile' };
    const operations: Operation[] = [
      { ...at, value: { n: 1 } },
      at,
      { ...at, value: { n: 2 } },
      { ...at, key: 'settings', value: null },
      { namespacePrefix: at.namespace, limit: 5, offset: 0 },
    ];
    // Not compared: an InMemoryStore hands out items that change under the reader's hands.
    const [, before, , , found] = await stores[1]!.batch(operations);
    expect(before).toMatchObject({ value: { name: 'Ada' } });
    expect(found).toHaveLength(3);
    await stores[0]!.batch(operations);
    await same((store) => store.search(['users', 'ada']));
  });
});

test.each([
  { value: { n: 1n }, message: /no JSON form/ },
  { value: [1, 2], message: /must be an object/ },
  { value: undefined, message: /no JSON form|must be an object/ },
  { value: { fine: true }, key: 'nul \0', message: /NUL/ },
])('what Postgres cannot hold is refused by name: $message', async ({ value, key = 'k', message }) => {
  const put = new Store(storage.db).put(['things'], key, value as never);
  await expect(put).rejects.toThrow(message);
  await expect(put).rejects.toThrow(/The store item "(k|nul .*)" of \["things"\]/);
});

test('batches that write the same items in other orders do not wait for each other for ever', async () => {
  const store = new Store(storage.db);
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
  const write = (order: readonly string[], n: number) =>
    store.batch(order.map((key) => ({ namespace: ['busy'], key, value: { n } })));
  await Promise.all(Array.from({ length: 8 }, (_, n) => write(n % 2 ? keys : [...keys].reverse(), n)));
  const found = await store.search(['busy'], { limit: 100 });
  expect(new Set(found.map(({ value }) => value['n'])).size).toBe(1);
});
