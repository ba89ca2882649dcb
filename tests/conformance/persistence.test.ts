// Threads: state, history, updateState, time travel, durability.
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';
import { says } from './log-state.js';

const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
    note: lg.Annotation<string>(),
  });

const both = { streamMode: ['values', 'updates'] };

const chain = (lg: Library, checkpointer?: ReturnType<typeof saver> | boolean) =>
  new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addConditionalEdges('b', ({ note }) => (note === 'stop' ? lg.END : 'c'))
    .compile({ checkpointer });

program('a thread that does not exist', async (lg, t) => {
  const graph = chain(lg, saver());
  await t.state(graph, thread('unknown'));
  await t.history(graph, thread('unknown'));
});

program('calls that need a checkpointer, or a thread', async (lg, t) => {
  await t.state(chain(lg), thread());
  await t.history(chain(lg), thread());
  await t.outcome('updateState', () => chain(lg).updateState(thread(), {}));
  const graph = chain(lg, saver());
  await t.invoke(graph, { log: [] });
  await t.invoke(graph, { log: [] }, { configurable: {} });
  await t.state(graph, {});
  await t.state(graph, { configurable: {} });
  await t.invoke(chain(lg, false), { log: [] });
  await t.invoke(chain(lg, true), { log: [] }, thread());
});

program('history with limit, before and filter', async (lg, t) => {
  const graph = chain(lg, saver());
  await t.invoke(graph, { log: ['one'] }, thread());
  await t.invoke(graph, { log: ['two'], note: 'stop' }, thread());
  await t.history(graph, thread(), { limit: 2 });
  const states = [];
  for await (const state of graph.getStateHistory(thread())) states.push(state);
  await t.history(graph, thread(), { before: states[2]?.config });
  await t.history(graph, thread(), { filter: { source: 'input' } });
  await t.state(graph, states[3]?.config ?? {});
});

program('two threads do not mix', async (lg, t) => {
  const graph = chain(lg, saver());
  await t.invoke(graph, { log: ['one'] }, thread('1'));
  await t.invoke(graph, { log: ['two'] }, thread('2'));
  await t.state(graph, thread('1'));
  await t.state(graph, thread('2'));
});

program('updateState as a node, and as whoever ran last', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, memory);
  await t.invoke(graph, { log: ['in'] }, thread());
  await t.outcome('as a', () => graph.updateState(thread(), { log: ['as a'] }, 'a'));
  await t.state(graph, thread());
  await t.outcome('as the last', () => graph.updateState(thread(), { log: ['as the last'] }));
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...both });
  await t.saved(memory);
});

program('updateState runs the branches of its node', async (lg, t) => {
  const graph = chain(lg, saver());
  await t.outcome('go on', () => graph.updateState(thread('on'), { note: 'on' }, 'b'));
  await t.state(graph, thread('on'));
  await t.outcome('stop', () => graph.updateState(thread('stop'), { note: 'stop' }, 'b'));
  await t.state(graph, thread('stop'));
});

program('updates that cannot be', async (lg, t) => {
  const graph = chain(lg, saver());
  await t.outcome('unknown node', () => graph.updateState(thread(), { log: [] }, 'nope'));
  await t.outcome('nobody ran', () => graph.updateState(thread(), { log: ['x'] }));
  await t.state(graph, thread());
  const two = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .compile({ checkpointer: saver() });
  await t.invoke(two, { log: [] }, thread());
  await t.outcome('ambiguous', () => two.updateState(thread(), { log: ['x'] }));
  await t.outcome('bad value', () => two.updateState(thread(), 'text', 'a'));
  await t.state(two, thread());
});

program('updateState of a one-node graph', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  await t.outcome('update', () => graph.updateState(thread(), { log: ['x'] }));
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...both });
});

program('special writers: END, __copy__, __input__, and nothing at all', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: memory, interruptBefore: ['b'] });
  for (const [values, node] of [
    [null, lg.END],
    [null, '__copy__'],
    [{ log: ['input'] }, '__input__'],
    [null, undefined],
  ] as const) {
    const config = thread(String(node));
    t.note('as', node);
    await graph.invoke({ log: ['in'] }, config);
    await t.outcome('update', () => graph.updateState(config, values, node));
    await t.state(graph, config);
    await t.history(graph, config);
    await t.stream(graph, null, { ...config, ...both });
    await t.saved(memory, config);
  }
});

