// Graphs within graphs in a time travel, and their states by namespace.
import type { RunnableConfig } from '@langchain/core/runnables';
import { collect, program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';
import { list, says } from './log-state.js';

const both = { streamMode: ['values', 'updates'], subgraphs: true };

/** c1 → c2 → c3 */
const child = (lg: Library, c2: () => object = says('c2'), options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('c1', says('c1'))
    .addNode('c2', c2)
    .addNode('c3', says('c3'))
    .addEdge(lg.START, 'c1')
    .addEdge('c1', 'c2')
    .addEdge('c2', 'c3')
    .compile(options);

const parent = (lg: Library, inner: ReturnType<typeof child>, options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('before', says('before'))
    .addNode('child', inner)
    .addNode('between', says('between'))
    .addNode('again', inner)
    .addNode('after', says('after'))
    .addEdge(lg.START, 'before')
    .addEdge('before', 'child')
    .addEdge('child', 'between')
    .addEdge('between', 'again')
    .addEdge('again', 'after')
    .compile({ checkpointer: saver(), ...options });

interface Seen {
  readonly next: readonly string[];
  readonly config: RunnableConfig;
  readonly tasks: readonly { readonly state?: unknown }[];
}

const statesOf = async (graph: Graph, config: RunnableConfig = thread()): Promise<Seen[]> =>
  (await collect(graph.getStateHistory(config))) as Seen[];

const before = async (graph: Graph, node: string): Promise<RunnableConfig> =>
  (await statesOf(graph)).find(({ next }) => next.includes(node))?.config ?? {};

for (const checkpointer of [undefined, true, false]) {
  const kind = `checkpointer: ${String(checkpointer)}`;

  program(`a time travel over two visits of a subgraph (${kind})`, async (lg, t) => {
    const memory = saver();
    const graph = parent(lg, child(lg, undefined, { checkpointer }), { checkpointer: memory });
    await graph.invoke({ log: ['in'] }, thread());
    for (const node of ['before', 'child', 'between', 'again', 'after']) {
      t.note('from', node);
      await t.stream(graph, null, { ...(await before(graph, node)), ...both });
    }
    await t.saved(memory);
  });

  program(`a time travel to a later run of a thread (${kind})`, async (lg, t) => {
    const memory = saver();
    const graph = parent(lg, child(lg, undefined, { checkpointer }), { checkpointer: memory });
    for (const log of ['1', '2', '3']) await graph.invoke({ log: [log] }, thread());
    const states = await statesOf(graph);
    const second = states.filter(({ next }) => next.includes('child'))[1]?.config;
    await t.stream(graph, null, { ...second, ...both });
    await t.saved(memory);
  });

  program(`an interrupt of a subgraph, travelled back to (${kind})`, async (lg, t) => {
    const memory = saver();
    const ask = () => ({ log: [`c2 ${String(lg.interrupt('c2?'))}`] });
    const graph = parent(lg, child(lg, ask, { checkpointer }), { checkpointer: memory });
    await t.stream(graph, { log: ['in'] }, { ...thread(), ...both });
    await t.stream(graph, new lg.Command({ resume: 'one' }), { ...thread(), ...both });
    await t.stream(graph, new lg.Command({ resume: 'two' }), { ...thread(), ...both });
    for (const node of ['child', 'again']) {
      t.note('from', node);
      await t.stream(graph, null, { ...(await before(graph, node)), ...both });
      await t.state(graph, thread(), { subgraphs: true });
      await t.stream(graph, new lg.Command({ resume: 'replayed' }), { ...thread(), ...both });
    }
    await t.saved(memory);
  });
}

program('a loop that visits a subgraph three times, replayed from the middle', async (lg, t) => {
  for (const checkpointer of [undefined, true]) {
    const memory = saver();
    const graph = new lg.StateGraph(list(lg))
      .addNode('child', child(lg, undefined, { checkpointer }))
      .addNode('count', says('count'))
      .addEdge(lg.START, 'child')
      .addEdge('child', 'count')
      .addConditionalEdges('count', ({ log }) =>
        log.filter((entry) => entry === 'count').length < 3 ? 'child' : lg.END,
      )
      .compile({ checkpointer: memory });
    await graph.invoke({ log: ['in'] }, thread());
    const visits = (await statesOf(graph)).filter(({ next }) => next.includes('child'));
    for (const { config } of visits) await t.stream(graph, null, { ...config, ...both });
    await t.saved(memory);
  }
});

program('an edit of an old checkpoint, then a subgraph runs again', async (lg, t) => {
  for (const checkpointer of [undefined, true]) {
    const memory = saver();
    const graph = parent(lg, child(lg, undefined, { checkpointer }), { checkpointer: memory });
    await graph.invoke({ log: ['in'] }, thread());
    const edited = await graph.updateState(await before(graph, 'child'), { log: ['edited'] });
    await t.stream(graph, null, { ...edited, ...both });
    await t.saved(memory);
  }
});

program('from a checkpoint within a subgraph, by its config', async (lg, t) => {
  const memory = saver();
  const ask = () => ({ log: [`c2 ${String(lg.interrupt('c2?'))}`] });
  const graph = parent(lg, child(lg, ask), { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const inside = (await graph.getState(thread())).tasks[0]?.state as RunnableConfig;
  const states = await statesOf(graph, inside);
  t.note('states inside', states);
  for (const { config } of states) {
    t.note('from', config);
    await t.stream(graph, null, { ...config, ...both });
    await t.state(graph, thread(), { subgraphs: true });
  }
  await t.stream(graph, new lg.Command({ resume: 'on' }), { ...thread(), ...both });
  await t.saved(memory);
});

program('from a checkpoint within a subgraph, by a map of the root config', async (lg, t) => {
  const memory = saver();
  const ask = () => ({ log: [`c2 ${String(lg.interrupt('c2?'))}`] });
  const graph = parent(lg, child(lg, ask), { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const inside = (await graph.getState(thread())).tasks[0]?.state as RunnableConfig;
  const first = (await statesOf(graph, inside)).find(({ next }) => next.includes('c1'));
  const root = (await graph.getState(thread())).config;
  const map = first?.config.configurable?.checkpoint_map as unknown;
  await t.stream(graph, null, {
    configurable: { ...root.configurable, checkpoint_map: map },
    ...both,
  });
  await t.state(graph, thread(), { subgraphs: true });
  await t.stream(graph, new lg.Command({ resume: 'on' }), { ...thread(), ...both });
  await t.saved(memory);
});

program('an edit within a subgraph, and from there on', async (lg, t) => {
  const memory = saver();
  const ask = () => ({ log: [`c2 ${String(lg.interrupt('c2?'))}`] });
  const graph = parent(lg, child(lg, ask), { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const inside = (await graph.getState(thread())).tasks[0]?.state as RunnableConfig;
  const edited = await graph.updateState(inside, { log: ['by hand'] }, 'c2');
  t.note('edited', edited);
  await t.state(graph, edited);
  await t.stream(graph, null, { ...edited, ...both });
  await t.history(graph, inside);
  await t.saved(memory);
});

program('the state of a graph within a graph within a graph', async (lg, t) => {
  for (const checkpointer of [undefined, true]) {
    const memory = saver();
    const ask = () => ({ log: [`c2 ${String(lg.interrupt('c2?'))}`] });
    const middle = new lg.StateGraph(list(lg))
      .addNode('m', says('m'))
      .addNode('inner', child(lg, ask, { checkpointer }))
      .addEdge(lg.START, 'm')
      .addEdge('m', 'inner')
      .compile({ checkpointer });
    const graph = new lg.StateGraph(list(lg))
      .addNode('middle', middle)
      .addEdge(lg.START, 'middle')
      .compile({ checkpointer: memory });
    await t.stream(graph, { log: [] }, { ...thread(), ...both });
    await t.state(graph, thread());
    await t.state(graph, thread(), { subgraphs: true });
    const outer = (await graph.getState(thread())).tasks[0]?.state as RunnableConfig;
    await t.state(graph, outer);
    await t.state(graph, outer, { subgraphs: true });
    await t.history(graph, outer);
    const inner = ((await graph.getState(outer)).tasks[0]?.state ?? {}) as RunnableConfig;
    await t.state(graph, inner);
    await t.history(graph, inner);
    await t.outcome('edit', () => graph.updateState(inner, { log: ['edit'] }, 'c1'));
    await t.stream(graph, new lg.Command({ resume: 'on' }), { ...thread(), ...both });
    await t.state(graph, thread(), { subgraphs: true });
    await t.history(graph, inner);
    await t.saved(memory);
  }
});

program('the state of a graph that a node calls is read from its rows', async (lg, t) => {
  const inner = child(lg, () => ({ log: [`c2 ${String(lg.interrupt('c2?'))}`] }));
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => ({ log: (await inner.invoke({ log: ['x'] })).log }))
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const task = (await graph.getState(thread())).tasks[0];
  const inside = thread('thread-1', { checkpoint_ns: `calls:${task?.id}` });
  await t.state(graph, inside);
  await t.history(graph, inside);
  await t.outcome('edit', () => graph.updateState(inside, { log: ['edit'] }, 'c1'));
  await t.outcome('edit as a node of the root', () => graph.updateState(inside, { log: ['edit'] }, 'calls'));
  await t.state(graph, thread('thread-1', { checkpoint_ns: 'nowhere:1' }));
  await t.history(graph, thread('thread-1', { checkpoint_ns: 'nowhere:1' }));
  await t.outcome('edit nowhere', () => graph.updateState(thread('thread-1', { checkpoint_ns: 'no:1' }), {}, 'calls'));
});

program('a graph that keeps its state: three runs, an interrupt, an edit and its history', async (lg, t) => {
  const memory = saver();
  let asks = false;
  const inner = child(lg, () => ({ log: [asks ? `c2 ${String(lg.interrupt('c2?'))}` : 'c2'] }), { checkpointer: true });
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', inner)
    .addNode('after', says('after'))
    .addEdge(lg.START, 'child')
    .addEdge('child', 'after')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: ['1'] }, { ...thread(), ...both });
  asks = true;
  await t.stream(graph, { log: ['2'] }, { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
  await t.state(graph, thread('thread-1', { checkpoint_ns: 'child' }));
  await t.outcome('edit', () =>
    graph.updateState(thread('thread-1', { checkpoint_ns: 'child' }), { log: ['edit'] }, 'c1'),
  );
  await t.state(graph, thread('thread-1', { checkpoint_ns: 'child' }));
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...both });
  await t.stream(graph, { log: ['3'] }, { ...thread(), ...both });
  await t.history(graph, thread('thread-1', { checkpoint_ns: 'child' }));
  await t.saved(memory);
});

program('several graphs that keep their state, called in one task, over runs', async (lg, t) => {
  const memory = saver();
  const one = child(lg, undefined, { checkpointer: true });
  const two = child(lg, says('other'), { checkpointer: true });
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async (_state, config) => {
      const first = await one.invoke({ log: ['1'] }, config);
      const second = await two.invoke({ log: ['2'] }, config);
      const third = await one.invoke({ log: ['3'] });
      return { log: [first, second, third].map(({ log }) => log.join('+')) };
    })
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.stream(graph, null, { ...(await before(graph, 'calls')), ...both });
  await t.saved(memory);
});

program('several graphs called in one task, each with a question', async (lg, t) => {
  const memory = saver();
  const inner = child(lg, () => ({ log: [`c2 ${String(lg.interrupt('c2?'))}`] }));
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => {
      const first = await inner.invoke({ log: ['1'] });
      const own = String(lg.interrupt('own?'));
      const second = await inner.invoke({ log: ['2'] });
      return { log: [...first.log, own, ...second.log] };
    })
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  for (const resume of ['first', 'own', 'second']) {
    await t.stream(graph, new lg.Command({ resume }), { ...thread(), ...both });
    await t.state(graph, thread(), { subgraphs: true });
  }
  await t.saved(memory);
});

program('a subgraph asked for its state, and edited, from within a node', async (lg, t) => {
  const inner = child(lg, undefined, { checkpointer: true });
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', inner)
    .addNode('looks', async (_state, config) => {
      const at = { configurable: { ...config.configurable, checkpoint_ns: 'child' } };
      t.note('values', ((await inner.getState(at)) as { values: unknown }).values);
      t.note('history', (await collect(inner.getStateHistory(at))).length);
      await t.outcome(
        'edit',
        async () => (await inner.updateState(at, { log: ['edit'] }, 'c3')).configurable?.checkpoint_ns as string,
      );
      return { log: ['looked'] };
    })
    .addEdge(lg.START, 'child')
    .addEdge('child', 'looks')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread('thread-1', { checkpoint_ns: 'child' }));
});

program('parallel subgraphs that ask, with their states', async (lg, t) => {
  const memory = saver();
  const inner = (name: string) => child(lg, () => ({ log: [`${name} ${String(lg.interrupt(`${name}?`))}`] }));
  const graph = new lg.StateGraph(list(lg))
    .addNode('left', inner('left'))
    .addNode('right', inner('right'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'left')
    .addEdge(lg.START, 'right')
    .addEdge(['left', 'right'], 'join')
    .compile({ checkpointer: memory });
  const asked = (await graph.invoke({ log: [] }, thread())) as unknown as {
    __interrupt__: { id: string; value: string }[];
  };
  await t.state(graph, thread(), { subgraphs: true });
  const right = asked.__interrupt__.find(({ value }) => value === 'right?');
  await t.invoke(graph, new lg.Command({ resume: { [right?.id ?? '']: 'R' } }), thread());
  await t.state(graph, thread(), { subgraphs: true });
  await t.invoke(graph, new lg.Command({ resume: 'L' }), thread());
  await t.state(graph, thread(), { subgraphs: true });
  await t.saved(memory);
});
