// How runs are stopped from outside, and what is left of them.
import { program, saver, thread, type Trace } from './harness.js';
import type { Library } from './library.js';

/** Settles when the run is told to stop; notes that. */
const untilAborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((_resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

interface Waiting {
  /** Settles when the waiting node has started. */
  readonly started: Promise<void>;
  readonly graph: ReturnType<typeof waitingGraph>['graph'];
  /** Settles when the node has been told. */
  readonly told: Promise<void>;
}

/** a → waits for the run's signal → c */
function waitingGraph(lg: Library, options: object = {}) {
  let start = (): void => undefined;
  let tell = (): void => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  const told = new Promise<void>((resolve) => (tell = resolve));
  const state = lg.Annotation.Root({
    seen: lg.Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  const graph = new lg.StateGraph(state)
    .addNode('a', () => ({ seen: ['a'] }))
    .addNode('waits', async (_state, config) => {
      config.writer?.('waiting');
      start();
      await untilAborted(config.signal).finally(tell);
      return { seen: ['waits'] };
    })
    .addNode('c', () => ({ seen: ['c'] }))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'waits')
    .addEdge('waits', 'c')
    .compile(options);
  return { graph, started, told };
}

const around = (lg: Library, { graph }: Pick<Waiting, 'graph'>, options: object = {}) =>
  new lg.StateGraph(
    lg.Annotation.Root({ seen: lg.Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }) }),
  )
    .addNode('inner', graph)
    .addEdge(lg.START, 'inner')
    .compile(options);

/** Reads as far as the chunk that the waiting node writes. */
async function readToWaiting(t: Trace, reader: AsyncIterator<unknown>): Promise<void> {
  for (;;) {
    const { value, done } = await reader.next();
    t.note('chunk', value);
    if (done || (Array.isArray(value) && value.includes('waiting'))) return;
  }
}

/** Reads until the end, and notes what came and how it ended. */
async function readOn(t: Trace, label: string, reader: AsyncIterator<unknown>): Promise<void> {
  const chunks: unknown[] = [];
  try {
    for (let next = await reader.next(); !next.done; next = await reader.next()) chunks.push(next.value);
    t.note(`${label} ends after`, chunks);
  } catch (error) {
    t.note(`${label} after ${JSON.stringify(chunks)} fails`, error);
  }
}

const input = { seen: [] };

for (const reason of [undefined, new Error('mine'), 'text']) {
  program(`a signal during a stream, with reason ${String(reason)}`, async (lg, t) => {
    const { graph, told } = waitingGraph(lg, { checkpointer: saver() });
    const stop = new AbortController();
    const stream = await graph.stream(input, { ...thread(), signal: stop.signal, streamMode: ['updates', 'custom'] });
    const reader = stream[Symbol.asyncIterator]();
    await readToWaiting(t, reader);
    const reading = readOn(t, 'stream', reader);
    stop.abort(reason);
    await reading;
    await told;
    await t.state(graph, thread());
  });

  program(`a signal during invoke, with reason ${String(reason)}`, async (lg, t) => {
    const { graph, started, told } = waitingGraph(lg, { checkpointer: saver() });
    const stop = new AbortController();
    const running = t.invoke(graph, input, { ...thread(), signal: stop.signal });
    await started;
    stop.abort(reason);
    await running;
    await told;
    await t.state(graph, thread());
  });

  program(`a signal that was given before, with reason ${String(reason)}`, async (lg, t) => {
    const { graph } = waitingGraph(lg, { checkpointer: saver() });
    const signal = AbortSignal.abort(reason);
    await t.invoke(graph, input, { ...thread('1'), signal });
    await t.stream(graph, input, { ...thread('2'), signal });
    await t.state(graph, thread('1'));
    await t.history(graph, thread('2'));
  });
}

program('a stream that is cancelled while it is read', async (lg, t) => {
  const { graph, told } = waitingGraph(lg, { checkpointer: saver() });
  const stream = await graph.stream(input, { ...thread(), streamMode: ['updates', 'custom'] });
  const reader = stream[Symbol.asyncIterator]();
  await readToWaiting(t, reader);
  // LangGraph's reader fails by a lost lock, ours by the reason.
  const reading = reader.next().then(
    () => t.note('reading', 'goes on'),
    () => t.note('reading', 'fails'),
  );
  await stream.cancel('enough').catch(() => undefined);
  await told;
  t.note('signal', (stream as unknown as { signal: AbortSignal }).signal.aborted);
  await reading;
  t.note('next', (await graph.getState(thread())).next);
});

program('leaving the loop stops the run', async (lg, t) => {
  const { graph, told } = waitingGraph(lg, { checkpointer: saver() });
  const chunks: unknown[] = [];
  for await (const chunk of await graph.stream(input, { ...thread(), streamMode: ['updates', 'custom'] })) {
    chunks.push(chunk);
    if (Array.isArray(chunk) && chunk[0] === 'custom') break;
  }
  t.note('chunks', chunks);
  await told;
  const { next } = await graph.getState(thread());
  t.note('next', next);
  await t.outcome('goes on', async () => (await graph.getState(thread())).values);
});

program('a graph below is stopped with the one around', async (lg, t) => {
  const inner = waitingGraph(lg);
  const graph = around(lg, inner, { checkpointer: saver() });
  const stop = new AbortController();
  const config = { ...thread(), signal: stop.signal, streamMode: ['updates', 'custom'], subgraphs: true };
  const stream = await graph.stream(input, config as object);
  const reader = stream[Symbol.asyncIterator]();
  await readToWaiting(t, reader);
  const reading = readOn(t, 'stream', reader);
  stop.abort();
  await reading;
  await inner.told;
  await t.state(graph, thread(), { subgraphs: true });
});

program('parallel tasks are stopped together, what was finished is kept', async (lg, t) => {
  const { graph, started } = waitingGraph(lg);
  const state = lg.Annotation.Root({
    seen: lg.Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  const outer = new lg.StateGraph(state)
    .addNode('quick', () => ({ seen: ['quick'] }))
    .addNode('slow', graph)
    .addEdge(lg.START, 'quick')
    .addEdge(lg.START, 'slow')
    .compile({ checkpointer: saver() });
  const stop = new AbortController();
  const running = t.invoke(outer, input, { ...thread(), signal: stop.signal });
  await started;
  stop.abort();
  await running;
  // LangGraph waits for the second task and notes its failure; ours lets go of it.
  const { values, next } = await outer.getState(thread());
  t.note('state', { values, next });
});

program('a node that ignores the signal does not hold the run', async (lg, t) => {
  let release = (): void => undefined;
  let start = (): void => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const graph = new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode('deaf', async () => {
      start();
      await held;
      return { text: 'late' };
    })
    .addEdge(lg.START, 'deaf')
    .compile({ checkpointer: saver() });
  const stop = new AbortController();
  const running = t.invoke(graph, { text: 'in' }, { ...thread(), signal: stop.signal });
  await started;
  stop.abort();
  await running;
  release();
  await new Promise((resolve) => setImmediate(resolve));
  await t.state(graph, thread());
});

program('the timeout of a call', async (lg, t) => {
  const { graph, told } = waitingGraph(lg, { checkpointer: saver() });
  await graph.invoke(input, { ...thread(), timeout: 20 }).then(
    () => t.note('invoke', 'goes on'),
    () => t.note('invoke', 'fails'),
  );
  await told;
  await t.outcome('no time', () => graph.invoke(input, { ...thread(), timeout: 0 }));
});

program('a run that is over does not mind the signal', async (lg, t) => {
  const graph = new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode('n', () => ({ text: 'out' }))
    .addEdge(lg.START, 'n')
    .compile();
  const stop = new AbortController();
  await t.invoke(graph, { text: 'in' }, { signal: stop.signal });
  stop.abort();
  await t.stream(graph, { text: 'in' }, { signal: new AbortController().signal });
});
