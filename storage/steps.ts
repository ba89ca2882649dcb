// What a superstep or the end of a run changes, each in one transaction: checkpoints, the run's row, the thread's row.
import type { BaseCheckpointSaver, PendingWrite } from '@langchain/langgraph-checkpoint';
import { sql } from 'kysely';
import { firstRow, type Connection, type Database } from './database.js';
import { jsonText, jsonTextOrNull } from './json-text.js';
import type { Run, RunState, SettledThread, StepCommit, StepRecord } from './records.js';
import { toRun } from './rows.js';
import {
  deleteCheckpointsOf,
  emptyJournal,
  INFLIGHT,
  lockThread,
  now,
  presentAttempt,
  RUNNABLE,
  selectRun,
  settleThread,
  settleThreadStatus,
  type StepAttempt,
  uncommitted,
} from './statements.js';
import { StepJournal } from './step-journal.js';
import { inTransaction, NothingFoundError, type Transaction } from './transaction.js';

/**
 * `stale`: the step is committed already, a later attempt has it, or the run may not go on; nothing was written. `run` is
 * the row as it is.
 */
export type StepCommitted = { readonly kind: 'committed' } | { readonly kind: 'stale'; readonly run: Run | null };

export interface SettleRun {
  readonly runId: string;
  readonly threadId: string;
  /** `success`: a paused run that a new run displaced. */
  readonly state: 'error' | 'timeout' | 'interrupted' | 'success';
  /** States it may be settled from; in another one nothing is written. Default: all of a run that is not over. */
  readonly from?: readonly RunState[];
  readonly error?: Run['error'];
  readonly record: StepRecord;
  /** The thread as its latest checkpoint has it. Absent: there is none; values and interrupts stay. */
  readonly thread?: SettledThread;
}
/** `already`: it was settled before, or is in none of the states `from`; nothing was written. `run.lastStep` has what was announced. */
export type RunSettled = { readonly kind: 'settled' | 'already'; readonly run: Run } | { readonly kind: 'missing' };

export interface RollbackRun {
  readonly runId: string;
  readonly threadId: string;
  /**
   * Called in the transaction, when the run's checkpoints are gone: what the thread's latest checkpoint says now.
   * Null: none is left.
   */
  readonly remaining: (saver: BaseCheckpointSaver) => Promise<SettledThread | null>;
}

export type SavedAhead<T> = { readonly kind: 'saved'; readonly value: T } | { readonly kind: 'stale' };

const EMPTY_THREAD: SettledThread = { values: null, interrupts: {}, next: [] };

