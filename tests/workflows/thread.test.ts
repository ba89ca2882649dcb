import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { EventsAnswer, EventsRequest } from '../../events/batch.js';
import {
  ATTRIBUTE_KEYS,
  CANCEL_SIGNAL,
  EVENTS_QUERY,
  RESUME_SIGNAL,
  runAttributes,
  SNAPSHOT_QUERY,
  startStatus,
  SUBMIT_RUN_SIGNAL,
  THREAD_WORKFLOW,
  threadWorkflowId,
  type MultitaskStrategy,
  type RunRef,
  type SubmitRunSignal,
  type ThreadInput,
  type ThreadSnapshot,
} from '../../workflows/messages.js';
import { ScriptedSteps, type ScriptedStep } from '../support/scripted-steps.js';
import { startTestTemporal, type TestTemporal } from '../support/temporal.js';
import { startThreadWorker, type TestWorker } from '../support/thread-worker.js';
import { until } from '../support/until.js';

// Real Temporal, on a machine that may be busy.
jest.setTimeout(60_000);

type Thread = (input: ThreadInput) => Promise<void>;

let temporal: TestTemporal;
let worker: TestWorker;
let steps: ScriptedSteps;
let threadId: string;

beforeAll(async () => {
  temporal = await startTestTemporal();
  worker = await startThreadWorker(temporal.address, {
    superstep: (input) => steps.superstep(input),
    settle: (input) => steps.settle(input),
  });
}, 60_000);
afterAll(async () => {
  await worker?.stop();
  await temporal?.stop();
}, 30_000);
beforeEach(() => {
  steps = new ScriptedSteps();
  threadId = randomUUID();
});

function refTo(script: readonly ScriptedStep[], more: Partial<RunRef> = {}): RunRef {
  const run = {
    runId: randomUUID(),
    assistantId: 'assistant',
    graphId: 'graph',
    strategy: 'enqueue',
    ...more,
  } as const;
  steps.scripts.set(run.runId, script);
  return run;
}
const inputOf = (run: RunRef): ThreadInput => ({
  threadId,
  run,
  queue: [],
  recent: [],
  policy: { startToCloseMs: 60_000, heartbeatTimeoutMs: 5_000 },
});
const startOptions = (run: RunRef) => ({
  workflowId: threadWorkflowId(threadId),
  taskQueue: worker.taskQueue,
  args: [inputOf(run)] as [ThreadInput],
  typedSearchAttributes: runAttributes(threadId, run, startStatus(run)),
});
const start = (run: RunRef) => worker.client.workflow.start<Thread>(THREAD_WORKFLOW, startOptions(run));
const submit = (run: RunRef, earlier: readonly RunRef[] = []) =>
  worker.client.workflow.signalWithStart<Thread, [SubmitRunSignal]>(THREAD_WORKFLOW, {
    ...startOptions(run),
    signal: SUBMIT_RUN_SIGNAL,
    signalArgs: [{ run, earlier }],
  });
const latest = (): WorkflowHandle<Thread> => worker.client.workflow.getHandle(threadWorkflowId(threadId));
const snapshot = () => latest().query<ThreadSnapshot>(SNAPSHOT_QUERY);
const untilState = (state: ThreadSnapshot['state'], runId?: string) =>
  until(`the thread is ${state}`, async () => {
    const now = await snapshot();
    return now.state === state && (runId === undefined || now.run.runId === runId);
  });
const untilHanging = (run: RunRef) =>
  until(`${run.runId} runs`, () => steps.supersteps.some((input) => input.run.runId === run.runId));
const endings = () => steps.settled.map(({ run, outcome }) => [run.runId, outcome.kind]);

