// Cached results of nodes: keys, what is replayed, what is not kept.
import { BaseCache, InMemoryCache, type CacheFullKey, type CacheNamespace } from '@langchain/langgraph-checkpoint';
import { program, saver, thread, type Trace } from './harness.js';
import { list } from './log-state.js';

const all = { streamMode: ['values', 'updates', 'tasks', 'checkpoints'] };

/** Notes what is asked of it. */
class NotedCache extends BaseCache {
  readonly #inner = new InMemoryCache();

  constructor(private readonly trace: Trace) {
    super();
  }

  async get(keys: CacheFullKey[]): ReturnType<BaseCache['get']> {
    this.trace.note('get', keys);
    return this.#inner.get(keys);
  }

  async set(pairs: Parameters<BaseCache['set']>[0]): Promise<void> {
    this.trace.note('set', pairs);
    await this.#inner.set(pairs);
  }

  async clear(namespaces: CacheNamespace[]): Promise<void> {
    this.trace.note('clear', namespaces);
    await this.#inner.clear(namespaces);
  }
}

const counting = (runs: string[], name: string) => () => {
  runs.push(name);
  return { log: [name] };
};

program('the same input: the second run replays the writes', async (lg, t) => {
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode('cached', counting(runs, 'cached'), { cachePolicy: true })
    .addNode('plain', counting(runs, 'plain'))
    .addEdge(lg.START, 'cached')
    .addEdge('cached', 'plain')
    .compile({ checkpointer: saver(), cache: new InMemoryCache() });
  for (const id of ['1', '2']) await t.stream(graph, { log: ['in'] }, { ...thread(id), ...all });
  await t.stream(graph, { log: ['other'] }, { ...thread('3'), ...all });
  t.note('runs', runs);
});

program('what the cache is asked', async (lg, t) => {
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', counting(runs, 'a'), { cachePolicy: { ttl: 60 } })
    .addNode('b', counting(runs, 'b'), { cachePolicy: true })
    .addNode('plain', counting(runs, 'plain'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(lg.START, 'plain')
    .compile({ cache: new NotedCache(t) });
  await t.invoke(graph, { log: ['in'] });
  await t.invoke(graph, { log: ['in'] });
  await t.outcome('clear', () => graph.clearCache());
  await t.invoke(graph, { log: ['in'] });
  t.note('runs', runs);
});

program('a keyFunc decides which inputs are alike', async (lg, t) => {
  const runs: string[] = [];
  const keyFunc = (args: unknown[]): string => {
    t.note('keyFunc', args);
    return String((args[0] as { log: string[] }).log.length);
  };
  const graph = new lg.StateGraph(list(lg))
    .addNode('cached', counting(runs, 'cached'), { cachePolicy: { keyFunc } })
    .addEdge(lg.START, 'cached')
    .compile({ cache: new InMemoryCache() });
  for (const log of [['x'], ['y'], ['x', 'y']]) await t.invoke(graph, { log });
  t.note('runs', runs);
});

program('without a cache, or with `false`, the policy does nothing', async (lg, t) => {
  const runs: string[] = [];
  const builder = (cachePolicy: boolean) =>
    new lg.StateGraph(list(lg)).addNode('node', counting(runs, 'node'), { cachePolicy }).addEdge(lg.START, 'node');
  for (const graph of [builder(true).compile(), builder(false).compile({ cache: new InMemoryCache() })]) {
    await t.stream(graph, { log: [] }, all);
    await t.stream(graph, { log: [] }, all);
    await t.outcome('clear', () => graph.clearCache());
  }
  t.note('runs', runs);
});

program('where the node leads is replayed too: edges, Commands, Sends', async (lg, t) => {
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'goes',
      () => {
        runs.push('goes');
        return new lg.Command({ update: { log: ['goes'] }, goto: [new lg.Send('work', { log: ['sent'] }), 'next'] });
      },
      { cachePolicy: true, ends: ['next', 'work'] },
    )
    .addNode('next', counting(runs, 'next'))
    .addNode('work', ({ log }) => ({ log: [`work ${log.join()}`] }))
    .addEdge(lg.START, 'goes')
    .compile({ checkpointer: saver(), cache: new InMemoryCache() });
  for (const id of ['1', '2'])
    await t.stream(graph, { log: [] }, { ...thread(id), streamMode: ['values', 'checkpoints'] });
  t.note('runs', runs);
});

program('Sends are cached by their arguments', async (lg, t) => {
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode('plan', () => ({}))
    .addNode(
      'work',
      ({ log }) => {
        runs.push(log.join());
        return { log: [`work ${log.join()}`] };
      },
      { cachePolicy: true },
    )
    .addEdge(lg.START, 'plan')
    .addConditionalEdges('plan', ({ log }) => log.map((part) => new lg.Send('work', { log: [part] })))
    .compile({ cache: new NotedCache(t) });
  await t.invoke(graph, { log: ['1', '2'] });
  await t.invoke(graph, { log: ['2', '3'] });
  t.note('runs', runs.toSorted());
});

program('failures and questions are not kept', async (lg, t) => {
  const runs: string[] = [];
  let broken = true;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'flaky',
      () => {
        runs.push('flaky');
        if (broken) throw new Error('this time');
        return { log: ['flaky'] };
      },
      { cachePolicy: true },
    )
    .addNode(
      'asks',
      () => {
        runs.push('asks');
        return { log: [String(lg.interrupt('?'))] };
      },
      { cachePolicy: true },
    )
    .addEdge(lg.START, 'flaky')
    .addEdge('flaky', 'asks')
    .compile({ checkpointer: saver(), cache: new NotedCache(t) });
  await t.invoke(graph, { log: [] }, thread());
  broken = false;
  await t.invoke(graph, { log: [] }, thread('2'));
  await t.invoke(graph, new lg.Command({ resume: 'answer' }), thread('2'));
  await t.invoke(graph, { log: [] }, thread('3'));
  t.note('runs', runs);
});