export class Steps {
  readonly journal: StepJournal;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.journal = new StepJournal(db);
  }

  /** All or nothing, in one round trip. */
  async commitStep(commit: StepCommit): Promise<StepCommitted> {
    const { query } = this.#db;
    const { runId, threadId } = commit.run;
    const { then } = commit;
    const thread = then.kind === 'pause' || then.kind === 'settle' ? then.thread : undefined;
    try {
      await inTransaction(this.#db, async (tx) => {
        if (thread) tx.send(lockThread(query, threadId));
        // First of all, so that a stale attempt writes nothing: the guard, which also locks the row against another one.
        tx.require(this.#advanceRun(commit));
        await writeCheckpoints(tx, commit);
        if (commit.journal === 'written') tx.send(emptyJournal(query, runId));
        if (thread) tx.send(settleThread(query, threadId, thread, null));
      });
      return { kind: 'committed' };
    } catch (error) {
      if (!(error instanceof NothingFoundError)) throw error;
      return { kind: 'stale', run: await this.#read(this.#db.pool, runId) };
    }
  }

  /**
   * What a superstep saves before its commit: writes of finished tasks, checkpoints of graphs within. Guarded as the
   * commit is, so that an attempt that was given up for dead adds nothing to what a later one goes on from.
   */
  async saveAhead<T>(
    at: StepAttempt,
    save: (saver: Pick<BaseCheckpointSaver, 'put' | 'putWrites'>) => Promise<T>,
  ): Promise<SavedAhead<T>> {
    return inTransaction(this.#db, async (tx): Promise<SavedAhead<T>> => {
      const present = await tx.firstRow(presentAttempt(this.#db.query, at));
      return present ? { kind: 'saved', value: await save(tx.checkpointWriter()) } : { kind: 'stale' };
    });
  }

  /** Ends a run that its last superstep did not end. Safe to repeat. */
  async settleRun({ runId, threadId, state, from = INFLIGHT, error, record, thread }: SettleRun): Promise<RunSettled> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx): Promise<RunSettled> => {
      tx.send(lockThread(query, threadId));
      const settled = await tx.firstRow(
        query
          .updateTable('runs')
          .set({
            state,
            error: jsonTextOrNull(error),
            committed_step: record.step,
            last_step: jsonText(record),
            ...NOTHING_UNDER_WAY,
            ended_at: now,
            updated_at: now,
          })
          .where('run_id', '=', runId)
          .where('state', 'in', from)
          .returningAll(),
      );
      if (!settled) {
        const run = await this.#read(tx.client, runId);
        return run ? { kind: 'already', run } : { kind: 'missing' };
      }
      tx.send(emptyJournal(query, runId));
      const failure = state === 'error' || state === 'timeout' ? { ...(error ?? { error: state, message: '' }) } : null;
      tx.send(thread ? settleThread(query, threadId, thread, failure) : settleThreadStatus(query, threadId, failure));
      return { kind: 'settled', run: toRun(settled) };
    });
  }

  /** Deletes the run with its checkpoints and blobs; false: it is gone already. */
  async rollbackRun({ runId, threadId, remaining }: RollbackRun): Promise<boolean> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx) => {
      tx.send(lockThread(query, threadId));
      const deleted = await tx.firstRow(query.deleteFrom('runs').where('run_id', '=', runId).returning('run_id'));
      if (!deleted) return false;
      tx.send(deleteCheckpointsOf(query, threadId, runId));
      tx.send(settleThread(query, threadId, (await remaining(tx.saver())) ?? EMPTY_THREAD, null));
      return true;
    });
  }

  #advanceRun({ run, attempt, record, then }: StepCommit) {
    return this.#db.query
      .updateTable('runs')
      .set({
        committed_step: record.step,
        last_step: jsonText(record),
        ...(then.kind !== 'begin' && NOTHING_UNDER_WAY),
        started_at: sql`coalesce(started_at, ${now})`,
        updated_at: now,
        ...((then.kind === 'begin' || then.kind === 'continue') && { state: 'running' }),
        ...(then.kind === 'pause' && { state: 'paused', pause: jsonText(then.pause) }),
        ...(then.kind === 'settle' && { state: then.state, ended_at: now }),
      })
      .where('run_id', '=', run.runId)
      .where('state', 'in', RUNNABLE)
      .where(uncommitted(record.step))
      .where('attempt', '<=', attempt)
      .returning('run_id');
  }

  async #read(on: Connection, runId: string): Promise<Run | null> {
    const row = await firstRow(on, selectRun(this.#db.query, runId));
    return row ? toRun(row) : null;
  }
}

/** A committed superstep has consumed the answer it began with; its attempts are history. */
const NOTHING_UNDER_WAY = { pause: null, resume: null, attempts: null, attempt: 1 };

async function writeCheckpoints(tx: Transaction, { checkpoints, pendingWrites }: StepCommit): Promise<void> {
  const saver = tx.checkpointWriter();
  for (const { parentConfig, checkpoint, metadata, newVersions } of checkpoints) {
    await saver.put(parentConfig, checkpoint, metadata, newVersions);
  }
  for (const { config, taskId, writes, taskPath } of pendingWrites) {
    await saver.putWrites(config, writes as PendingWrite[], taskId, taskPath);
  }
}