describe('a run', () => {
  test('is one execution, and supersteps are at most six history events each', async () => {
    const run = refTo([...Array<ScriptedStep>(9).fill('continue'), 'done']);
    const handle = await start(run);
    await handle.result();
    const { historyLength, typedSearchAttributes, status } = await handle.describe();
    // Start, and a workflow task of three events, and the last status with the end.
    expect(historyLength).toBeLessThanOrEqual(10 * 6 + 6);
    expect(status.name).toBe('COMPLETED');
    expect(typedSearchAttributes.get(ATTRIBUTE_KEYS.runStatus)).toBe('success');
    expect(steps.supersteps.map(({ progress }) => progress?.step ?? 1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('names its supersteps by their nodes', async () => {
    const handle = await start(refTo(['continue', 'done'], { firstNodes: ['plan'] }));
    await handle.result();
    const { events } = await handle.fetchHistory();
    const summaries = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes, userMetadata }) =>
      activityTaskScheduledEventAttributes ? [String(Buffer.from(userMetadata?.summary?.data ?? ''))] : [],
    );
    expect(summaries).toEqual(['"step 1: plan"', '"step 2: research, critic"']);
  });

  test('that fails leaves a failed execution that names the node', async () => {
    const run = refTo(['fail']);
    const handle = await start(run);
    await expect(handle.result()).rejects.toMatchObject({ cause: { message: 'Node "research": It broke.' } });
    expect(steps.settled).toMatchObject([
      {
        beyondEnd: 'nothing',
        end: { seq: 1 },
        outcome: { kind: 'error', error: { error: 'TypeError', node: 'research' } },
      },
    ]);
  });

  test('that fails makes way for the next one', async () => {
    const [failing, next] = [refTo(['fail']), refTo(['done'])];
    const [input] = startOptions(failing).args;
    await worker.client.workflow.start<Thread>(THREAD_WORKFLOW, {
      ...startOptions(failing),
      args: [{ ...input, queue: [next] }],
    });
    await latest().result();
    expect(steps.supersteps.map(({ run }) => run.runId)).toEqual([failing.runId, next.runId]);
  });

  test('waits for its time, and a cancel cuts that short', async () => {
    const run = refTo(['done'], { notBefore: Date.now() + 3_600_000 });
    const handle = await start(run);
    await untilState('delayed');
    await handle.signal(CANCEL_SIGNAL, { runId: run.runId, action: 'interrupt' });
    await handle.result();
    expect(steps.supersteps).toEqual([]);
    expect(endings()).toEqual([[run.runId, 'interrupted']]);
  });

  test('that starts later lets a run go first that is due, and is cancelled in the queue as anywhere', async () => {
    const [delayed, due] = [refTo(['done'], { notBefore: Date.now() + 3_600_000 }), refTo(['done'])];
    await start(delayed);
    await untilState('delayed');
    await submit(due);
    await until('the due run has run', () => steps.supersteps.length > 0);
    expect(steps.supersteps.map(({ run }) => run.runId)).toEqual([due.runId]);
    await untilState('delayed', delayed.runId);
    await latest().signal(CANCEL_SIGNAL, { runId: delayed.runId, action: 'interrupt' });
    await latest().result();
    expect(endings()).toEqual([[delayed.runId, 'interrupted']]);
  });

  test('that must not run is nobody’s to settle', async () => {
    const handle = await start(refTo(['gone']));
    await handle.result();
    expect(steps.settled).toEqual([]);
  });
});

describe('a paused run', () => {
  test('waits without a timer, says what for, and goes on with the answer to its pause alone', async () => {
    const run = refTo(['pause', 'done']);
    const handle = await start(run);
    await untilState('waiting');
    const described = await handle.describe();
    expect(described.typedSearchAttributes.get(ATTRIBUTE_KEYS.waitsForApproval)).toBe(true);
    expect((await snapshot()).waitingFor).toMatchObject([{ node: 'review', summary: 'May I?' }]);
    const { events } = await handle.fetchHistory();
    expect((events ?? []).some(({ timerStartedEventAttributes }) => timerStartedEventAttributes)).toBe(false);

    await handle.signal(RESUME_SIGNAL, { pause: 7 });
    await untilState('waiting');
    await handle.signal(RESUME_SIGNAL, { pause: 1 });
    await handle.result();
    expect(steps.supersteps.map(({ resume }) => resume)).toEqual([undefined, { pause: 1 }]);
  });

  test('takes an operator’s answer without a number', async () => {
    const handle = await start(refTo(['pause', 'done']));
    await untilState('waiting');
    await handle.signal(RESUME_SIGNAL, { value: { approved: true } });
    await handle.result();
    expect(steps.supersteps[1]?.resume).toEqual({ pause: 1, value: { approved: true } });
  });

  test('can be cancelled', async () => {
    const run = refTo(['pause']);
    const handle = await start(run);
    await untilState('waiting');
    await handle.signal(CANCEL_SIGNAL, { runId: run.runId, action: 'rollback' });
    await handle.result();
    expect(endings()).toEqual([[run.runId, 'rolled_back']]);
  });

  test.each(['enqueue', 'interrupt', 'rollback', 'reject'] as const)(
    'is superseded by a new run with %s',
    async (strategy) => {
      const [paused, next] = [refTo(['pause']), refTo(['done'], { strategy })];
      await start(paused);
      await untilState('waiting');
      await submit(next);
      await latest().result();
      expect(steps.settled.map(({ outcome }) => outcome)).toEqual([{ kind: 'superseded', by: next.runId }]);
      expect(steps.supersteps.at(-1)?.run.runId).toBe(next.runId);
    },
  );

  test('goes on, though a new run waits, when its answer was accepted before', async () => {
    steps.supersede = 'answered';
    const [paused, next] = [refTo(['pause', 'done']), refTo(['done'])];
    await start(paused);
    await untilState('waiting');
    await submit(next);
    await latest().signal(RESUME_SIGNAL, { pause: 1 });
    await latest().result();
    expect(steps.supersteps.map(({ run }) => run.runId)).toEqual([paused.runId, paused.runId, next.runId]);
    expect(steps.settled).toEqual([]);
  });
});

describe('a run submitted to a busy thread', () => {
  const cases: readonly [MultitaskStrategy, string | undefined][] = [
    ['interrupt', 'interrupted'],
    ['rollback', 'rolled_back'],
  ];
  test.each(cases)('with %s stops the running one and all that wait', async (strategy, ending) => {
    const [running, queued, next] = [refTo(['hang']), refTo(['done']), refTo(['done'], { strategy })];
    await start(running);
    await untilHanging(running);
    await submit(queued);
    await submit(next);
    await latest().result();
    expect(endings().sort()).toEqual(
      [
        [running.runId, ending],
        [queued.runId, ending],
      ].sort(),
    );
    expect(steps.supersteps.map(({ run }) => run.runId)).toEqual([running.runId, next.runId]);
  });

  test('runs after it, in an execution of its own, and is accepted once', async () => {
    const [running, next] = [refTo(['hang']), refTo(['done'])];
    const first = await start(running);
    await untilHanging(running);
    await submit(next);
    await submit(next);
    await latest().signal(CANCEL_SIGNAL, { runId: running.runId, action: 'interrupt' });
    await latest().result();
    const { runId, typedSearchAttributes } = await latest().describe();
    expect(runId).not.toBe(first.firstExecutionRunId);
    expect(typedSearchAttributes.get(ATTRIBUTE_KEYS.run)).toBe(next.runId);
    expect(steps.supersteps.filter(({ run }) => run.runId === next.runId)).toHaveLength(1);
  });

  test('takes its place before a later one that names it, though its own submission was lost', async () => {
    const [running, lost, next] = [refTo(['hang']), refTo(['done']), refTo(['done'])];
    await start(running);
    await untilHanging(running);
    await submit(next, [lost]);
    await submit(lost);
    expect((await snapshot()).queue.map(({ runId }) => runId)).toEqual([lost.runId, next.runId]);
    await latest().signal(CANCEL_SIGNAL, { runId: running.runId, action: 'interrupt' });
    await latest().result();
    expect(steps.supersteps.map(({ run }) => run.runId)).toEqual([running.runId, lost.runId, next.runId]);
  });

  test('can be cancelled while it waits, at once', async () => {
    const [running, queued] = [refTo(['hang']), refTo(['done'])];
    await start(running);
    await untilHanging(running);
    await submit(queued);
    await latest().signal(CANCEL_SIGNAL, { runId: queued.runId, action: 'interrupt' });
    await until('it is settled', () => steps.settled.length === 1);
    expect((await snapshot()).state).toBe('running');
    await latest().signal(CANCEL_SIGNAL, { runId: running.runId, action: 'interrupt' });
    await latest().result();
    expect(endings()).toEqual([
      [queued.runId, 'interrupted'],
      [running.runId, 'interrupted'],
    ]);
  });
});

describe('an operator', () => {
  test('who requests cancellation interrupts the run, and the execution reads as cancelled', async () => {
    const run = refTo(['hang']);
    const handle = await start(run);
    await untilHanging(run);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(endings()).toEqual([[run.runId, 'interrupted']]);
  });
});

describe('continue-as-new within a run', () => {
  test('loses nothing of 300 signals, keeps the log in segments and the run in order', async () => {
    const run = refTo([...Array<ScriptedStep>(220).fill('continue'), 'pause', 'done']);
    const first = await start(run);
    const queued = Array.from({ length: 100 }, () => refTo(['done']));
    let sent = 0;
    const sender = async () => {
      while (sent < 300) {
        const n = sent++;
        if (n % 3 === 0) await submit(queued[n / 3] as RunRef);
        else await latest().signal(RESUME_SIGNAL, { pause: n });
      }
    };
    await Promise.all([sender(), sender(), sender()]);
    await until('all runs have run', () => new Set(steps.supersteps.map(({ run: of }) => of.runId)).size === 101, {
      withinMs: 120_000,
    });
    await latest().result();

    const own = steps.supersteps.filter(({ run: of }) => of.runId === run.runId);
    expect(own.map(({ progress }) => progress?.step ?? 1)).toEqual(Array.from({ length: 222 }, (_, n) => n + 1));
    // Sent at the beginning, carried over continue-as-new, and read when the run came to its pause.
    expect(own.at(-1)?.resume).toEqual({ pause: 1 });
    for (const { runId } of queued) {
      expect(steps.supersteps.filter(({ run: of }) => of.runId === runId)).toHaveLength(1);
    }
    const segment = worker.client.workflow.getHandle(threadWorkflowId(threadId), first.firstExecutionRunId);
    const { historyLength } = await segment.describe();
    expect(historyLength).toBeLessThan(2_000);
    const answer = await segment.query<EventsAnswer, [EventsRequest]>(EVENTS_QUERY, {
      after: { kind: 'seq', after: -1 },
      maxBytes: 1e6,
    });
    expect(answer.batches[0]?.first.seq).toBe(0);
    expect(answer.end.seq).toBe((answer.batches.length - 1) * 2 + 1);
  }, 180_000);
});