program('a failed node with a handler is not kept', async (lg, t) => {
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'fails',
      () => {
        runs.push('fails');
        throw new Error('broken');
      },
      { cachePolicy: true, errorHandler: () => ({ log: ['handled'] }) },
    )
    .addEdge(lg.START, 'fails')
    .compile({ cache: new NotedCache(t) });
  await t.invoke(graph, { log: [] });
  await t.invoke(graph, { log: [] });
  t.note('runs', runs);
});

program('all tasks of a superstep cached, and some of them', async (lg, t) => {
  const runs: string[] = [];
  const cache = new InMemoryCache();
  const graph = (second: boolean) =>
    new lg.StateGraph(list(lg))
      .addNode('a', counting(runs, 'a'), { cachePolicy: true })
      .addNode('b', counting(runs, 'b'), { cachePolicy: second })
      .addNode('after', counting(runs, 'after'))
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .addEdge(['a', 'b'], 'after')
      .compile({ checkpointer: saver(), cache });
  await t.invoke(graph(true), { log: [] }, thread());
  await t.stream(graph(true), { log: [] }, { ...thread(), ...all });
  await t.stream(graph(false), { log: [] }, { ...thread(), ...all });
  t.note('runs', runs);
});

program('graphs in nodes: by their own cache', async (lg, t) => {
  const runs: string[] = [];
  const child = (cache: BaseCache | undefined) =>
    new lg.StateGraph(list(lg))
      .addNode('inner', counting(runs, 'inner'), { cachePolicy: true })
      .addEdge(lg.START, 'inner')
      .compile({ cache });
  for (const own of [undefined, new InMemoryCache()]) {
    const graph = new lg.StateGraph(list(lg))
      .addNode('child', child(own))
      .addEdge(lg.START, 'child')
      .compile({ checkpointer: saver(), cache: new InMemoryCache() });
    for (const id of ['1', '2']) await t.invoke(graph, { log: [] }, thread(id));
    t.note('runs', runs);
  }
});
