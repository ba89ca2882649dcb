// Runs that are asked to stop between supersteps, and go on from there.
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';
import { list, says } from './log-state.js';

const all = { streamMode: ['values', 'updates', 'tasks', 'checkpoints'] };

type Config = { control?: { requestDrain(reason?: string): void; readonly drainRequested: boolean } };
const drains = (reason?: string) => (_state: unknown, config: Config) => {
  config.control?.requestDrain(reason);
  return { log: ['drains'] };
};

const chain = (lg: Library) =>
  new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('drains', drains('from a node'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'drains')
    .addEdge('drains', 'b');

program('a RunControl by itself', (lg, t) => {
  const control = new lg.RunControl();
  t.note('fresh', [control.drainRequested, control.drainReason]);
  control.requestDrain();
  t.note('by default', [control.drainRequested, control.drainReason]);
  control.requestDrain('again');
  t.note('again', [control.drainRequested, control.drainReason]);
  const error = new lg.GraphDrained();
  t.note('error', [error.name, error.message, error.reason]);
  t.note('guards', [lg.isGraphDrained(error), lg.isGraphBubbleUp(error), lg.isGraphDrained(new Error('x'))]);
});

program('a node asks for it: the run stops after its superstep, and goes on with null', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg).compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.stream(graph, null, { ...thread(), ...all });
  await t.state(graph, thread());
});

program('asked from outside while a node runs', async (lg, t) => {
  const control = new lg.RunControl();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', async (_state, config) => {
      t.note('the same control', config.control === control);
      control.requestDrain('sigterm');
      return { log: ['a'] };
    })
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, { ...thread(), control });
  await t.state(graph, thread());
  await t.invoke(graph, null, thread());
});

program('nothing is left to do: the run just ends', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('drains', drains())
    .addEdge(lg.START, 'drains')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.state(graph, thread());
});

program('drained before it begins', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg).compile({ checkpointer: memory });
  const control = new lg.RunControl();
  control.requestDrain('early');
  await t.stream(graph, { log: ['in'] }, { ...thread(), ...all, control });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.invoke(graph, { log: ['in'] }, { control });
  await t.invoke(graph, null, { ...thread(), control: new lg.RunControl() });
});

program('without memory', async (lg, t) => {
  await t.stream(chain(lg).compile(), { log: [] }, all);
});

program('each run has a control of its own', async (lg, t) => {
  const seen: unknown[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode('looks', (_state, config) => {
      seen.push(config.control);
      t.note('requested', config.control?.drainRequested);
      return {};
    })
    .addEdge(lg.START, 'looks')
    .compile();
  await graph.invoke({ log: [] });
  await graph.invoke({ log: [] });
  t.note('two', seen[0] !== seen[1]);
});

program('from a graph in a node: both stop, and both go on', async (lg, t) => {
  const child = new lg.StateGraph(list(lg))
    .addNode('c1', drains('from below'))
    .addNode('c2', says('c2'))
    .addEdge(lg.START, 'c1')
    .addEdge('c1', 'c2')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', child)
    .addNode('after', says('after'))
    .addEdge(lg.START, 'child')
    .addEdge('child', 'after')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates'], subgraphs: true });
  await t.state(graph, thread(), { subgraphs: true });
  await t.stream(graph, null, { ...thread(), streamMode: ['values', 'updates'], subgraphs: true });
  await t.state(graph, thread());
});

program('from a graph called in a node, beside a sibling that finishes', async (lg, t) => {
  const runs: string[] = [];
  const child = new lg.StateGraph(list(lg))
    .addNode('c1', drains())
    .addNode('c2', says('c2'))
    .addEdge(lg.START, 'c1')
    .addEdge('c1', 'c2')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async ({ log }) => {
      runs.push('calls');
      return { log: [`result ${(await child.invoke({ log })).log.join()}`] };
    })
    .addNode('sibling', () => {
      runs.push('sibling');
      return { log: ['sibling'] };
    })
    .addEdge(lg.START, 'calls')
    .addEdge(lg.START, 'sibling')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: ['in'] }, thread());
  await t.state(graph, thread());
  await t.invoke(graph, null, thread());
  t.note('runs', runs);
});

program('a question and a drain in one superstep: the question is asked', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('asks', () => ({ log: [String(lg.interrupt('?'))] }))
    .addNode('drains', drains())
    .addNode('after', says('after'))
    .addEdge(lg.START, 'asks')
    .addEdge(lg.START, 'drains')
    .addEdge('asks', 'after')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
  await t.state(graph, thread());
  await t.invoke(graph, new lg.Command({ resume: 'yes' }), thread());
});

program('a breakpoint comes before a drain', async (lg, t) => {
  const graph = chain(lg).compile({ checkpointer: saver(), interruptBefore: ['b'] });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.state(graph, thread());
});

program('a drained run in exit durability keeps where it stopped', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg).compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, { ...thread(), durability: 'exit' });
  await t.history(graph, thread());
  await t.invoke(graph, null, { ...thread(), durability: 'exit' });
});

program('a drain is not retried', async (lg, t) => {
  let calls = 0;
  const child = new lg.StateGraph(list(lg))
    .addNode('c1', drains())
    .addNode('c2', says('c2'))
    .addEdge(lg.START, 'c1')
    .addEdge('c1', 'c2')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'calls',
      async ({ log }) => {
        calls += 1;
        return child.invoke({ log });
      },
      { retryPolicy: { initialInterval: 1, jitter: false, logWarning: false, retryOn: () => true } },
    )
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
  t.note('calls', calls);
});
