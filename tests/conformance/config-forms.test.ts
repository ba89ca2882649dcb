// What a call's config may be, and what nodes, chunks and callbacks see of it, also in graphs that a node calls.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { CallbackManager } from '@langchain/core/callbacks/manager';
import type { RunnableConfig } from '@langchain/core/runnables';
import { RunnableLambda } from '@langchain/core/runnables';
import { program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';

/** LangGraph leaves `runName` in it where nobody listens to callbacks. */
const seen = ({
  tags,
  metadata,
  recursionLimit,
  maxConcurrency,
  configurable,
  runName: _runName,
  ...rest
}: RunnableConfig) => ({
  tags,
  metadata,
  recursionLimit,
  maxConcurrency,
  configurable: Object.fromEntries(
    Object.entries(configurable ?? {}).filter(([key]) => !key.startsWith('__') && key !== 'checkpoint_map'),
  ),
  keys: Object.keys(rest)
    .filter((key) => rest[key as keyof typeof rest] !== undefined)
    .sort(),
});

/** Starts and ends of runs, with the names, tags and metadata they are told with. */
class Runs extends BaseCallbackHandler {
  readonly name = 'runs';
  override awaitHandlers = true;
  readonly told: unknown[] = [];

  override handleChainStart(
    _chain: unknown,
    _inputs: unknown,
    _runId: string,
    _type?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
  ): void {
    this.told.push({ starts: runName, tags: [...new Set(tags)], metadata });
  }

  override handleChainEnd(outputs: unknown): void {
    this.told.push({ ends: outputs });
  }

  override handleChainError(error: unknown): void {
    this.told.push({ fails: error });
  }
}

const textState = (lg: Library) => lg.Annotation.Root({ text: lg.Annotation<string>() });

/** One node that notes its config, named `name`. */
const noting = (lg: Library, t: Trace, name: string, options: object = {}) =>
  new lg.StateGraph(textState(lg))
    .addNode(name, (_state, config) => {
      t.note(name, seen(config));
      return { text: name };
    })
    .addEdge(lg.START, name)
    .compile(options);

/** A graph whose node calls `inner` with the config that `given` makes of the node's. */
const calling = (
  lg: Library,
  inner: unknown,
  given: (config: RunnableConfig) => object | undefined,
  options: object = {},
) =>
  new lg.StateGraph(textState(lg))
    .addNode(
      'outer',
      async (state, config) =>
        (await (inner as Graph).invoke(state, given(config) as Record<string, unknown>)) as object,
    )
    .addEdge(lg.START, 'outer')
    .compile(options);

program('odd configs of a call', async (lg, t) => {
  const graph = noting(lg, t, 'node');
  for (const config of [
    undefined,
    null,
    {},
    { configurable: undefined },
    { configurable: null },
    { configurable: {} },
    { tags: undefined, metadata: undefined, callbacks: undefined },
    { unknown: 'key', another: undefined },
    { recursionLimit: undefined },
    { recursionLimit: null },
    { maxConcurrency: undefined },
    { configurable: { model: 'gpt', user: 'ada', __secret: 1 } },
    { configurable: { thread_id: 7, nested: { of: 'caller' } } },
    { runName: 'named', runId: '11111111-1111-1111-1111-111111111111' },
    { timeout: 0 },
    { timeout: -1 },
    { timeout: 60_000 },
    { callbacks: [] },
    { callbacks: new CallbackManager() },
    { context: null },
    { context: 7 },
    { context: {} },
  ]) {
    t.note('given', config);
    await t.invoke(graph, { text: '' }, config as Record<string, unknown>);
  }
});

const KINDS: Record<string, (config: RunnableConfig) => object | undefined> = {
  nothing: () => undefined,
  'its own config': (config) => config,
  'an empty config': () => ({}),
  'tags and metadata': () => ({ tags: ['inner'], metadata: { of: 'inner' } }),
  'configurable of its own': () => ({ configurable: { user: 'bob' } }),
  'a thread of its own': () => ({ configurable: { thread_id: 'another' } }),
  'its own config and tags': (config) => ({ ...config, tags: ['inner'] }),
  'limits and a name': () => ({ recursionLimit: 7, maxConcurrency: 2, runName: 'inner run' }),
};

for (const [kind, given] of Object.entries(KINDS)) {
  program(`a graph that a node calls with ${kind}`, async (lg, t) => {
    for (const checkpointer of [undefined, saver()]) {
      const inner = noting(lg, t, 'inner').withConfig({ metadata: { bound: true } });
      const outer = calling(lg, inner, given, { checkpointer });
      const runs = new Runs();
      await t.stream(
        outer,
        { text: '' },
        {
          configurable: { thread_id: 'thread-1', user: 'ada' },
          metadata: { of: 'caller' },
          callbacks: [runs],
          streamMode: ['checkpoints', 'updates', 'tasks', 'debug'],
          subgraphs: true,
        },
      );
      await awaitAllCallbacks();
      t.note('callbacks', runs.told);
    }
  });
}

program('tags of a call, of a graph, and of a graph that a node calls', async (lg, t) => {
  const inner = noting(lg, t, 'inner').withConfig({ tags: ['bound'] });
  const runs = new Runs();
  const outer = calling(lg, inner, () => ({ tags: ['inner'] })).withConfig({ tags: ['outer'] });
  await t.stream(
    outer,
    { text: '' },
    { tags: ['call'], callbacks: [runs], streamMode: ['updates', 'tasks', 'messages'], subgraphs: true },
  );
  await awaitAllCallbacks();
  t.note('callbacks', runs.told);
});

program('a graph that a runnable in a node calls', async (lg, t) => {
  const inner = noting(lg, t, 'inner');
  const between = RunnableLambda.from((state: { text: string }) => inner.invoke(state));
  const outer = new lg.StateGraph(textState(lg))
    .addNode('outer', async (state) =>
      between.withConfig({ tags: ['between'], metadata: { of: 'between' } }).invoke(state),
    )
    .addEdge(lg.START, 'outer')
    .compile();
  const runs = new Runs();
  await t.stream(outer, { text: '' }, { callbacks: [runs], streamMode: ['updates', 'tasks'], subgraphs: true });
  await awaitAllCallbacks();
  t.note('callbacks', runs.told);
});

program('configs of batches, one for all and one for each', async (lg, t) => {
  const graph = noting(lg, t, 'node', { checkpointer: saver() }) as unknown as {
    batch(inputs: unknown[], config: unknown, options?: object): Promise<unknown>;
  };
  const inputs = [{ text: 'a' }, { text: 'b' }];
  await t.outcome('one', () => graph.batch(inputs, thread('one')));
  await t.outcome('each', () => graph.batch(inputs, [thread('a'), thread('b')]));
  await t.outcome('too few', () => graph.batch(inputs, [thread('a')]));
  await t.outcome('in turn', () => graph.batch(inputs, { ...thread('turn'), maxConcurrency: 1 }));
  await t.outcome('errors returned', () =>
    graph.batch([{ text: 'a' }, 'nonsense'], thread('r'), { returnExceptions: true }),
  );
});
