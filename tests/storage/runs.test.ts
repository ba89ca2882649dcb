import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import {
  aPause,
  aRecord,
  aRun,
  aStep,
  idleThread,
  openStorage,
  pausedRun,
  submitted,
  type Storage,
} from './fixtures.js';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
}, POSTGRES_START_TIMEOUT_MS);
afterAll(() => storage.close());

const begin = (step = 1, executionId = 'execution') => ({
  executionId,
  from: { seq: -1, frame: -1 },
  step,
  attempt: 1,
});

test('a submitted run is pending, and its thread is busy and knows graph, assistant and config', async () => {
  const submit = aRun({ metadata: { tag: 'first' } });
  const answer = await storage.runs.submit(submit);
  expect(answer).toMatchObject({
    kind: 'accepted',
    run: { state: 'pending', metadata: { tag: 'first' } },
    inflight: [],
  });
  expect(await storage.threads.get(submit.threadId)).toMatchObject({
    status: 'busy',
    metadata: { graph_id: 'graph', assistant_id: 'assistant' },
    config: { configurable: { user: 'ada' } },
  });
  expect((await storage.runs.get(submit.threadId, submit.runId))?.kwargs).toEqual(submit.kwargs);
});

test('a run on a missing thread is refused unless the thread may be created', async () => {
  const submit = aRun({ ifThreadMissing: 'reject' });
  expect(await storage.runs.submit(submit)).toEqual({ kind: 'thread_missing' });
  expect(await storage.threads.get(submit.threadId)).toBeNull();
});

test('the same run id is accepted once, however often it is sent', async () => {
  const submit = aRun();
  const answers = await Promise.all(Array.from({ length: 8 }, () => storage.runs.submit(submit)));
  expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['accepted']));
  expect(await storage.runs.list(submit.threadId, { limit: 10, offset: 0 })).toHaveLength(1);
});

test('of parallel submits that reject company exactly one is accepted', async () => {
  const threadId = randomUUID();
  const submits = Array.from({ length: 20 }, () => aRun({ threadId, multitaskStrategy: 'reject' }));
  const answers = await Promise.all(submits.map((submit) => storage.runs.submit(submit)));
  expect(answers.filter((answer) => answer.kind === 'accepted')).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === 'busy')).toHaveLength(19);
});

test('a run that would wait is refused where as many wait as may; a repeat, and one that displaces them, are not', async () => {
  const bound = { threadId: randomUUID(), maxWaiting: 2 };
  const [first, second] = [aRun(bound), aRun(bound)];
  for (const submit of [first, second]) expect((await storage.runs.submit(submit)).kind).toBe('accepted');
  expect(await storage.runs.submit(aRun(bound))).toEqual({ kind: 'queue_full' });
  expect(await storage.runs.list(bound.threadId, { limit: 10, offset: 0 })).toHaveLength(2);
  expect((await storage.runs.submit(second)).kind).toBe('accepted');
  expect((await storage.runs.submit(aRun({ ...bound, multitaskStrategy: 'interrupt' }))).kind).toBe('accepted');
});

test('a paused run is no obstacle to a run that rejects company', async () => {
  const paused = await pausedRun(storage);
  const answer = await storage.runs.submit(aRun({ threadId: paused.threadId, multitaskStrategy: 'reject' }));
  expect(answer).toMatchObject({ kind: 'accepted', inflight: [{ runId: paused.runId, state: 'paused' }] });
});

test('runs of a thread are ordered as they were accepted, and each sees those before it', async () => {
  const threadId = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => storage.runs.submit(aRun({ threadId }))));
  const accepted = answers
    .flatMap((answer) => (answer.kind === 'accepted' ? [answer] : []))
    .sort((a, b) => a.inflight.length - b.inflight.length);
  expect(accepted.map(({ inflight }) => inflight.length)).toEqual([...Array(20).keys()]);
  const ids = accepted.map(({ run }) => run.runId);
  expect((await storage.runs.listInflight(threadId)).map((run) => run.runId)).toEqual(ids);
  expect((await storage.runs.list(threadId, { limit: 3, offset: 1 })).map((run) => run.runId)).toEqual(
    ids.toReversed().slice(1, 4),
  );
  const times = accepted.map(({ run }) => run.createdAt.getTime());
  expect(new Set(times).size).toBe(20);
});

