// A compiled graph as an object: its parts, graphs within, bound configs, batches, and its store.
import { RunnableLambda, RunnableSequence, type RunnableConfig } from '@langchain/core/runnables';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import { collect, program, saver, thread, type Trace } from './harness.js';
import type { Library } from './library.js';
import { says } from './log-state.js';

const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
    note: lg.Annotation<string>(),
  });

const both = { streamMode: ['values', 'updates'] };

const leaf = (lg: Library, name = 'leaf') =>
  new lg.StateGraph(list(lg)).addNode(name, says(name)).addEdge(lg.START, name).compile({ name });

const around = (lg: Library, inner: object, node: string) =>
  new lg.StateGraph(list(lg))
    .addNode('first', says('first'))
    .addNode(node, inner as ReturnType<typeof leaf>)
    .addEdge(lg.START, 'first')
    .addEdge('first', node)
    .compile({ name: `around ${node}` });

interface WithSubgraphs {
  getSubgraphs(namespace?: string, recurse?: boolean): Iterable<[string, { getName(): string }]>;
  getSubgraphsAsync(namespace?: string, recurse?: boolean): AsyncIterable<[string, { getName(): string }]>;
}

async function within(t: Trace, graph: WithSubgraphs): Promise<void> {
  for (const namespace of [undefined, 'mid', 'mid|low', 'mid|low|leaf', 'mid|nothing', 'nothing', 'mi', '']) {
    for (const recurse of [undefined, false, true]) {
      const found = [...graph.getSubgraphs(namespace, recurse)].map(([name, inner]) => [name, inner.getName()]);
      t.note(`within ${namespace} ${recurse}`, found);
      const later = (await collect(graph.getSubgraphsAsync(namespace, recurse))).map(([name, inner]) => [
        name,
        inner.getName(),
      ]);
      t.note('later', later);
    }
  }
}

program('graphs within graphs, by name and recursively', async (lg, t) => {
  await within(t, around(lg, around(lg, around(lg, leaf(lg), 'leaf'), 'low'), 'mid'));
  await within(t, leaf(lg));
});

program('a graph in a sequence, two in one node, and those that the author names', async (lg, t) => {
  const sequence = RunnableSequence.from([RunnableLambda.from((state: object) => state), leaf(lg, 'x') as never]);
  const graph = new lg.StateGraph(list(lg))
    .addNode('sequence', sequence as never)
    .addNode('named', says('named'), { subgraphs: [leaf(lg, 'one') as never, leaf(lg, 'two') as never] })
    .addEdge(lg.START, 'sequence')
    .addEdge('sequence', 'named')
    .compile({ checkpointer: saver() });
  t.note(
    'within',
    [...graph.getSubgraphs()].map(([name, inner]) => [name, inner.getName()]),
  );
  t.note(
    'all',
    [...graph.getSubgraphs(undefined, true)].map(([name, inner]) => [name, inner.getName()]),
  );
  await t.stream(graph, { log: [] }, { ...thread(), ...both, subgraphs: true });
});

program('names, and what a graph is made of', (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'), { metadata: { of: 'a' }, ends: ['b'] as never })
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ name: 'mine', description: 'what it does', checkpointer: saver() });
  t.note('names', [graph.getName(), graph.getName('Suffix'), leaf(lg).getName(), graph.lg_is_pregel]);
  t.note('plain name', new lg.StateGraph(list(lg)).addNode('a', says('a')).addEdge(lg.START, 'a').compile().getName());
  t.note('description', (graph as { description?: string }).description);
  t.note('nodes', Object.keys(graph.nodes));
  t.note('channels', Object.keys(graph.channels).sort());
  t.note(
    'kinds',
    Object.entries(graph.channels as Record<string, { lc_graph_name: string }>)
      .map(([name, channel]) => `${name}: ${channel.lc_graph_name}`)
      .sort(),
  );
  t.note('keys', [graph.inputChannels, graph.outputChannels, graph.streamChannels, [graph.streamMode].flat()]);
  t.note('lists', [graph.streamChannelsList, graph.streamChannelsAsIs]);
  const { a, b } = graph.nodes;
  t.note('of nodes', [a.triggers, b.triggers, a.metadata, a.ends, a.lc_graph_name]);
  t.note('builder', [Object.keys(graph.builder.nodes), [...graph.builder.edges]]);
  t.note('has', [typeof graph.checkpointer, graph.store, graph.validate() === graph]);
});

