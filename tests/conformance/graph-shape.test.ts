// Edges, barriers, conditional edges, sequences: which nodes run, and in what order their writes count.
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';
import { says } from './log-state.js';

const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({
      reducer: (log, entry) => log.concat(entry),
      default: () => [],
    }),
    note: lg.Annotation<string>(),
  });

program('a single node streams in every mode', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addEdge(lg.START, 'a')
    .addEdge('a', lg.END)
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: ['in'], note: 'x' });
});

program('a chain keeps its checkpoints and history', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', 'c')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: 'in' }, thread());
  await t.saved(memory);
  await t.state(graph, thread());
  await t.history(graph, thread());
  await t.invoke(graph, { log: 'again' }, thread());
  await t.saved(memory);
});

program('a diamond applies the writes of one superstep by node name', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('first', says('first'))
    .addNode('z', says('z'))
    .addNode('a', says('a'))
    .addNode('last', says('last'))
    .addEdge(lg.START, 'first')
    .addEdge('first', 'z')
    .addEdge('first', 'a')
    .addEdge('z', 'last')
    .addEdge('a', 'last')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: [] });
});

program('a barrier waits for a longer path', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('short', says('short'))
    .addNode('long', says('long'))
    .addNode('longer', says('longer'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'short')
    .addEdge(lg.START, 'long')
    .addEdge('long', 'longer')
    .addEdge(['short', 'longer'], 'join')
    .compile({ checkpointer: memory });
  await t.everyMode(graph, { log: [] });
  await t.invoke(graph, { log: [] }, thread());
  await t.saved(memory);
});

program('a barrier fires again in each round of a loop', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('fan', says('fan'))
    .addNode('left', says('left'))
    .addNode('right', says('right'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'fan')
    .addEdge('fan', 'left')
    .addEdge('fan', 'right')
    .addEdge(['left', 'right'], 'join')
    .addConditionalEdges('join', ({ log }) => (log.filter((entry) => entry === 'join').length < 3 ? 'fan' : lg.END))
    .compile();
  await t.stream(graph, { log: [] }, { streamMode: ['values', 'updates'] });
});

program('a conditional edge sees its own update but not the siblings', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('seen', (state) => ({ note: state.log.join(',') }))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addConditionalEdges('a', (state) => {
      t.note('router of a saw', [...state.log]);
      return 'seen';
    })
    .addConditionalEdges('b', (state) => {
      t.note('router of b saw', [...state.log]);
      return lg.END;
    })
    .compile();
  await t.stream(graph, { log: ['in'] }, { streamMode: 'values' });
});

program('a conditional edge from START reads the input', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('yes', says('yes'))
    .addNode('no', says('no'))
    .addConditionalEdges(lg.START, ({ note }) => note, { y: 'yes', n: 'no', stop: lg.END })
    .compile({ checkpointer: saver() });
  for (const note of ['y', 'n', 'stop', 'unknown']) await t.invoke(graph, { log: [], note }, thread(note));
});

program('a router may answer several nodes, or a list', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('start', says('start'))
    .addNode('b', says('b'))
    .addNode('a', says('a'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'start')
    .addConditionalEdges('start', () => ['c', 'b'], ['a', 'b', 'c'])
    .compile();
  await t.stream(graph, { log: [] }, { streamMode: ['updates', 'values'] });
});

program('an async router and an object form of addConditionalEdges', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addConditionalEdges({
      source: 'a',
      path: async (state: { log: string[] }) => (state.log.length > 1 ? 'go' : 'stop'),
      pathMap: { go: 'b', stop: lg.END },
    })
    .compile();
  await t.invoke(graph, { log: ['x'] });
  await t.invoke(graph, { log: [] });
});

program('a router that leads nowhere is an error', async (lg, t) => {
  for (const answer of [undefined, null, '', ['a', undefined], new lg.Send(lg.END, {})]) {
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', says('a'))
      .addEdge(lg.START, 'a')
      .addConditionalEdges('a', (() => answer) as never)
      .compile();
    await t.invoke(graph, { log: [] });
  }
});

program('a label that the map does not hold is an error', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => 'nope', { yes: lg.END })
    .compile();
  await t.invoke(graph, { log: [] });
});

program('a loop by conditional edge stops at the recursion limit', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('again', says('again'))
    .addEdge(lg.START, 'again')
    .addConditionalEdges('again', () => 'again', ['again', lg.END])
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), recursionLimit: 4, streamMode: ['updates', 'values'] });
  await t.saved(memory);
  await t.state(graph, thread());
});

program('the recursion limit counts START and is checked before planning', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile();
  for (const recursionLimit of [0, 1, 2, 3, 4]) await t.invoke(graph, { log: [] }, { recursionLimit });
});

program('addSequence takes a list or a record', async (lg, t) => {
  const asList = new lg.StateGraph(list(lg))
    .addSequence([
      ['a', says('a')],
      ['b', says('b'), { metadata: { of: 'b' } }],
    ])
    .addEdge(lg.START, 'a')
    .compile();
  const asRecord = new lg.StateGraph(list(lg))
    .addSequence({ one: says('one'), two: says('two') })
    .addEdge(lg.START, 'one')
    .compile();
  await t.stream(asList, { log: [] }, { streamMode: ['updates', 'tasks'] });
  await t.stream(asRecord, { log: [] }, { streamMode: 'updates' });
});

program('addNode takes a record or a list of several', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode({ a: says('a'), b: says('b') })
    .addNode([
      ['c', says('c')],
      ['d', says('d'), { metadata: { of: 'd' } }],
    ])
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', 'c')
    .addEdge('c', 'd')
    .compile();
  await t.stream(graph, { log: [] }, { streamMode: ['updates', 'tasks'] });
});

program('setEntryPoint and setFinishPoint', async (lg, t) => {
  const builder = new lg.StateGraph(list(lg)).addNode('a', says('a'));
  builder.setEntryPoint('a');
  builder.setFinishPoint('a');
  await t.invoke(builder.compile(), { log: [] });
});

program('cycles by plain edges with an exit', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', ({ log }) => (log.length > 4 ? lg.END : 'b'))
    .addEdge('b', 'a')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: [] });
});
