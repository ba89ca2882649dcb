// Graphs with `checkpointer: true`, which keep their state over calls, in runs that are resumed: in the first superstep of
// such a run they go on from the state they have, whatever they are called with.
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';
import { list } from './log-state.js';

const everything = { streamMode: ['values', 'updates', 'tasks', 'checkpoints'], subgraphs: true };

type Node = (state: { log: string[] }) => unknown;

/** Two nodes, the first of which is given. */
const keeping = (lg: Library, first: Node, checkpointer?: true) =>
  new lg.StateGraph(list(lg))
    .addNode('first', first as never, { ends: ['second'] })
    .addNode('second', ({ log }) => ({ log: [`second of ${log.length}`] }))
    .addEdge(lg.START, 'first')
    .addEdge('first', 'second')
    .compile({ checkpointer });

/** One node that calls the graph `calls` times, again and again until the log has ten entries. */
const loop = (lg: Library, inner: ReturnType<typeof keeping>, calls: number, options: object) =>
  new lg.StateGraph(list(lg))
    .addNode('calls', async ({ log }, config) => {
      const said: string[] = [];
      for (let call = 0; call < calls; call += 1) {
        const { log: result } = await inner.invoke({ log: [`call ${call} at ${log.length}`] }, config);
        said.push(result.join('+'));
      }
      return { log: said };
    })
    .addEdge(lg.START, 'calls')
    .addConditionalEdges('calls', ({ log }) => (log.length < 10 ? 'calls' : lg.END))
    .compile(options);

for (const checkpointer of [true, undefined] as const) {
  const kind = checkpointer ? 'keeps its state' : 'has one for each task';

  program(`a graph that was left by a Command, in a run resumed at its limit (${kind})`, async (lg, t) => {
    const memory = saver();
    const inner = keeping(
      lg,
      () => new lg.Command({ graph: lg.Command.PARENT, update: { log: ['left'] } }),
      checkpointer,
    );
    const graph = new lg.StateGraph(list(lg))
      .addNode('ticks', ({ log }) => ({ log: [`tick ${log.length}`] }))
      .addNode('calls', async (_state, config) => ({ log: (await inner.invoke({ log: ['call'] }, config)).log }))
      .addEdge(lg.START, 'ticks')
      .addEdge('ticks', 'ticks')
      .addEdge('ticks', 'calls')
      .compile({ checkpointer: memory });
    // Not of the graph within: how its chunks mix with those of a node beside it is no promise.
    const config = { ...thread(), ...everything, subgraphs: false, recursionLimit: 4 };
    await t.stream(graph, { log: ['in'] }, config);
    await t.stream(graph, new lg.Command({ resume: 'on' }), config);
    await t.stream(graph, null, config);
    await t.stream(graph, { log: ['more'] }, config);
    await t.state(graph, thread(), { subgraphs: true });
    await t.saved(memory);
  });

  program(`a graph that had finished, in a run resumed at a breakpoint (${kind})`, async (lg, t) => {
    const memory = saver();
    const says: Node = ({ log }) => ({ log: [`first of ${log.length}`] });
    const inner = keeping(lg, says, checkpointer);
    const graph = loop(lg, inner, 2, { checkpointer: memory, interruptBefore: ['calls'] });
    await t.stream(graph, { log: ['in'] }, { ...thread(), ...everything });
    for (let resumed = 0; resumed < 3; resumed += 1) await t.stream(graph, null, { ...thread(), ...everything });
    await t.saved(memory);
  });

  program(`a graph that had asked and was given up, in a run resumed later (${kind})`, async (lg, t) => {
    const memory = saver();
    const inner = keeping(lg, () => ({ log: [`told ${String(lg.interrupt('well?'))}`] }), checkpointer);
    const graph = loop(lg, inner, 1, { checkpointer: memory });
    const config = { ...thread(), ...everything };
    await t.stream(graph, { log: ['in'] }, config);
    await t.stream(graph, { log: ['anew'] }, { ...config, interruptBefore: ['calls'] });
    await t.stream(graph, null, config);
    await t.stream(graph, new lg.Command({ resume: 'yes' }), config);
    await t.state(graph, thread(), { subgraphs: true });
    await t.saved(memory);
  });

  program(`two levels of graphs that had finished, in a resumed run (${kind})`, async (lg, t) => {
    const memory = saver();
    const inner = keeping(lg, ({ log }) => ({ log: [`innermost of ${log.length}`] }), checkpointer);
    const middle = keeping(lg, async () => ({ log: (await inner.invoke({ log: ['in'] })).log }), checkpointer);
    const graph = loop(lg, middle, 1, { checkpointer: memory, interruptBefore: ['calls'] });
    const config = { ...thread(), ...everything };
    await t.stream(graph, { log: ['in'] }, config);
    await t.stream(graph, null, config);
    await t.stream(graph, null, { ...config, interruptBefore: [] });
    await t.saved(memory);
  });
}

program('a graph that keeps its state, called by a functional graph that is resumed', async (lg, t) => {
  const memory = saver();
  const inner = keeping(lg, ({ log }) => ({ log: [`first of ${log.length}`] }), true);
  const graph = lg.entrypoint({ name: 'outer', checkpointer: memory }, async (input: string) => {
    const { log } = await inner.invoke({ log: [input] });
    return [...log, lg.interrupt<string, string>('well?')];
  });
  const config = { ...thread(), ...everything };
  await t.stream(graph as never, 'one', config);
  await t.stream(graph as never, new lg.Command({ resume: 'yes' }), config);
  await t.stream(graph as never, 'two', config);
  await t.stream(graph as never, new lg.Command({ resume: 'no' }), config);
  await t.saved(memory);
});
