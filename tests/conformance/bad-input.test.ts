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
  for (const recursionLimit of [0, -1]) {
    await t.outcome('limit', () =>
      graph.invoke({ log: ['in'] }, { ...thread(String(recursionLimit)), recursionLimit }),
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
