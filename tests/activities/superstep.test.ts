import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Annotation, Command, END, interrupt, Send, START, StateGraph } from '../../graph-core/index.js';
import type { Entry } from '../../events/entry.js';
import { CANCEL_SIGNAL, RESUME_SIGNAL } from '../../workflows/messages.js';
import { RunHarness } from '../support/run-harness.js';
import { until } from '../support/until.js';

// Real Temporal, on a machine that may be busy.
jest.setTimeout(60_000);

const State = Annotation.Root({
  text: Annotation<string>(),
  v: Annotation<unknown>(),
  log: Annotation<string[]>({ reducer: (log, more) => log.concat(more), default: () => [] }),
});
const log = (entry: string) => () => ({ log: [entry] });
const events = (entries: readonly Entry[]) => entries.map(({ event }) => event);
const rising = (entries: readonly Entry[]) =>
  entries.every(({ seq }, n) => n === 0 || seq > (entries[n - 1]?.seq ?? seq));

/** What the nodes of a test saw and did; reset by nobody, so each test has its own keys. */
const calls: string[] = [];
let started: Promise<void>;
let markStarted: () => void;

const chain = new StateGraph(State)
  .addNode('a', log('a'))
  .addNode('b', log('b'))
  .addEdge(START, 'a')
  .addEdge('a', 'b')
  .addEdge('b', END)
  .compile();
const ask = new StateGraph(State)
  .addNode('ask', () => ({ v: interrupt('q') }))
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile();
const two = new StateGraph(State)
  .addNode('a', () => ({ log: [`a:${String(interrupt('qa'))}`] }))
  .addNode('b', () => ({ log: [`b:${String(interrupt('qb'))}`] }))
  .addNode('c', log('c'))
  .addEdge(START, 'a')
  .addEdge(START, 'b')
  .addEdge(['a', 'b'], 'c')
  .addEdge('c', END)
  .compile();
const broken = new StateGraph(State)
  .addNode('a', log('a'))
  .addNode('b', () => {
    throw new TypeError('It broke.');
  })
  .addEdge(START, 'a')
  .addEdge('a', 'b')
  .addEdge('b', END)
  .compile();
const bigint = new StateGraph(State)
  .addNode('put', () => ({ v: { amount: 10n } }))
  .addEdge(START, 'put')
  .addEdge('put', END)
  .compile();
const big = new StateGraph(State)
  .addNode('make', () => ({ text: 'x'.repeat(5_000_000) }))
  .addEdge(START, 'make')
  .addEdge('make', END)
  .compile();
let failures = 0;
const flaky = new StateGraph(State)
  .addNode('a', () => {
    calls.push('flaky.a');
    return { log: ['a'] };
  })
  .addNode(
    'b',
    () => {
      calls.push('flaky.b');
      failures += 1;
      if (failures === 1) throw new Error('Not this time.');
      return { log: ['b'] };
    },
    { retryPolicy: { maxAttempts: 3, initialInterval: 20, jitter: false, retryOn: () => true, logWarning: false } },
  )
  .addEdge(START, 'a')
  .addEdge(START, 'b')
  .addEdge('a', END)
  .addEdge('b', END)
  .compile();
const slow = new StateGraph(State)
  .addNode('first', log('first'))
  .addNode('slow', async (_state, { signal }) => {
    markStarted();
    await new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
    return { log: ['slow'] };
  })
  .addEdge(START, 'first')
  .addEdge('first', 'slow')
  .addEdge('slow', END)
  .compile();
let releaseDeaf: () => void;
const deaf = new StateGraph(State)
  .addNode('deaf', async () => {
    markStarted();
    await new Promise<void>((resolve) => {
      releaseDeaf = resolve;
    });
    return { log: ['deaf'] };
  })
  .addNode('beside', log('beside'))
  .addEdge(START, 'deaf')
  .addEdge(START, 'beside')
  .addEdge('deaf', END)
  .addEdge('beside', END)
  .compile();
const loop = new StateGraph(State)
  .addNode('a', log('x'))
  .addEdge(START, 'a')
  .addConditionalEdges('a', ({ log: items }) => (items.length < 6 ? 'a' : END))
  .compile();
const fan = new StateGraph(State)
  .addNode('plan', () => new Command({ goto: ['1', '2', '3'].map((v) => new Send('work', { v })) }), { ends: ['work'] })
  .addNode('work', ({ v }) => ({ log: [String(v)] }))
  .addEdge(START, 'plan')
  .addEdge('work', END)
  .compile();

let harness: RunHarness;
beforeAll(async () => {
  harness = await RunHarness.start({ chain, ask, two, broken, bigint, big, flaky, slow, deaf, loop, fan });
}, 120_000);
afterAll(() => harness?.stop(), 60_000);

const valuesOf = async (threadId: string) => (await harness.threads.get(threadId))?.values;