test('runs are listed by state', async () => {
  const paused = await pausedRun(storage);
  const page = { limit: 10, offset: 0 };
  expect(await storage.runs.list(paused.threadId, { ...page, states: ['paused', 'success'] })).toHaveLength(1);
  expect(await storage.runs.list(paused.threadId, { ...page, states: ['pending'] })).toEqual([]);
});

test('beginning marks the run running and notes each execution once', async () => {
  const { runId, threadId } = await submitted(storage);
  await storage.runs.begin(runId, begin());
  await storage.runs.begin(runId, { ...begin(), attempt: 2 });
  const run = await storage.runs.begin(runId, { ...begin(2, 'next'), from: { seq: 7, frame: 3 } });
  expect(run).toMatchObject({
    state: 'running',
    segments: [
      { executionId: 'execution', from: { seq: -1, frame: -1 } },
      { executionId: 'next', from: { seq: 7, frame: 3 } },
    ],
  });
  expect(run?.startedAt).toBeInstanceOf(Date);
  expect((await storage.threads.get(threadId))?.status).toBe('busy');
});

test('a run that is over, paused or gone does not begin', async () => {
  const over = await submitted(storage);
  await storage.runs.cancelPending(over.runId);
  const paused = await pausedRun(storage);
  for (const runId of [over.runId, randomUUID()]) expect(await storage.runs.begin(runId, begin())).toBeNull();
  expect(await storage.runs.begin(paused.runId, begin(2))).toBeNull();
});

test('beginning a step that is committed gives what was committed', async () => {
  const run = await submitted(storage);
  const then = { kind: 'settle', state: 'success', thread: idleThread() } as const;
  await storage.steps.commitStep(aStep(storage, run, 1, { then }));
  expect(await storage.runs.begin(run.runId, begin(1))).toMatchObject({ state: 'success', lastStep: aRecord(1) });
});

test('of twenty answers to one pause exactly one is accepted', async () => {
  const { runId, threadId } = await pausedRun(storage);
  const claims = await Promise.all(Array.from({ length: 20 }, (_, i) => storage.runs.claimPause(runId, `answer ${i}`)));
  const claimed = claims.filter((claim) => claim.kind === 'claimed');
  expect(claimed).toHaveLength(1);
  expect(claims.filter((claim) => claim.kind === 'not_paused' && claim.state === 'running')).toHaveLength(19);
  const run = await storage.runs.read(runId);
  expect(run).toMatchObject({ state: 'running', resume: { pause: 1 } });
  expect(run?.resume).toEqual(claimed[0]?.kind === 'claimed' ? claimed[0].run.resume : undefined);
  expect((await storage.threads.get(threadId))?.status).toBe('busy');
});

test('a map of answers may name interrupts of the pause only', async () => {
  const [first, second, other] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];
  const { runId } = await pausedRun(storage, aPause(1, [first, second]));
  expect(await storage.runs.claimPause(runId, { [first]: 1, [other]: 2 })).toEqual({
    kind: 'unknown_interrupt',
    ids: [other],
  });
  expect(await storage.runs.claimPause(runId, { [first]: 1, [second]: null })).toMatchObject({
    kind: 'claimed',
    pause: aPause(1, [first, second]),
  });
});

test.each([false, 0, '', [], {}, { approve: true }, { ['f'.repeat(32)]: 1, note: 'not a map' }])(
  '%j is an answer',
  async (answer) => {
    const { runId } = await pausedRun(storage);
    await storage.runs.claimPause(runId, answer as never);
    expect((await storage.runs.read(runId))?.resume?.answer).toEqual(answer);
  },
);

test('an answer whose signal was lost is found among open runs until a superstep has consumed it', async () => {
  const run = await pausedRun(storage);
  const unwoken = async () =>
    (await storage.runs.listOpen({ olderThanMs: 0, limit: 1000 }))
      .filter(({ resume }) => resume !== null)
      .map(({ runId }) => runId);
  expect(await unwoken()).not.toContain(run.runId);
  await storage.runs.claimPause(run.runId, 'yes');
  expect(await unwoken()).toContain(run.runId);
  expect(await storage.runs.begin(run.runId, begin(2))).toMatchObject({ resume: { pause: 1, answer: 'yes' } });
  await storage.steps.commitStep(aStep(storage, run, 2));
  expect(await unwoken()).not.toContain(run.runId);
  expect(await storage.runs.read(run.runId)).toMatchObject({ resume: null, pause: null });
});

