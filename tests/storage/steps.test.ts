import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import pg from 'pg';
import { isUnavailable } from '../../storage/database.js';
import type { Run } from '../../storage/records.js';
import { inTransaction } from '../../storage/transaction.js';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import {
  aCheckpoint,
  aPause,
  aRecord,
  aStep,
  idleThread,
  latestValue,
  openStorage,
  pausedRun,
  pausing,
  submitted,
  waitingThread,
  type Storage,
} from './fixtures.js';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
}, POSTGRES_START_TIMEOUT_MS);
afterAll(() => storage.close());

const settling = { then: { kind: 'settle', state: 'success', thread: idleThread() } } as const;

async function checkpointsOf(threadId: string): Promise<number> {
  let count = 0;
  for await (const _ of storage.saver.list({ configurable: { thread_id: threadId } })) count++;
  return count;
}

test('a step is committed with its checkpoint, its writes and its record', async () => {
  const run = await submitted(storage);
  const step = aStep(storage, run, 1);
  const config = {
    configurable: { thread_id: run.threadId, checkpoint_ns: '', checkpoint_id: step.checkpoints[0]?.checkpoint.id },
  };
  const pendingWrites = [{ config, taskId: 'task', writes: [['value', 'later']] as [string, unknown][] }];
  expect(await storage.steps.commitStep({ ...step, pendingWrites })).toEqual({ kind: 'committed' });
  expect(await storage.runs.read(run.runId)).toMatchObject({ state: 'running', lastStep: aRecord(1) });
  const saved = await storage.saver.getTuple(config);
  expect(saved?.checkpoint.channel_values).toEqual({ value: 'step 1' });
  expect(saved?.pendingWrites).toEqual([['task', 'value', 'later']]);
  expect(await storage.saver.pendingWrites(config)).toEqual(saved?.pendingWrites);
});

test('of two attempts at one step the first to commit wins, and the other learns what was committed', async () => {
  const run = await submitted(storage);
  const answers = await Promise.all([1, 2, 3, 4].map(() => storage.steps.commitStep(aStep(storage, run, 1))));
  expect(answers.filter(({ kind }) => kind === 'committed')).toHaveLength(1);
  expect(answers.filter(({ kind }) => kind === 'stale')).toHaveLength(3);
  expect(answers.find(({ kind }) => kind === 'stale')).toMatchObject({ run: { lastStep: aRecord(1) } });
  expect(await checkpointsOf(run.threadId)).toBe(1);
});

test('an attempt that was given up for dead cannot commit once a later one has begun', async () => {
  const run = await submitted(storage);
  await storage.runs.openAttempt(run.runId, { step: 1, attempt: 2 });
  expect(await storage.steps.commitStep(aStep(storage, run, 1))).toMatchObject({
    kind: 'stale',
    run: { lastStep: null },
  });
  expect(await storage.steps.commitStep(aStep(storage, run, 1, { attempt: 2 }))).toEqual({ kind: 'committed' });
  expect(await storage.runs.openAttempt(run.runId, { step: 1, attempt: 3 })).toBeNull();
  expect(await storage.steps.commitStep(aStep(storage, run, 2))).toEqual({ kind: 'committed' });
});

test('a beginning leaves the count of attempts to the superstep it begins', async () => {
  const run = await submitted(storage);
  await storage.runs.openAttempt(run.runId, { step: 1, attempt: 2 });
  const begin = aStep(storage, run, 0, { attempt: 2, then: { kind: 'begin' } });
  expect(await storage.steps.commitStep(begin)).toEqual({ kind: 'committed' });
  expect(await storage.runs.read(run.runId)).toMatchObject({ attempt: 2, attempts: { step: 1, opened: [2] } });
});

test('a run that is over commits nothing more', async () => {
  const run = await submitted(storage);
  await storage.steps.settleRun({ ...run, state: 'interrupted', record: aRecord(0) });
  expect(await storage.steps.commitStep(aStep(storage, run, 1))).toMatchObject({
    kind: 'stale',
    run: { state: 'interrupted' },
  });
  expect(await checkpointsOf(run.threadId)).toBe(0);
});

test('a pause shows in the run and in the thread', async () => {
  const run = await submitted(storage);
  await storage.steps.commitStep(aStep(storage, run, 1, pausing()));
  expect(await storage.runs.read(run.runId)).toMatchObject({ state: 'paused', pause: aPause(), endedAt: null });
  expect(await storage.threads.get(run.threadId)).toMatchObject({
    status: 'interrupted',
    values: waitingThread.values,
    interrupts: waitingThread.interrupts,
  });
});

