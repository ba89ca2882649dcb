// Nodes and callers that do what they should not: the error says so, and the thread is as it was before.
import { program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';

const state = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
    value: lg.Annotation<unknown>(),
  });

/** A good node, then one that returns `output()`. */
const after = (lg: Library, output: () => unknown) =>
  new lg.StateGraph(state(lg))
    .addNode('good', () => ({ log: ['good'] }))
    .addNode('bad', output as () => object)
    .addEdge(lg.START, 'good')
    .addEdge('good', 'bad')
    .compile({ checkpointer: saver() });

/** What is left: the checkpoint before the bad node, and why it failed. */
async function fails(t: Trace, graph: Graph): Promise<void> {
  await t.invoke(graph, { log: ['in'] }, thread());
  await t.state(graph, thread());
  await t.history(graph, thread());
}

program('outputs that are no update', async (lg, t) => {
  const outputs = [
    () => () => 'a function',
    () => Symbol.for('s'),
    () => 'a text',
    () => 7,
    () => true,
    () => [1],
    () => 10n,
  ];
  for (const output of outputs) {
    await t.outcome('run', async () => fails(t, after(lg, output)));
  }
});

program('values that JSON does not know', async (lg, t) => {
  for (const value of [undefined, () => 'f', Symbol.for('s'), new Date(0), NaN, Infinity, new Set([1])]) {
    await t.outcome('run', async () =>
      fails(
        t,
        after(lg, () => ({ value })),
      ),
    );
  }
});

program('keys that the state does not have, and a prototype', async (lg, t) => {
  await fails(
    t,
    after(lg, () => JSON.parse('{"log": ["x"], "other": 1, "__proto__": {"value": 1}}') as object),
  );
});

program('Sends and destinations that are not there', async (lg, t) => {
  await fails(
    t,
    after(lg, () => new lg.Command({ goto: 'nowhere' })),
  );
  await fails(
    t,
    after(lg, () => new lg.Command({ goto: new lg.Send('nowhere', {}) })),
  );
  await fails(
    t,
    after(lg, () => new lg.Command({ goto: [new lg.Send('bad', {}), 'nowhere'] })),
  );
});

program('inputs that start nothing', async (lg, t) => {
  const graph = after(lg, () => null);
  for (const input of [null, undefined, new lg.Command({}), new lg.Command({ resume: null })]) {
    await t.outcome('input', () => graph.invoke(input as never, thread('new')));
    await t.outcome('without memory', () => graph.invoke(input as never, {}));
  }
});

program('limits that make no sense', async (lg, t) => {
  const graph = after(lg, () => null);
  for (const recursionLimit of [0, -1, null]) {
    await t.outcome('limit', () =>
      graph.invoke({ log: ['in'] }, { ...thread(String(recursionLimit)), recursionLimit: recursionLimit as number }),
    );
  }
});

program('a superstep that waits on a thread that failed goes on when the node is mended', async (lg, t) => {
  let mended = false;
  const graph = after(lg, () => {
    if (!mended) throw new TypeError('not yet');
    return { log: ['mended'] };
  });
  await fails(t, graph);
  mended = true;
  await t.invoke(graph, null, thread());
  await t.history(graph, thread());
});

program('options that are null are not there', async (lg, t) => {
  const graph = new lg.StateGraph(state(lg))
    .addNode('node', (_state, { store }) => ({ log: [typeof store] }), null as unknown as undefined)
    .addEdge(lg.START, 'node')
    .compile({ store: null as unknown as undefined });
  await t.invoke(graph, { log: ['in'] }, null as unknown as undefined);
  for (const option of ['streamMode', 'outputKeys', 'interruptBefore', 'interruptAfter', 'context', 'store']) {
    await t.invoke(graph, { log: ['in'] }, { [option]: null });
  }
});

program('nodes of every kind, and what is none', async (lg, t) => {
  const kinds = [
    undefined,
    null,
    5,
    'text',
    {},
    [],
    { invoke: 1 },
    Promise.resolve(1),
    function* () {
      yield { log: ['yielded'] };
    },
    async function* () {
      await Promise.resolve();
      yield { log: ['yielded later'] };
    },
    () => new Map([['log', ['map']]]),
    () => Object.create({ log: ['inherited'] }) as object,
    () => ({ then: 5, log: ['then'] }),
    () => ({ [Symbol('s')]: 1, log: ['symbol'] }),
  ];
  for (const kind of kinds) {
    await t.outcome('built', async () => {
      const graph = new lg.StateGraph(state(lg))
        .addNode('node', kind as () => object)
        .addEdge(lg.START, 'node')
        .compile({ checkpointer: saver() });
      await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
      await t.state(graph, thread());
    });
  }
});

program('errors of every kind', async (lg, t) => {
  const errors = [
    new AggregateError([new Error('within')], 'several'),
    new Error('outer', { cause: new Error('cause') }),
    new DOMException('dom', 'AbortError'),
    new lg.GraphRecursionError('mine'),
    new lg.InvalidUpdateError('mine'),
    new lg.GraphValueError('mine'),
    new lg.EmptyChannelError('mine'),
    new lg.GraphInterrupt([{ value: 1 }]),
    new lg.GraphInterrupt([]),
    new lg.GraphInterrupt(),
    new lg.NodeInterrupt('mine'),
    new lg.ParentCommand(new lg.Command({ update: { log: ['for the parent'] } })),
    new lg.GraphDrained('mine'),
  ];
  for (const error of errors) {
    const graph = after(lg, () => {
      throw error;
    });
    await t.stream(graph, { log: ['in'] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
    await t.state(graph, thread());
  }
});

program('reducers and defaults that fail or return nonsense', async (lg, t) => {
  type Log = string[];
  const annotations = [
    () =>
      lg.Annotation<Log>({
        reducer: () => {
          throw new Error('reducer');
        },
        default: () => [],
      }),
    () => lg.Annotation<Log>({ reducer: (() => Promise.resolve(['later'])) as never, default: () => [] }),
    () =>
      lg.Annotation<Log>({
        reducer: (a, b) => a.concat(b),
        default: () => {
          throw new Error('default');
        },
      }),
  ];
  for (const annotation of annotations) {
    await t.outcome('run', async () => {
      const graph = new lg.StateGraph(lg.Annotation.Root({ log: annotation() }))
        .addNode('a', () => ({ log: ['a'] }))
        .addNode('b', () => ({ log: ['b'] }))
        .addEdge(lg.START, 'a')
        .addEdge(lg.START, 'b')
        .compile({ checkpointer: saver() });
      await t.stream(graph, { log: ['in'] }, { ...thread(), streamMode: ['values', 'updates', 'checkpoints'] });
      await t.state(graph, thread());
      await t.history(graph, thread());
      await t.outcome('update', () => graph.updateState(thread(), { log: ['edited'] }, 'a'));
    });
  }
});

program('a state key that is the engine’s own', async (lg, t) => {
  const State = lg.Annotation.Root({ __pregel_tasks: lg.Annotation<string>() });
  const builder = new lg.StateGraph(State).addNode('node', () => ({})).addEdge(lg.START, 'node');
  await t.outcome('compile', () => void builder.compile());
});