test('open runs are found when they were not touched for long enough', async () => {
  const run = await submitted(storage);
  const open = async (olderThanMs: number) =>
    (await storage.runs.listOpen({ olderThanMs, limit: 1000 })).map(({ runId }) => runId);
  expect(await open(60_000)).not.toContain(run.runId);
  expect(await open(0)).toContain(run.runId);
});

test('only a pending run is cancelled without a workflow, and its thread is as before', async () => {
  const paused = await pausedRun(storage);
  const queued = await submitted(storage, { threadId: paused.threadId });
  expect((await storage.threads.get(paused.threadId))?.status).toBe('busy');
  expect(await storage.runs.cancelPending(queued.runId)).toMatchObject({ state: 'interrupted' });
  expect(await storage.runs.cancelPending(queued.runId)).toBeNull();
  expect((await storage.threads.get(paused.threadId))?.status).toBe('interrupted');
});

test('attempts and node failures of a superstep are counted until it is committed', async () => {
  const run = await submitted(storage);
  const { runId } = run;
  await storage.runs.openAttempt(runId, { step: 1, attempt: 2 });
  await Promise.all(
    Array.from({ length: 5 }, () => storage.runs.recordNodeFailure(runId, { step: 1, taskId: 'task' })),
  );
  expect(await storage.runs.closeAttempt(runId, { step: 1, attempt: 2 })).toEqual({
    step: 1,
    opened: [2],
    closed: [2],
    nodeFailures: { task: 5 },
  });
  expect((await storage.runs.read(runId))?.attempt).toBe(2);
  await storage.steps.commitStep(aStep(storage, run, 1, { attempt: 2 }));
  expect(await storage.runs.read(runId)).toMatchObject({ attempts: null, attempt: 1 });
  expect(await storage.runs.openAttempt(runId, { step: 2, attempt: 3 })).toMatchObject({ step: 2, opened: [3] });
});

test('a deleted run takes its checkpoints and blobs along, and frees its thread', async () => {
  const run = await submitted(storage);
  await storage.steps.commitStep(aStep(storage, run, 1));
  const blobId = await storage.blobs.put(run.runId, Buffer.from(run.runId));
  expect(await storage.runs.delete(randomUUID(), run.runId)).toBe(false);
  expect(await storage.runs.delete(run.threadId, run.runId)).toBe(true);
  expect(await storage.blobs.get(blobId)).toBeNull();
  expect(await storage.saver.getTuple({ configurable: { thread_id: run.threadId } })).toBeUndefined();
  expect((await storage.threads.get(run.threadId))?.status).toBe('idle');
});

test('temporary threads are found though a run holds a NUL', async () => {
  const run = await submitted(storage, { kwargs: { ...aRun().kwargs, input: 'a\u0000b', temporary: true } });
  await storage.runs.cancelPending(run.runId);
  expect(await storage.runs.listTemporaryThreads({ olderThanMs: 0, limit: 1000 })).toContain(run.threadId);
});

test('a pause that was cancelled takes no answer, and one that was answered cannot be cancelled any more', async () => {
  const cancelled = await pausedRun(storage);
  expect(await storage.runs.cancelPause(cancelled.runId, 'rollback')).toBe(true);
  expect(await storage.runs.claimPause(cancelled.runId, 'yes')).toEqual({ kind: 'cancelled' });
  expect(await storage.runs.read(cancelled.runId)).toMatchObject({
    state: 'running',
    resume: null,
    pause: { number: 1, cancelled: 'rollback' },
  });
  expect((await storage.threads.get(cancelled.threadId))?.status).toBe('busy');

  const answered = await pausedRun(storage);
  expect(await storage.runs.claimPause(answered.runId, 'yes')).toMatchObject({ kind: 'claimed' });
  expect(await storage.runs.cancelPause(answered.runId, 'interrupt')).toBe(false);
});

test('of an answer and a cancel that come at once exactly one is accepted', async () => {
  for (let round = 0; round < 10; round += 1) {
    const run = await pausedRun(storage);
    const [claim, cancelled] = await Promise.all([
      storage.runs.claimPause(run.runId, 'yes'),
      storage.runs.cancelPause(run.runId, 'interrupt'),
    ]);
    expect(claim.kind === 'claimed').toBe(!cancelled);
  }
});