program('a node by itself', async (lg, t) => {
  const seen: unknown[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode('plain', (state, config: RunnableConfig) => {
      seen.push([state, config.tags, config.configurable?.thread_id]);
      return { log: ['plain'], unknown: 'kept' } as { log: string[] };
    })
    .addNode('inner', leaf(lg))
    .addNode('command', () => new lg.Command({ goto: 'plain', update: { log: ['c'] } }), { ends: ['plain'] as never })
    .addNode('fails', () => {
      throw new RangeError('alone');
    })
    .addEdge(lg.START, 'plain')
    .addEdge('plain', 'inner')
    .addEdge('inner', 'command')
    .addEdge(lg.START, 'fails')
    .compile();
  const nodes = graph.nodes as unknown as Record<string, { invoke(input: unknown, config?: object): Promise<unknown> }>;
  for (const name of ['plain', 'inner', 'command', 'fails', '__start__']) {
    await t.outcome(name, () => nodes[name]?.invoke({ log: ['in'] }, { tags: ['given'], ...thread() }));
  }
  t.note('seen', seen);
});

program('a bound config under the one of the call', async (lg, t) => {
  const seen = (config: Record<string, unknown>): unknown => {
    const { tags, metadata, configurable, recursionLimit } = config as {
      tags?: string[];
      metadata?: Record<string, unknown>;
      configurable?: Record<string, unknown>;
      recursionLimit?: number;
    };
    return {
      tags,
      by: metadata?.by,
      of: metadata?.of,
      a: configurable?.a,
      b: configurable?.b,
      recursionLimit,
    };
  };
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', (_state, config) => {
      t.note('config', seen(config as never));
      return {};
    })
    .addEdge(lg.START, 'a')
    .compile();
  const bound = graph.withConfig({
    tags: ['bound'],
    metadata: { by: 'bound', of: 'bound' },
    configurable: { a: 1, b: 1 },
  });
  await bound.invoke({}, { tags: ['call'], metadata: { by: 'call' }, configurable: { b: 2 } });
  await bound.withConfig({ tags: ['again'], configurable: { a: 3 }, recursionLimit: 7 }).invoke({});
  await graph.invoke({});
  await t.invoke(bound.withConfig({ recursionLimit: 1 }), { log: [] });
  await t.invoke(bound.withConfig({ recursionLimit: 1 }), { log: [] }, { recursionLimit: 10 });
  t.note('same class', bound.constructor === graph.constructor);
  t.note('name', bound.getName());
});

program('batches: all inputs, one config or one for each, and failures among them', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', ({ note }) => {
      if (note === 'bad') throw new RangeError('bad input');
      return { log: [`a ${note}`] };
    })
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  const inputs = ['1', '2', '3'].map((note) => ({ note }));
  await t.outcome('each', () =>
    graph.batch(
      inputs,
      inputs.map(({ note }) => thread(note)),
    ),
  );
  await t.outcome('bad', () => graph.batch([{ note: '1' }, { note: 'bad' }], [thread('x'), thread('y')]));
  await t.outcome('errors', async () => {
    const options = { returnExceptions: true } as never;
    return (await graph.batch([{ note: '1' }, { note: 'bad' }], [thread('x'), thread('y')], options)).map((one) =>
      (one as unknown) instanceof Error ? 'an error' : one,
    );
  });
  await t.state(graph, thread('2'));
});

program('in a sequence, and as a function of one', async (lg, t) => {
  const graph = leaf(lg);
  const first = RunnableLambda.from((text: string) => ({ log: [text] }));
  const last = RunnableLambda.from(({ log }: { log: string[] }) => log.join());
  await t.outcome('sequence', () =>
    first
      .pipe(graph as never)
      .pipe(last as never)
      .invoke('in'),
  );
  await t.outcome('stream', async () => collect(await first.pipe(graph as never).stream('in')));
});

