// What the builder refuses, with LangGraph's words.
import { program, saver } from './harness.js';
import type { Library } from './library.js';

const state = (lg: Library) => lg.Annotation.Root({ value: lg.Annotation<string>() });
const noop = () => ({});

program('names that a node cannot have', async (lg, t) => {
  for (const name of ['value', 'a|b', 'a:b', lg.START, lg.END]) {
    await t.outcome(name, () => void new lg.StateGraph(state(lg)).addNode(name, noop));
  }
  await t.outcome('twice', () => void new lg.StateGraph(state(lg)).addNode('a', noop).addNode('a', noop));
  await t.outcome('none', () => void new lg.StateGraph(state(lg)).addNode([]));
  await t.outcome('none by record', () => void new lg.StateGraph(state(lg)).addNode({}));
});

program('edges that cannot be', async (lg, t) => {
  const builder = () => new lg.StateGraph(state(lg)).addNode('a', noop).addNode('b', noop);
  await t.outcome('END as a start', () => void builder().addEdge(lg.END as never, 'a'));
  await t.outcome('START as an end', () => void builder().addEdge('a', lg.START));
  await t.outcome('barrier from nowhere', () => void builder().addEdge(['a', 'c'] as never, 'b'));
  await t.outcome('barrier from END', () => void builder().addEdge(['a', lg.END] as never, 'b'));
  await t.outcome('barrier to nowhere', () => void builder().addEdge(['a'], 'c' as never));
  await t.outcome('barrier to END', () => void builder().addEdge(['a', 'b'], lg.END));
});

program('sequences that cannot be', async (lg, t) => {
  const builder = () => new lg.StateGraph(state(lg)).addNode('a', noop);
  await t.outcome('empty', () => void builder().addSequence([]));
  await t.outcome('taken', () => void builder().addSequence([['a', noop]]));
});

program('two conditions of one node need names', async (lg, t) => {
  const builder = new lg.StateGraph(state(lg)).addNode('a', noop).addEdge(lg.START, 'a');
  builder.addConditionalEdges('a', () => lg.END);
  await t.outcome('second', () => void builder.addConditionalEdges('a', () => lg.END));
});

program('compile checks edges, reachability and breakpoints', async (lg, t) => {
  const builder = () => new lg.StateGraph(state(lg)).addNode('a', noop).addNode('b', noop).addEdge(lg.START, 'a');
  await t.outcome('unreachable', () => void builder().compile());
  await t.outcome(
    'unknown target',
    () =>
      void builder()
        .addEdge('a', 'b')
        .addEdge('b', 'c' as never)
        .compile(),
  );
  await t.outcome(
    'unknown source',
    () =>
      void builder()
        .addEdge('a', 'b')
        .addEdge('c' as never, 'b')
        .compile(),
  );
  await t.outcome(
    'unknown router',
    () =>
      void builder()
        .addEdge('a', 'b')
        .addConditionalEdges('c' as never, () => lg.END)
        .compile(),
  );
  await t.outcome(
    'unknown target of a map',
    () =>
      void builder()
        .addEdge('a', 'b')
        .addConditionalEdges('b', () => 'x', { x: 'nowhere' as never })
        .compile(),
  );
  await t.outcome(
    'unknown breakpoint',
    () =>
      void builder()
        .addEdge('a', 'b')
        .compile({ interruptBefore: ['c'] as never }),
  );
  await t.outcome(
    'unknown breakpoint after',
    () =>
      void builder()
        .addEdge('a', 'b')
        .compile({ interruptAfter: ['c'] as never }),
  );
  await t.outcome(
    'unknown end',
    () =>
      void new lg.StateGraph(state(lg))
        .addNode('a', noop, { ends: ['zz' as never] })
        .addEdge(lg.START, 'a')
        .compile(),
  );
});

program('ends, routers without a map, and barriers make nodes reachable', async (lg, t) => {
  const byEnds = new lg.StateGraph(state(lg))
    .addNode('a', () => new lg.Command({ goto: 'b', update: { value: 'a' } }), { ends: ['b'] })
    .addNode('b', noop)
    .addEdge(lg.START, 'a');
  await t.invoke(byEnds.compile(), { value: '' });
  const byRouter = new lg.StateGraph(state(lg))
    .addNode('a', noop)
    .addNode('b', noop)
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => lg.END);
  await t.invoke(byRouter.compile(), { value: '' });
});

program('a router that may lead anywhere does not reach its own node', async (lg, t) => {
  const builder = new lg.StateGraph(state(lg)).addNode('a', noop).addConditionalEdges('a', () => lg.END);
  await t.outcome('compile', () => void builder.compile());
});

program('a key with two different channels', async (lg, t) => {
  const appended = lg.Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] });
  const replaced = lg.Annotation<string[]>({ reducer: (_a, b) => b, default: () => [] });
  const graph = (input: object) =>
    new lg.StateGraph({ stateSchema: lg.Annotation.Root({ log: appended }), input } as never);
  await t.outcome('other reducer', () => void graph(lg.Annotation.Root({ log: replaced })));
  await t.outcome('the same', () => void graph(lg.Annotation.Root({ log: appended })));
  await t.outcome('last value', () => void graph(lg.Annotation.Root({ log: lg.Annotation<string[]>() })));
});

program('what is no state', async (lg, t) => {
  for (const init of [undefined, null, 1, 'x', {}, { state: {} }, { value: 1 }, []]) {
    await t.outcome(String(JSON.stringify(init)), () => void new lg.StateGraph(init as never));
  }
});

program('changes after compile only warn', async (lg, t) => {
  const builder = new lg.StateGraph(state(lg)).addNode('a', noop).addEdge(lg.START, 'a');
  const graph = builder.compile({ checkpointer: saver() });
  const warnings: unknown[] = [];
  const { warn } = console;
  console.warn = (...warning) => void warnings.push(warning);
  try {
    builder.addNode('b', () => ({ value: 'b' })).addEdge('a', 'b');
    builder.addConditionalEdges('b' as never, () => lg.END);
    builder.setFinishPoint('a');
    builder.setEntryPoint('a');
    builder.addEdge(['a'], 'a');
  } finally {
    console.warn = warn;
  }
  t.note('warnings', warnings);
  await t.invoke(graph, { value: 'in' }, { configurable: { thread_id: '1' } });
});
