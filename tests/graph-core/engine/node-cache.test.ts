import { expect, test } from '@jest/globals';
import { Annotation, InMemoryCache, START, StateGraph } from '../../../graph-core/index.js';

const State = Annotation.Root({
  log: Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
});

const counted = (runs: string[], keyFunc?: (args: unknown[]) => string) =>
  new StateGraph(State)
    .addNode('node', () => ({ log: [`run ${runs.push('node')}`] }), { cachePolicy: { keyFunc } })
    .addEdge(START, 'node');

test('a cache given with the call stands over the one that the graph has', async () => {
  const runs: string[] = [];
  const graph = counted(runs).compile({ cache: new InMemoryCache() });
  const cache = new InMemoryCache();
  await graph.invoke({ log: [] }, { cache });
  await graph.invoke({ log: [] }, { cache });
  expect(runs).toHaveLength(1);
  await graph.invoke({ log: [] });
  expect(runs).toHaveLength(2);
});

test('a result that cannot be kept is no failure of the run', async () => {
  class FullCache extends InMemoryCache {
    override set(): Promise<void> {
      return Promise.reject(new Error('The disk is full.'));
    }
  }
  const runs: string[] = [];
  const graph = counted(runs).compile({ cache: new FullCache() });
  expect(await graph.invoke({ log: [] })).toEqual({ log: ['run 1'] });
});

test('a keyFunc that throws fails the run', async () => {
  const graph = counted([], () => {
    throw new Error('no key');
  }).compile({ cache: new InMemoryCache() });
  await expect(graph.invoke({ log: [] })).rejects.toThrow('no key');
});