program('output keys and input keys of a call', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => ({ log: ['a'], note: 'n' }))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  for (const outputKeys of ['note', ['note'], ['log', 'note'], [], 'nothing', ['log', 'nothing']]) {
    await t.invoke(graph, { log: [] }, { ...thread(JSON.stringify(outputKeys)), outputKeys });
    await t.stream(graph, { log: [] }, { ...thread(JSON.stringify(outputKeys)), outputKeys, ...both });
  }
});

program('isInterrupted, of the graph and of the library', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => ({ log: [String(lg.interrupt('?'))] }))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  const waiting: unknown = await graph.invoke({ log: [] }, thread());
  const done: unknown = await graph.invoke(new lg.Command({ resume: 'x' }), thread());
  for (const value of [waiting, done, null, undefined, 'text', {}, { __interrupt__: [] }, { __interrupt__: 'x' }]) {
    await t.outcome('tells', () => [graph.isInterrupted(value), lg.isInterrupted(value)]);
  }
});

/** Puts and gets by `config.store`. */
const remembering = (lg: Library, t: Trace, options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('a', async ({ note }, { store }) => {
      if (store === undefined) return { log: ['no store'] };
      const before = await store.get(['notes'], 'last');
      await store.put(['notes'], 'last', { note });
      t.note('before', before?.value);
      t.note(
        'found',
        (await store.search(['notes'])).map(({ key, value }) => ({ key, value })),
      );
      return { log: ['stored'] };
    })
    .addEdge(lg.START, 'a')
    .compile(options);

program('a store at compile, at the call, and neither', async (lg, t) => {
  const store = new InMemoryStore();
  const graph = remembering(lg, t, { store });
  await t.invoke(graph, { note: '1' });
  await t.invoke(graph, { note: '2' });
  await t.invoke(graph, { note: '3' }, { store: new InMemoryStore() });
  t.note('kept', (await store.get(['notes'], 'last'))?.value);
  await t.invoke(remembering(lg, t), { note: '4' });
  await t.invoke(remembering(lg, t), { note: '5' }, { store });
  t.note('kept', (await store.get(['notes'], 'last'))?.value);
});

program('a store reaches graphs below, those that nodes call, and routers; one below has its own', async (lg, t) => {
  const store = new InMemoryStore();
  const inner = remembering(lg, t);
  const own = remembering(lg, t, { store: new InMemoryStore() });
  const graph = new lg.StateGraph(list(lg))
    .addNode('inner', inner)
    .addNode('calls', async ({ note }) => ({ log: (await inner.invoke({ note: `${note} called` })).log }))
    .addNode('own', own)
    .addEdge(lg.START, 'inner')
    .addConditionalEdges('inner', async (_state, config) => {
      t.note('router', (await config.store?.get(['notes'], 'last'))?.value);
      return 'calls';
    })
    .addEdge('calls', 'own')
    .compile({ store, checkpointer: saver() });
  await t.invoke(graph, { note: 'n' }, thread());
  t.note('kept', (await store.get(['notes'], 'last'))?.value);
  await t.outcome('update', () => graph.updateState(thread(), { note: 'edit' }, 'inner'));
});

program('operations on the store of one turn are one batch', async (lg, t) => {
  class Counted extends InMemoryStore {
    readonly batches: number[] = [];

    override async batch(...[operations]: Parameters<InMemoryStore['batch']>): Promise<never> {
      this.batches.push(operations.length);
      return super.batch(operations) as Promise<never>;
    }
  }
  const store = new Counted();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', async (_state, config) => {
      const keys = ['x', 'y', 'z'];
      await Promise.all(keys.map(async (key) => config.store?.put(['ns'], key, { key })));
      const got = await Promise.all(keys.map(async (key) => config.store?.get(['ns'], key)));
      await config.store?.delete(['ns'], 'x');
      return { log: got.map((item) => String(item?.value.key)) };
    })
    .addEdge(lg.START, 'a')
    .compile({ store });
  await t.invoke(graph, { log: [] });
  t.note('batches', store.batches);
});
