import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Annotation, END, interrupt, START, StateGraph } from '../../graph-core/index.js';
import {
  SWEEP_WORKFLOW,
  THREAD_WORKFLOW,
  threadWorkflowId,
  type SweepActivities,
  type ThreadInput,
} from '../../workflows/messages.js';
import { RunHarness, type SubmittedRun } from '../support/run-harness.js';

// Real Temporal, on a machine that may be busy.
jest.setTimeout(60_000);

const State = Annotation.Root({ text: Annotation<string>(), v: Annotation<unknown>() });
let runsOfNode = 0;
let started: Promise<void>;
let markStarted: () => void;

const plain = new StateGraph(State)
  .addNode('count', () => {
    runsOfNode += 1;
    return { v: runsOfNode };
  })
  .addEdge(START, 'count')
  .addEdge('count', END)
  .compile();
const ask = new StateGraph(State)
  .addNode('ask', () => ({ v: interrupt('q') }))
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile();
const slow = new StateGraph(State)
  .addNode('slow', async (_state, { signal }) => {
    markStarted();
    await new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
    return {};
  })
  .addEdge(START, 'slow')
  .addEdge('slow', END)
  .compile();

let harness: RunHarness;
beforeAll(async () => {
  harness = await RunHarness.start({ plain, ask, slow });
}, 120_000);
afterAll(() => harness?.stop(), 60_000);
beforeEach(() => {
  runsOfNode = 0;
  started = new Promise((resolve) => {
    markStarted = resolve;
  });
});

const sweep = () =>
  harness.worker.client.workflow.execute<SweepActivities['sweep']>(SWEEP_WORKFLOW, {
    workflowId: 'sweep',
    taskQueue: harness.worker.taskQueue,
  });
const input = { input: { text: 'hi' } };

test('a run that was stored and never started is started', async () => {
  const run = await harness.store('plain', input);
  expect(await sweep()).toMatchObject({ restarted: 1 });
  await harness.untilState(run, 'success');
});

test('runs of one thread are started in the order in which they were accepted', async () => {
  const first = await harness.store('plain', input);
  const second = await harness.store('plain', input, { threadId: first.threadId });
  await sweep();
  const [one, two] = [await harness.untilState(first, 'success'), await harness.untilState(second, 'success')];
  expect(one.endedAt?.getTime()).toBeLessThan(two.startedAt?.getTime() ?? 0);
  expect(runsOfNode).toBe(2);
});

test('a run whose workflow was terminated ends as an error, and its queue goes on', async () => {
  const run = await harness.submit('slow', input);
  const queued = await harness.store('plain', input, { threadId: run.threadId });
  await started;
  await harness.workflow(run).terminate('by hand');
  harness.aborts.abort(run.runId);
  await sweep();
  expect((await harness.row(run)).error?.message).toBe('The run was terminated in Temporal.');
  await sweep();
  await harness.untilState(queued, 'success');
});

test('an answer whose signal was lost is signalled again', async () => {
  const run = await harness.submit('ask', input);
  await harness.untilState(run, 'paused');
  await harness.runs.claimPause(run.runId, 'yes');
  expect(await sweep()).toMatchObject({ nudged: 1 });
  await harness.untilState(run, 'success');
  expect((await harness.threads.get(run.threadId))?.values).toMatchObject({ v: 'yes' });
});

test('a run that is under way is left alone', async () => {
  const run = await harness.submit('slow', input);
  await started;
  expect(await sweep()).toEqual({ restarted: 0, closed: 0, nudged: 0 });
  harness.aborts.abort(run.runId);
  await harness.workflow(run).signal('cancel', { runId: run.runId, action: 'interrupt' });
  await harness.untilState(run, 'interrupted');
});

test('a finished run that is started again runs nothing, and answers what was committed', async () => {
  const run = await harness.submit('plain', input);
  await harness.untilState(run, 'success');
  await harness.workflow(run).result();
  await startAgain(run);
  await harness.workflow(run).result();
  expect(runsOfNode).toBe(1);
  expect((await harness.row(run)).state).toBe('success');
});

function startAgain({ runId, threadId }: SubmittedRun) {
  const run = { runId, assistantId: 'assistant', graphId: 'plain', strategy: 'enqueue' } as const;
  const policy = { startToCloseMs: 60_000, heartbeatTimeoutMs: 5_000 };
  return harness.worker.client.workflow.start<(input: ThreadInput) => Promise<void>>(THREAD_WORKFLOW, {
    workflowId: threadWorkflowId(threadId),
    taskQueue: harness.worker.taskQueue,
    args: [{ threadId, run, queue: [], recent: [], policy }],
  });
}
