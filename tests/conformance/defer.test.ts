// Deferred nodes: they wait until the run would otherwise be done.
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';
import { list, says } from './log-state.js';

const all = { streamMode: ['values', 'updates', 'tasks', 'checkpoints'] };

/** a → b1 → join, a → c1 → c2 → join, of unequal length. */
const unequal = (lg: Library) =>
  new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b1', says('b1'))
    .addNode('c1', says('c1'))
    .addNode('c2', says('c2'))
    .addNode('join', says('join'), { defer: true })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b1')
    .addEdge('a', 'c1')
    .addEdge('c1', 'c2')
    .addEdge('b1', 'join')
    .addEdge('c2', 'join');

program('a deferred node runs once, after the longest path', async (lg, t) => {
  const memory = saver();
  const graph = unequal(lg).compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.saved(memory);
  await t.history(graph, thread());
});

program('a deferred node without memory', async (lg, t) => {
  await t.invoke(unequal(lg).compile(), { log: [] });
});

program('a deferred node at the end of a barrier edge', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('long1', says('long1'))
    .addNode('long2', says('long2'))
    .addNode('join', says('join'), { defer: true })
    .addNode('after', says('after'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(lg.START, 'long1')
    .addEdge('long1', 'long2')
    .addEdge(['a', 'b'], 'join')
    .addEdge('join', 'after')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.saved(memory);
});

program('deferred nodes one after the other', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('d1', says('d1'), { defer: true })
    .addNode('d2', says('d2'), { defer: true })
    .addNode('last', says('last'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'd1')
    .addEdge('a', 'd2')
    .addEdge('d1', 'd2')
    .addEdge('d2', 'last')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
});

program('a deferred node in a loop runs in each round', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('join', says('join'), { defer: true })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('a', 'join')
    .addEdge('b', 'join')
    .addConditionalEdges('join', ({ log }) => (log.filter((entry) => entry === 'join').length < 3 ? 'a' : lg.END))
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
});

program('a deferred node after Sends', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('plan', says('plan'))
    .addNode('work', ({ log }) => ({ log: [`work ${log.join()}`] }))
    .addNode('more', says('more'))
    .addNode('join', says('join'), { defer: true })
    .addEdge(lg.START, 'plan')
    .addConditionalEdges('plan', () => ['1', '2'].map((part) => new lg.Send('work', { log: [part] })))
    .addEdge('work', 'more')
    .addEdge('more', 'join')
    .addEdge('plan', 'join')
    .compile({ checkpointer: memory });
  // Which of the last tasks ends first is a matter of ticks.
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'checkpoints'] });
  await t.saved(memory);
});

program('a deferred node that is sent to, runs at once', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('plan', says('plan'))
    .addNode('slow', says('slow'))
    .addNode('join', ({ log }) => ({ log: [`join of ${log.join()}`] }), { defer: true })
    .addEdge(lg.START, 'plan')
    .addEdge('plan', 'slow')
    .addConditionalEdges('plan', () => [new lg.Send('join', { log: ['sent'] })])
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
});

program('a deferred node behind a conditional edge, or a Command', async (lg, t) => {
  const builder = () =>
    new lg.StateGraph(list(lg))
      .addNode('a', says('a'))
      .addNode('b', says('b'))
      .addNode('goes', () => new lg.Command({ update: { log: ['goes'] }, goto: 'join' }), { ends: ['join'] })
      .addNode('join', says('join'), { defer: true })
      .addEdge(lg.START, 'a')
      .addEdge('a', 'b')
      .addEdge('a', 'goes')
      .addConditionalEdges('b', () => 'join', ['join']);
  await t.stream(builder().compile({ checkpointer: saver() }), { log: [] }, { ...thread(), ...all });
});

program('breakpoints and questions around a deferred node', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('asks', () => ({ log: [String(lg.interrupt('?'))] }))
    .addNode('join', says('join'), { defer: true })
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'asks')
    .addEdge('a', 'join')
    .addEdge('asks', 'join')
    .compile({ checkpointer: memory, interruptBefore: ['join'] });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'answer' }), { ...thread(), ...all });
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...all });
  await t.saved(memory);
});

program('an update of the state as a node before a deferred one', async (lg, t) => {
  const graph = unequal(lg).compile({ checkpointer: saver(), interruptBefore: ['c2'] });
  await t.invoke(graph, { log: [] }, thread());
  await t.outcome('update', () => graph.updateState(thread(), { log: ['edited'] }, 'c2'));
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...all });
});