describe('a run', () => {
  test('has one checkpoint for its input, START and each superstep, all marked with the run', async () => {
    const run = await harness.submit('chain', { input: { text: 'hi' } });
    await harness.untilState(run, 'success');
    const checkpoints = await harness.checkpoints(run.threadId);
    expect(checkpoints.map(({ metadata }) => [metadata?.step, metadata?.source])).toEqual([
      [2, 'loop'],
      [1, 'loop'],
      [0, 'loop'],
      [-1, 'input'],
    ]);
    expect(checkpoints.every(({ metadata }) => (metadata as { run_id?: string }).run_id === run.runId)).toBe(true);
    expect(await valuesOf(run.threadId)).toEqual({ text: 'hi', log: ['a', 'b'] });
    expect((await harness.threads.get(run.threadId))?.status).toBe('idle');
  });

  test('logs what happened, in order, from frame 0 on', async () => {
    const run = await harness.submit('chain', { input: { text: 'hi' } });
    await harness.untilState(run, 'success');
    const entries = await harness.log(run);
    expect(events(entries)).toEqual([
      'metadata',
      'run.started',
      'values',
      'node.started',
      'node.completed',
      'values',
      'node.started',
      'node.completed',
      'values',
      'run.completed',
    ]);
    expect(rising(entries)).toBe(true);
    const frames = entries.flatMap((entry) => ('frame' in entry ? [entry.frame] : []));
    expect(frames).toEqual([0, 1, 2, 3]);
  });

  test('goes on from the thread’s state', async () => {
    const first = await harness.submit('chain', { input: { text: 'one' } });
    await harness.untilState(first, 'success');
    const second = await harness.submit('chain', { input: { text: 'two' } }, first.threadId);
    await harness.untilState(second, 'success');
    expect(await valuesOf(first.threadId)).toEqual({ text: 'two', log: ['a', 'b', 'a', 'b'] });
  });

  test('spreads over tasks by Send', async () => {
    const run = await harness.submit('fan', { input: { text: 'hi' } });
    await harness.untilState(run, 'success');
    expect(await valuesOf(run.threadId)).toEqual({ text: 'hi', log: ['1', '2', '3'] });
  });
});

describe('a pause', () => {
  test.each([false, 0, '', [], {}, 'yes'])('takes %j for an answer', async (answer) => {
    const run = await harness.submit('ask', { input: { text: 'hi' } });
    const { pause } = await harness.untilState(run, 'paused');
    expect(pause).toMatchObject({ number: 1, interrupts: [{ node: 'ask', value: 'q' }], next: ['ask'] });
    expect(await harness.threads.get(run.threadId)).toMatchObject({ status: 'interrupted' });
    expect((await harness.runs.claimPause(run.runId, answer)).kind).toBe('claimed');
    await harness.workflow(run).signal(RESUME_SIGNAL, { pause: 1 });
    await harness.untilState(run, 'success');
    expect(await valuesOf(run.threadId)).toEqual({ text: 'hi', v: answer, log: [] });
    expect(events(await harness.log(run))).toEqual(
      expect.arrayContaining(['run.paused', 'run.resumed', 'run.completed']),
    );
  });

  test('with two questions takes two answers at once', async () => {
    const run = await harness.submit('two', { input: { text: 'hi' } });
    const { pause } = await harness.untilState(run, 'paused');
    const [a, b] = ['qa', 'qb'].map((value) => pause?.interrupts.find((asked) => asked.value === value)?.id ?? '');
    await harness.runs.claimPause(run.runId, { [String(a)]: false, [String(b)]: 0 });
    await harness.workflow(run).signal(RESUME_SIGNAL, { pause: 1 });
    await harness.untilState(run, 'success');
    expect(await valuesOf(run.threadId)).toMatchObject({ log: ['a:false', 'b:0', 'c'] });
  });

  test('is answered by an operator’s signal, once', async () => {
    const run = await harness.submit('ask', { input: { text: 'hi' } });
    await harness.untilState(run, 'paused');
    await until('the workflow waits', async () => {
      await harness.workflow(run).signal(RESUME_SIGNAL, { value: 'operator' });
      return (await harness.row(run)).state === 'success';
    });
    expect(await valuesOf(run.threadId)).toMatchObject({ v: 'operator' });
  });

  test('is taken up by a new run with a command', async () => {
    const first = await harness.submit('ask', { input: { text: 'hi' } });
    await harness.untilState(first, 'paused');
    await harness.workflow(first).signal(CANCEL_SIGNAL, { runId: first.runId, action: 'interrupt' });
    await harness.untilState(first, 'interrupted');
    const second = await harness.submit('ask', { command: { resume: 'later' } }, first.threadId);
    await harness.untilState(second, 'success');
    expect(await valuesOf(first.threadId)).toMatchObject({ v: 'later' });
  });
});