test('the last step settles the run and its thread', async () => {
  const run = await submitted(storage);
  await storage.steps.commitStep(aStep(storage, run, 1, settling));
  expect(await storage.threads.get(run.threadId)).toMatchObject({ status: 'idle', values: { done: true } });
  const settled = await storage.runs.read(run.runId);
  expect(settled?.state).toBe('success');
  expect(settled?.endedAt).toBeInstanceOf(Date);
});

test('a thread stays busy when a run has settled and another waits', async () => {
  const run = await submitted(storage);
  await submitted(storage, { threadId: run.threadId });
  await storage.steps.commitStep(aStep(storage, run, 1, settling));
  expect((await storage.threads.get(run.threadId))?.status).toBe('busy');
});

test('a failed run leaves its error in the thread, and settling it again changes nothing', async () => {
  const run = await submitted(storage);
  const error = { error: 'ValueError', message: 'no \0 such \ud800 thing', node: 'plan' };
  const settle = { runId: run.runId, threadId: run.threadId, state: 'error', error, record: aRecord(3) } as const;
  expect(await storage.steps.settleRun(settle)).toMatchObject({ kind: 'settled', run: { state: 'error', error } });
  expect(await storage.threads.get(run.threadId)).toMatchObject({ status: 'error', error, values: null });
  expect(await storage.steps.settleRun({ ...settle, state: 'timeout', record: aRecord(9) })).toMatchObject({
    kind: 'already',
    run: { state: 'error', lastStep: aRecord(3) },
  });
});

test('a paused run that is displaced ends as success', async () => {
  const run = await pausedRun(storage);
  const settled = await storage.steps.settleRun({
    ...run,
    state: 'success',
    record: aRecord(2),
    thread: waitingThread,
  });
  expect(settled).toMatchObject({ kind: 'settled', run: { state: 'success', pause: null } });
  expect((await storage.runs.claimPause(run.runId, 'late')).kind).toBe('not_paused');
});

test('a commit whose connection is killed in the middle leaves nothing behind, and can be repeated', async () => {
  const run = await submitted(storage);
  const step = aStep(storage, run, 1, settling);
  const killed = inTransaction(storage.db, async (tx) => {
    const pid = await tx.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { parentConfig, checkpoint, metadata, newVersions } = step.checkpoints[0] as never;
    await tx.saver().put(parentConfig, checkpoint, metadata, newVersions);
    await sql`select pg_terminate_backend(${pid.rows[0]?.pid})`.execute(storage.db.query);
    tx.send(storage.db.query.updateTable('runs').set({ state: 'success' }).where('run_id', '=', run.runId));
  });
  const failure = await killed.catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
  expect(await checkpointsOf(run.threadId)).toBe(0);
  expect((await storage.runs.read(run.runId))?.state).toBe('pending');
  expect(await storage.steps.commitStep(step)).toEqual({ kind: 'committed' });
});

test('commits are all or nothing while connections are being killed', async () => {
  const run = await submitted(storage);
  const victims = sql`query like '%checkpoint%' and datname = current_database() and pid <> pg_backend_pid()`;
  const kill = sql`select pg_terminate_backend(pid) from pg_stat_activity where ${victims}`;
  const killer = new pg.Client(storage.postgres.url);
  await killer.connect();
  try {
    for (let step = 1; step <= 30; step++) {
      for (let committed = false; !committed;) {
        const commit = storage.steps.commitStep(aStep(storage, run, step));
        if (step % 3 !== 0) await killer.query(kill.compile(storage.db.query).sql);
        committed = await commit.then(
          () => true,
          (error: unknown) => {
            if (!isUnavailable(error)) throw error;
            return false;
          },
        );
      }
    }
  } finally {
    await killer.end();
  }
  expect(await checkpointsOf(run.threadId)).toBe(30);
  expect(await latestValue(storage, run.threadId)).toBe('step 30');
}, 60_000);

test('a value that cannot be stored fails the commit as a whole', async () => {
  const run = await submitted(storage);
  const thread = idleThread(1n as never);
  const step = aStep(storage, run, 1, { then: { kind: 'settle', state: 'success', thread } });
  await expect(storage.steps.commitStep(step)).rejects.toThrow(/BigInt/i);
  expect((await storage.runs.read(run.runId))?.lastStep).toBeNull();
  expect(await checkpointsOf(run.threadId)).toBe(0);
});

