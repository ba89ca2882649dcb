// What the storage tests start from: a migrated database with all resources, and records to put into it.
import { randomUUID } from 'node:crypto';
import { emptyCheckpoint, uuid6, type Checkpoint } from '@langchain/langgraph-checkpoint';
import { Assistants } from '../../storage/assistants.js';
import { Blobs } from '../../storage/blobs.js';
import { CheckpointSaver } from '../../storage/checkpoint-saver.js';
import { openDatabase, type Database } from '../../storage/database.js';
import { migrate } from '../../storage/migrate.js';
import type { Pause, Run, SettledThread, StepCommit, StepRecord, SubmitRun } from '../../storage/records.js';
import { Runs } from '../../storage/runs.js';
import { Steps } from '../../storage/steps.js';
import { Threads } from '../../storage/threads.js';
import { startTestPostgres, type TestPostgres } from '../support/postgres.js';

export interface Storage {
  readonly postgres: TestPostgres;
  readonly db: Database;
  readonly threads: Threads;
  readonly runs: Runs;
  readonly steps: Steps;
  readonly assistants: Assistants;
  readonly blobs: Blobs;
  readonly saver: CheckpointSaver;
  close(): Promise<void>;
}

export async function openStorage(): Promise<Storage> {
  const postgres = await startTestPostgres();
  const db = openDatabase(postgres.url, { maxConnections: 10 });
  await migrate(db);
  return {
    postgres,
    db,
    threads: new Threads(db),
    runs: new Runs(db),
    steps: new Steps(db),
    assistants: new Assistants(db),
    blobs: new Blobs(db),
    saver: new CheckpointSaver(db.pool),
    close: async () => {
      await db.close();
      await postgres.stop();
    },
  };
}

export function aRun(over: Partial<SubmitRun> = {}): SubmitRun {
  return {
    runId: randomUUID(),
    threadId: randomUUID(),
    ifThreadMissing: 'create',
    assistantId: 'assistant',
    graphId: 'graph',
    kwargs: {
      config: { configurable: { user: 'ada' } },
      stream_mode: ['values'],
      stream_subgraphs: false,
      stream_resumable: true,
      temporary: false,
    },
    metadata: {},
    multitaskStrategy: 'enqueue',
    maxWaiting: 1_000,
    ...over,
  };
}

export async function submitted(storage: Storage, over: Partial<SubmitRun> = {}): Promise<Run> {
  const answer = await storage.runs.submit(aRun(over));
  if (answer.kind !== 'accepted') throw new Error(`The run was not accepted: ${answer.kind}`);
  return answer.run;
}

export const aRecord = (step: number): StepRecord => ({
  step,
  end: { seq: step * 10, frame: step },
  batches: [],
  result: { kind: 'continue', step },
});

export const aPause = (number = 1, ids: readonly string[] = ['a'.repeat(32)]): Pause => ({
  number,
  at: new Date('2026-01-02T03:04:05.678Z'),
  interrupts: ids.map((id) => ({ id, node: 'ask', value: 'Really?' })),
  next: ['ask'],
});

export const idleThread = (values: SettledThread['values'] = { done: true }): SettledThread => ({
  values,
  interrupts: {},
  next: [],
});

export const waitingThread: SettledThread = {
  values: { draft: 1 },
  interrupts: { task: [{ id: 'a'.repeat(32), value: 'Really?' }] },
  next: ['ask'],
};

/** One channel, `value`, at the version that the saver gives after `version`. */
export function aCheckpoint(
  saver: CheckpointSaver,
  value: unknown,
  version?: number,
): { checkpoint: Checkpoint; newVersions: Record<string, number> } {
  const newVersions = { value: saver.getNextVersion(version) };
  const checkpoint = { ...emptyCheckpoint(), id: uuid6(0), channel_values: { value }, channel_versions: newVersions };
  return { checkpoint, newVersions };
}

export function aStep(
  { saver }: Storage,
  run: Run,
  step: number,
  over: Partial<StepCommit> & { readonly value?: unknown } = {},
): StepCommit {
  const { value = `step ${step}`, ...rest } = over;
  return {
    run: { runId: run.runId, threadId: run.threadId },
    record: aRecord(step),
    checkpoints: [
      {
        parentConfig: { configurable: { thread_id: run.threadId, checkpoint_ns: '' } },
        metadata: { source: 'loop', step, parents: {}, run_id: run.runId } as never,
        ...aCheckpoint(saver, value),
      },
    ],
    pendingWrites: [],
    attempt: 1,
    then: { kind: 'continue' },
    ...rest,
  };
}

export const pausing = (pause = aPause()): Pick<StepCommit, 'then'> => ({
  then: { kind: 'pause', pause, thread: waitingThread },
});

/** A run that has committed its first step and waits for an answer. */
export async function pausedRun(storage: Storage, pause = aPause()): Promise<Run> {
  const run = await submitted(storage);
  await storage.steps.commitStep(aStep(storage, run, 1, pausing(pause)));
  return run;
}

export const latestValue = async ({ saver }: Storage, threadId: string): Promise<unknown> =>
  (await saver.getTuple({ configurable: { thread_id: threadId } }))?.checkpoint.channel_values.value;