describe('a failure', () => {
  test('of a node ends the run with its class, message and node, and an error frame', async () => {
    const run = await harness.submit('broken', { input: { text: 'hi' } });
    expect((await harness.untilState(run, 'error')).error).toEqual({
      error: 'TypeError',
      message: 'It broke.',
      node: 'b',
    });
    const entries = await harness.log(run);
    expect(events(entries).slice(-3)).toEqual(['node.failed', 'error', 'run.failed']);
    expect(rising(entries)).toBe(true);
    await expect(harness.workflow(run).result()).rejects.toMatchObject({ cause: { message: 'Node "b": It broke.' } });
    expect(await harness.threads.get(run.threadId)).toMatchObject({ status: 'error', values: { log: ['a'] } });
  });

  test('of the state to be stored names node, channel and path', async () => {
    const run = await harness.submit('bigint', { input: { text: 'hi' } });
    const { error } = await harness.untilState(run, 'error');
    expect(error?.message).toMatch(/"put" wrote a BigInt \(10n\) to "v" at amount/);
  });

  test('of a state that is too large names size, limit and node', async () => {
    const run = await harness.submit('big', { input: { text: 'hi' } });
    const { error } = await harness.untilState(run, 'error');
    expect(error?.message).toMatch(/"make".*5\.0 MB.*4\.0 MB/);
  });

  test('by the recursion limit keeps what was done', async () => {
    const run = await harness.submit('loop', { input: { text: 'hi' }, config: { recursion_limit: 4 } });
    const { error } = await harness.untilState(run, 'error');
    expect(error).toMatchObject({ error: 'GraphRecursionError' });
    expect(error?.message).toMatch(/Recursion limit of 4/);
    expect(await valuesOf(run.threadId)).toMatchObject({ log: ['x', 'x', 'x', 'x'] });
  });

  test('of a node with a retry policy runs that node again and its sibling not', async () => {
    const run = await harness.submit('flaky', { input: { text: 'hi' }, stream_mode: ['values', 'updates', 'tasks'] });
    await harness.untilState(run, 'success');
    expect(calls.filter((call) => call.startsWith('flaky.')).sort()).toEqual(['flaky.a', 'flaky.b', 'flaky.b']);
    expect(await valuesOf(run.threadId)).toMatchObject({ log: ['a', 'b'] });
    const entries = await harness.log(run);
    const seen = events(entries);
    expect(seen.filter((event) => event === 'node.retrying')).toHaveLength(1);
    expect(seen).not.toContain('node.failed');
    // As in invoke(), where a node is retried within its superstep: what was told is not told again.
    const shown = entries.flatMap(({ event, json = 'null' }) =>
      ['values', 'updates', 'tasks'].includes(event) ? [[event, JSON.parse(json)] as const] : [],
    );
    expect(shown.map(([event]) => event)).toEqual([
      ...['values', 'tasks', 'tasks'], // the input, and the start of both
      ...['updates', 'tasks'], // a
      ...['updates', 'tasks'], // b
      'values',
    ]);
    expect(shown.filter(([event]) => event === 'updates').map(([, update]) => update)).toEqual([
      { a: { log: ['a'] } },
      { b: { log: ['b'] } },
    ]);
    // Progress views see b start again, and a not.
    const starts = entries.filter(({ event }) => event === 'node.started').map(({ json = '' }) => JSON.parse(json));
    expect(starts.map(({ node, attempt }) => [node, attempt])).toEqual([
      ['a', 1],
      ['b', 1],
      ['b', 2],
    ]);
  });
});

describe('a cancel', () => {
  const running = async (graph = 'slow') => {
    started = new Promise((resolve) => {
      markStarted = resolve;
    });
    const run = await harness.submit(graph, { input: { text: 'hi' } });
    await started;
    return run;
  };

  test('keeps the supersteps that were done', async () => {
    const run = await running();
    await harness.workflow(run).signal(CANCEL_SIGNAL, { runId: run.runId, action: 'interrupt' });
    await harness.untilState(run, 'interrupted');
    expect(await harness.threads.get(run.threadId)).toMatchObject({
      status: 'interrupted',
      values: { log: ['first'] },
    });
    expect(events(await harness.log(run)).at(-1)).toBe('run.cancelled');
  });

  test('leaves a node behind that ignores it, and nothing of what that does later is kept', async () => {
    const run = await running('deaf');
    await harness.workflow(run).signal(CANCEL_SIGNAL, { runId: run.runId, action: 'interrupt' });
    await harness.untilState(run, 'interrupted');
    const before = await harness.checkpoints(run.threadId);
    releaseDeaf();
    const after = async () =>
      (await harness.checkpoints(run.threadId))[0]?.pendingWrites?.map(([, channel]) => channel);
    // Its sibling had finished, and is kept.
    expect(await after()).toEqual(['log']);
    expect(await harness.checkpoints(run.threadId)).toEqual(before);
  });

  test('with rollback leaves nothing of the run', async () => {
    const run = await running();
    harness.aborts.abort(run.runId);
    await harness.workflow(run).signal(CANCEL_SIGNAL, { runId: run.runId, action: 'rollback' });
    await until('the run is gone', async () => (await harness.runs.read(run.runId)) === null);
    expect(await harness.checkpoints(run.threadId)).toEqual([]);
    expect(await harness.threads.get(run.threadId)).toMatchObject({ status: 'idle', values: null });
  });
});
