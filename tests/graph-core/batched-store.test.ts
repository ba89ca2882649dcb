import { expect, test } from '@jest/globals';
import {
  AsyncBatchedStore,
  InMemoryStore,
  type Operation,
  type OperationResults,
} from '@langchain/langgraph-checkpoint';
import { batchedStore } from '../../graph-core/batched-store.js';

class Counted extends InMemoryStore {
  readonly batches: number[] = [];

  override async batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    this.batches.push(operations.length);
    if (operations.some((operation) => 'key' in operation && operation.key === 'bad')) throw new Error('bad key');
    return super.batch(operations);
  }
}

test('calls of one turn are one batch, each with its own result', async () => {
  const behind = new Counted();
  const store = batchedStore(behind);
  await Promise.all([store.put(['ns'], 'a', { a: 1 }), store.put(['ns'], 'b', { b: 2 })]);
  const [a, none, found] = await Promise.all([store.get(['ns'], 'a'), store.get(['ns'], 'c'), store.search(['ns'])]);
  expect(a?.value).toEqual({ a: 1 });
  expect(none).toBeNull();
  expect(found).toHaveLength(2);
  expect(behind.batches).toEqual([2, 3]);
});

test('a batch and a listing go through', async () => {
  const store = batchedStore(new Counted());
  await store.put(['ns'], 'a', { a: 1 });
  expect(await store.listNamespaces()).toEqual([['ns']]);
  const both = await store.batch([
    { namespace: ['ns'], key: 'a' },
    { namespace: ['ns'], key: 'b' },
  ]);
  expect(both).toMatchObject([{ value: { a: 1 } }, null]);
  expect(await store.batch([])).toEqual([]);
});

test('a batch that fails fails its calls, and no later one', async () => {
  const store = batchedStore(new Counted());
  const settled = await Promise.allSettled([store.get(['ns'], 'a'), store.get(['ns'], 'bad')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await store.get(['ns'], 'a')).toBeNull();
});

test('a store that batches is not wrapped again, and a stopped one of LangGraph works', async () => {
  const behind = new InMemoryStore();
  const store = batchedStore(behind);
  expect(batchedStore(store)).toBe(store);
  await batchedStore(new AsyncBatchedStore(behind)).put(['ns'], 'a', { a: 1 });
  expect((await behind.get(['ns'], 'a'))?.value).toEqual({ a: 1 });
});