program('updateState while a task waits', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('ask', () => ({ log: [String(lg.interrupt('?'))] }))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'ask')
    .addEdge('ask', 'b')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
  await t.outcome('in place of the node', () => graph.updateState(thread(), { log: ['answered by hand'] }, 'ask'));
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...both });
  await t.saved(memory);
});

program('time travel: run again from an old checkpoint', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, memory);
  await t.invoke(graph, { log: ['in'] }, thread());
  const states = [];
  for await (const state of graph.getStateHistory(thread())) states.push(state);
  const beforeB = states.find((state) => state.next[0] === 'b');
  await t.stream(graph, null, { ...beforeB?.config, streamMode: ['values', 'updates', 'checkpoints'] });
  await t.saved(memory);
  await t.history(graph, thread());
});

program('time travel: edit an old checkpoint and go on from there', async (lg, t) => {
  const graph = chain(lg, saver());
  await t.invoke(graph, { log: ['in'] }, thread());
  const states = [];
  for await (const state of graph.getStateHistory(thread())) states.push(state);
  const beforeB = states.find((state) => state.next[0] === 'b');
  const edited = await graph.updateState(beforeB?.config ?? {}, { note: 'stop' });
  await t.state(graph, edited);
  await t.stream(graph, null, { ...edited, ...both });
  await t.state(graph, thread());
});

program('time travel: from the head, and with new input', async (lg, t) => {
  const graph = chain(lg, saver());
  await t.invoke(graph, { log: ['in'] }, thread());
  const { config } = await graph.getState(thread());
  await t.stream(graph, null, { ...config, ...both });
  const states = [];
  for await (const state of graph.getStateHistory(thread())) states.push(state);
  await t.stream(graph, { log: ['fresh'] }, { ...states[2]?.config, ...both });
  await t.history(graph, thread());
});

program('time travel to before an interrupt asks again', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('ask', () => ({ log: [String(lg.interrupt('?'))] }))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'ask')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
  await t.invoke(graph, new lg.Command({ resume: 'first' }), thread());
  const states = [];
  for await (const state of graph.getStateHistory(thread())) states.push(state);
  const asking = states.find((state) => state.next[0] === 'ask');
  await t.stream(graph, null, { ...asking?.config, ...both });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'second' }), { ...thread(), ...both });
  await t.saved(memory);
});

program('durability in its three forms', async (lg, t) => {
  for (const durability of ['sync', 'async', 'exit'] as const) {
    const memory = saver();
    const graph = chain(lg, memory);
    t.note('durability', durability);
    // Of what is saved at the end only, LangGraph's chunks have no id yet; ours have.
    const streamMode = durability === 'exit' ? ['values', 'updates'] : ['values', 'updates', 'checkpoints'];
    await t.stream(graph, { log: ['in'] }, { ...thread(), durability, streamMode });
    await t.saved(memory);
    await t.history(graph, thread());
  }
});

program('exit durability with an interrupt and with a failure', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('ask', () => ({ log: [String(lg.interrupt('?'))] }))
    .addNode('fails', () => {
      throw new Error('no');
    })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'ask')
    .addEdge('ask', 'fails')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, { ...thread(), durability: 'exit' });
  await t.saved(memory);
  await t.invoke(graph, new lg.Command({ resume: 'x' }), { ...thread(), durability: 'exit' });
  await t.saved(memory);
  await t.state(graph, thread());
});

program('checkpointDuring is the older name', async (lg, t) => {
  for (const config of [
    { checkpointDuring: true },
    { checkpointDuring: false },
    { checkpointDuring: true, durability: 'exit' },
  ]) {
    const memory = saver();
    await t.invoke(chain(lg, memory), { log: [] }, { ...thread(), ...config });
    await t.saved(memory);
  }
});
