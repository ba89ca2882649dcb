// The sixteen points that reimplementations of LangGraph most often get wrong, one program each.
import type { RunnableConfig } from '@langchain/core/runnables';
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';
import { list } from './log-state.js';

const shown = { streamMode: ['values', 'updates'] };
const input = { log: ['in'] };

/** A node that adds its name. */
const named = (name: string) => () => ({ log: [name] });

const chain = (lg: Library, options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('a', named('a'))
    .addNode('b', named('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: saver(), ...options });

/** Two that ask, and one that has finished beside them. */
const waiting = (lg: Library) =>
  new lg.StateGraph(list(lg))
    .addNode('done', named('done'))
    .addNode('one', () => ({ log: [`one ${String(lg.interrupt('1'))}`] }))
    .addNode('two', () => ({ log: [`two ${String(lg.interrupt('2'))}`] }))
    .addEdge(lg.START, 'done')
    .addEdge(lg.START, 'one')
    .addEdge(lg.START, 'two')
    .compile({ checkpointer: saver() });

async function firstConfig(graph: Graph): Promise<RunnableConfig> {
  let oldest: unknown;
  for await (const snapshot of graph.getStateHistory(thread())) oldest = snapshot;
  return (oldest as { config: RunnableConfig }).config;
}

program('1: Sends of a superstep are applied after the nodes that edges trigger', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'a',
      () => new lg.Command({ update: { log: ['a'] }, goto: [new lg.Send('w', { n: 2 }), new lg.Send('w', { n: 1 })] }),
      { ends: ['w'] },
    )
    .addNode('w', (state) => ({ log: [`w${String((state as unknown as { n: number }).n)}`] }))
    .addNode('z', named('z'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'z')
    .compile();
  await t.stream(graph, input, { streamMode: 'values' });
});

program('2: a recursion limit of N lets N − 1 supersteps of nodes finish', async (lg, t) => {
  for (const recursionLimit of [1, 2, 3]) await t.stream(chain(lg), input, { ...thread(), ...shown, recursionLimit });
});

program('3: the first checkpoint does not hold the input yet', async (lg, t) => {
  const graph = chain(lg);
  await t.invoke(graph, input, thread());
  await t.history(graph, thread());
});

program('4: a resume shows the state first, then again what had finished', async (lg, t) => {
  const graph = waiting(lg);
  await t.stream(graph, input, { ...thread(), ...shown });
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...shown });
});

program('5: the latest state shows what finished siblings wrote, the checkpoint by its id does not', async (lg, t) => {
  const graph = waiting(lg);
  await t.invoke(graph, input, thread());
  await t.state(graph, thread());
  const { config } = (await graph.getState(thread())) as { config: RunnableConfig };
  await t.state(graph, config);
  await t.history(graph, thread());
});

program('6: a node without effect streams an empty update', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('nothing', () => ({}))
    .addNode('null', () => null as unknown as object)
    .addEdge(lg.START, 'nothing')
    .addEdge('nothing', 'null')
    .compile();
  await t.everyMode(graph, input);
});

program('7: a goto does not replace edges, and a node reached only by goto has to be named in ends', async (lg, t) => {
  const built = (ends: string[] | undefined) =>
    new lg.StateGraph(list(lg))
      .addNode('a', () => new lg.Command({ goto: 'far', update: { log: ['a'] } }), { ends: ends as never })
      .addNode('b', named('b'))
      .addNode('far', named('far'))
      .addEdge(lg.START, 'a')
      .addEdge('a', 'b')
      .compile();
  await t.stream(built(['far']), input, shown);
  await t.outcome('without ends', () => built(undefined));
});

program('8: new input gives the waiting tasks up and begins again on the kept state', async (lg, t) => {
  const graph = waiting(lg);
  await t.invoke(graph, input, thread());
  await t.stream(graph, { log: ['new'] }, { ...thread(), ...shown });
  await t.history(graph, thread());
});

program('9: time travel writes a fork and keeps the old branch', async (lg, t) => {
  const graph = chain(lg);
  await t.invoke(graph, input, thread());
  await t.invoke(graph, null, (await firstConfig(graph)) as Record<string, unknown>);
  await t.history(graph, thread());
});

program(
  '10: the id of a question is the same each time it is asked, and another one on another thread',
  async (lg, t) => {
    const graph = waiting(lg);
    for (const id of ['one', 'two']) {
      await t.invoke(graph, input, thread(id));
      await t.invoke(graph, null, thread(id));
    }
  },
);

program('11: a question that was answered is listed until the next checkpoint', async (lg, t) => {
  const graph = waiting(lg);
  await t.invoke(graph, input, thread());
  const { tasks } = (await graph.getState(thread())) as { tasks: { interrupts: { id?: string }[] }[] };
  const [first] = tasks.flatMap(({ interrupts }) => interrupts);
  await t.invoke(graph, new lg.Command({ resume: { [first?.id ?? '']: 'yes' } }), thread());
  await t.state(graph, thread());
});

program('12: a breakpoint is an empty list of interrupts', async (lg, t) => {
  for (const options of [{ interruptBefore: ['b'] }, { interruptAfter: ['a'] }]) {
    await t.stream(chain(lg, options), input, { ...thread(), ...shown });
  }
});

program(
  '13: a functional graph shows null first on a resume, and the arguments of its tasks as a list',
  async (lg, t) => {
    const ask = lg.task('ask', (question: string) => lg.interrupt<string, string>(question));
    const graph = lg.entrypoint({ name: 'f', checkpointer: saver() }, async (question: string) => ask(question));
    const options = { ...thread(), streamMode: ['values', 'tasks'] };
    await t.stream(graph, '?', options);
    await t.stream(graph, new lg.Command({ resume: 'yes' }), options);
  },
);

program('14: exit durability leaves one checkpoint of the last superstep, without a parent', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await t.invoke(graph, input, { ...thread(), durability: 'exit' });
  await t.saved(memory);
});

program('15: only the third version of stream events tells of checkpoints unasked', async (lg, t) => {
  const graph = chain(lg);
  await t.stream(graph, input, { ...thread('plain'), streamMode: ['values', 'updates'] });
  const open = graph as unknown as {
    streamEvents(
      input: unknown,
      options: object,
    ): Promise<AsyncIterable<{ method: string; params: { data: unknown } }>>;
  };
  await t.outcome('v3', async () => {
    const told: unknown[] = [];
    for await (const { method, params } of await open.streamEvents(input, { ...thread('v3'), version: 'v3' })) {
      if (method === 'checkpoints' || method === 'values') told.push({ method, data: params.data });
    }
    return told;
  });
});

program('16: the end of a called task tells no result', async (lg, t) => {
  const add = lg.task('add', (a: number) => a + 1);
  const graph = lg.entrypoint('sum', async (a: number) => add(a));
  await t.stream(graph, 1, { streamMode: 'tasks' });
});