test('a rolled back run leaves the thread as it was before it', async () => {
  const first = await submitted(storage);
  await storage.steps.commitStep(aStep(storage, first, 1, settling));
  const second = await submitted(storage, { threadId: first.threadId });
  await storage.steps.commitStep(aStep(storage, second, 1));
  const blobId = await storage.blobs.put(second.runId, Buffer.from(second.runId));
  const rollback = {
    runId: second.runId,
    threadId: first.threadId,
    remaining: async (saver: Pick<Storage['saver'], 'getTuple'>) => {
      const latest = await saver.getTuple({ configurable: { thread_id: first.threadId } });
      return latest ? idleThread(latest.checkpoint.channel_values as never) : null;
    },
  };
  expect(await storage.steps.rollbackRun(rollback)).toBe(true);
  expect(await storage.steps.rollbackRun(rollback)).toBe(false);
  expect(await latestValue(storage, first.threadId)).toBe('step 1');
  expect(await storage.threads.get(first.threadId)).toMatchObject({ status: 'idle', values: { value: 'step 1' } });
  expect(await storage.runs.read(second.runId)).toBeNull();
  expect(await storage.blobs.get(blobId)).toBeNull();
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from checkpoint_blobs where thread_id = ${first.threadId}`.execute(
    storage.db.query,
  );
  expect(rows[0]?.count).toBe(1);
});

test('rolling back the only run of a thread empties the thread', async () => {
  const run = await submitted(storage);
  await storage.steps.commitStep(aStep(storage, run, 1));
  await storage.steps.rollbackRun({ runId: run.runId, threadId: run.threadId, remaining: async () => null });
  expect(await storage.threads.get(run.threadId)).toMatchObject({ status: 'idle', values: null, interrupts: {} });
});

test('the other branch of a fork keeps its own values', async () => {
  const run = await submitted(storage);
  const root = aCheckpoint(storage.saver, 'root');
  const config = { configurable: { thread_id: run.threadId, checkpoint_ns: '' } };
  const metadata = { source: 'loop', step: 0, parents: {} } as const;
  const parent = await storage.saver.put(config, root.checkpoint, metadata, root.newVersions);
  const [left, right] = [aCheckpoint(storage.saver, 'left', 1), aCheckpoint(storage.saver, 'right', 1)];
  await storage.saver.put(parent, left.checkpoint, metadata, left.newVersions);
  await storage.saver.put(parent, right.checkpoint, metadata, right.newVersions);
  const valueAt = async (checkpoint_id: string) =>
    (await storage.saver.getTuple({ configurable: { ...config.configurable, checkpoint_id } }))?.checkpoint
      .channel_values.value;
  expect([await valueAt(left.checkpoint.id), await valueAt(right.checkpoint.id)]).toEqual(['left', 'right']);
});

describe('what a superstep saves before its commit', () => {
  const save = (run: Run, at: { readonly step: number; readonly attempt: number }) =>
    storage.steps.saveAhead({ ...at, runId: run.runId }, async (saver) => {
      const { checkpoint, newVersions } = aCheckpoint(storage.saver, 'nested');
      const config = { configurable: { thread_id: run.threadId, checkpoint_ns: 'node:task' } };
      const saved = await saver.put(config, checkpoint, { source: 'loop', step: 0, parents: {} }, newVersions);
      await saver.putWrites(saved, [['value', 'later']], 'task');
      return saved;
    });
  const nested = async (run: Run) =>
    storage.saver.getTuple({ configurable: { thread_id: run.threadId, checkpoint_ns: 'node:task' } });

  test('is there at once', async () => {
    const run = await submitted(storage);
    await storage.runs.begin(run.runId, { executionId: 'e', from: { seq: -1, frame: -1 }, step: 1, attempt: 1 });
    const saved = await save(run, { step: 1, attempt: 1 });
    expect(saved).toMatchObject({ kind: 'saved', value: { configurable: { checkpoint_ns: 'node:task' } } });
    expect(await nested(run)).toMatchObject({ pendingWrites: [['task', 'value', 'later']] });
  });

  test.each<[string, (run: Run) => Promise<unknown>]>([
    ['a later attempt has begun', (run) => storage.runs.openAttempt(run.runId, { step: 1, attempt: 2 })],
    ['its step is committed', (run) => storage.steps.commitStep(aStep(storage, run, 1))],
    ['the run has ended', (run) => storage.steps.commitStep(aStep(storage, run, 1, settling))],
    ['the run is gone', (run) => storage.runs.delete(run.threadId, run.runId)],
  ])('is refused once %s', async (_what, happened) => {
    const run = await submitted(storage);
    await happened(run);
    expect(await save(run, { step: 1, attempt: 1 })).toEqual({ kind: 'stale' });
    expect(await nested(run)).toBeUndefined();
  });
});
