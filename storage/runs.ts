// Runs: what is to be done, where it stands, and who may do it.
import { sql } from 'kysely';
import type { LogPosition } from '../events/entry.js';
import { recordAttempt, type AttemptNote, type ClosedAttempt } from './attempts.js';
import { firstRow, rows, type Database } from './database.js';
import { jsonText, jsonTextOrNull } from './json-text.js';
import type {
  AttemptLedger,
  CancelAction,
  Json,
  Pause,
  Run,
  RunState,
  SubmitRun,
  Submitted,
  ToldTasks,
} from './records.js';
import { toRun } from './rows.js';
import {
  deleteCheckpointsOf,
  INFLIGHT,
  lockThread,
  lockThreadOfRun,
  markBusyWith,
  now,
  RUNNABLE,
  selectRun,
  settleThreadStatus,
  uncommitted,
} from './statements.js';
import { submitRun } from './submit-run.js';
import { inTransaction } from './transaction.js';

export interface BeginRun {
  /** The Temporal execution that makes the superstep: a segment of the log. */
  readonly executionId: string;
  /** The log's end when the execution began. */
  readonly from: LogPosition;
  /** The superstep that is about to run, and which attempt at it (1-based). */
  readonly step: number;
  readonly attempt: number;
}

export type PauseClaim =
  | { readonly kind: 'claimed'; readonly run: Run; readonly pause: Pause }
  /** `state` is null when there is no such run. */
  | { readonly kind: 'not_paused'; readonly state: RunState | null }
  /** Somebody cancelled the run first; it has not ended yet. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unknown_interrupt'; readonly ids: readonly string[] };

export class Runs {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Accepts a run once: a run id that is there already is answered with its run, and nothing changes. */
  async submit(run: SubmitRun): Promise<Submitted> {
    const answer = await inTransaction(this.#db, (tx) => submitRun(tx, this.#db.query, run));
    return answer();
  }

  /** Without `threadId`: wherever the run is. */
  async get(threadId: string | undefined, runId: string): Promise<Run | null> {
    const run = await this.read(runId);
    return run && (threadId === undefined || run.threadId === threadId) ? run : null;
  }

  /** Newest first. */
  async list(
    threadId: string,
    { limit, offset, states }: { limit: number; offset: number; states?: readonly RunState[] },
  ): Promise<Run[]> {
    const runs = this.#db.query.selectFrom('runs').selectAll().where('thread_id', '=', threadId);
    const found = await rows(
      this.#db.pool,
      runs
        .$if(states !== undefined, (some) => some.where('state', '=', sql<RunState>`any(${states})`))
        .orderBy('created_at', 'desc')
        .limit(limit)
        .offset(offset),
    );
    return found.map(toRun);
  }

  /** With its checkpoints and blobs. False: no such run. */
  async delete(threadId: string, runId: string): Promise<boolean> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx) => {
      tx.send(lockThread(query, threadId));
      const deleted = await tx.firstRow(
        query
          .deleteFrom('runs')
          .where('run_id', '=', runId)
          .where('thread_id', '=', threadId)
          .returning(['run_id', 'state']),
      );
      if (!deleted) return false;
      tx.send(deleteCheckpointsOf(query, threadId, runId));
      if (isInflight(deleted.state)) tx.send(settleThreadStatus(query, threadId, null));
      return true;
    });
  }

  /**
   * The first superstep of an execution: marks the run running and its thread busy, and notes the log segment once.
   * Null: the run must not run (settled, paused, or deleted) and `step` is not committed. A run whose `lastStep` is
   * `step` or later is returned as it is, so that a retry can answer what was committed.
   */
  async begin(runId: string, { executionId, from, step, attempt }: BeginRun): Promise<Run | null> {
    const { query } = this.#db;
    const segment = jsonText([{ executionId, from }]);
    const sameExecution = jsonText([{ executionId }]);
    const sent = await inTransaction(this.#db, async (tx) => {
      tx.send(lockThreadOfRun(query, runId));
      const begun = tx.laterRow(
        query
          .updateTable('runs')
          .set({
            state: 'running',
            started_at: sql`coalesce(started_at, ${now})`,
            updated_at: now,
            attempt,
            segments: sql`case when segments @> ${sameExecution}::jsonb then segments else segments || ${segment}::jsonb end`,
          })
          .where('run_id', '=', runId)
          .where('state', 'in', RUNNABLE)
          .where(uncommitted(step))
          .returningAll(),
      );
      tx.send(markBusyWith(query, runId));
      return { begun };
    });
    const begun = await sent.begun;
    if (begun) return toRun(begun);
    const run = await this.read(runId);
    return run?.lastStep && run.lastStep.step >= step ? run : null;
  }

  /** For later supersteps of an execution. */
  async read(runId: string): Promise<Run | null> {
    const row = await firstRow(this.#db.pool, selectRun(this.#db.query, runId));
    return row ? toRun(row) : null;
  }

  /**
   * Accepts the answer to the present pause: paused → running, thread busy. Exactly one of several callers wins. A map
   * (an object all of whose keys are interrupt ids, 32 hex digits) must name interrupts of this pause only.
   */
  async claimPause(runId: string, answer: Json): Promise<PauseClaim> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx): Promise<PauseClaim> => {
      tx.send(lockThreadOfRun(query, runId));
      const row = await tx.firstRow(selectRun(query, runId).forUpdate());
      if (row?.state !== 'paused') return refusedClaim(row && toRun(row));
      const { pause } = toRun(row);
      if (!pause) throw new Error(`Run ${runId} is paused, and its row does not say at what.`);
      const ids = unknownInterrupts(answer, pause);
      if (ids.length > 0) return { kind: 'unknown_interrupt', ids };
      const claimed = await tx.firstRow(
        query
          .updateTable('runs')
          .set({ state: 'running', resume: jsonText({ pause: pause.number, answer }), updated_at: now })
          .where('run_id', '=', runId)
          .returningAll(),
      );
      tx.send(markBusyWith(query, runId));
      return { kind: 'claimed', run: toRun(claimed ?? row), pause };
    });
  }

  /**
   * Ends the present pause for a cancel: paused → running, until the workflow has heard of it and settles the run. From
   * here on no answer is accepted. False: the run does not wait (any more).
   */
  async cancelPause(runId: string, action: CancelAction): Promise<boolean> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx) => {
      tx.send(lockThreadOfRun(query, runId));
      const row = await tx.firstRow(selectRun(query, runId).forUpdate());
      if (row?.state !== 'paused') return false;
      const pause = jsonTextOrNull(row.pause && { ...row.pause, cancelled: action });
      tx.send(query.updateTable('runs').set({ state: 'running', pause, updated_at: now }).where('run_id', '=', runId));
      tx.send(markBusyWith(query, runId));
      return true;
    });
  }

  /** pending → interrupted. Null: it is not pending (any more). */
  async cancelPending(runId: string): Promise<Run | null> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx) => {
      tx.send(lockThreadOfRun(query, runId));
      const cancelled = await tx.firstRow(
        query
          .updateTable('runs')
          .set({ state: 'interrupted', ended_at: now, updated_at: now })
          .where('run_id', '=', runId)
          .where('state', '=', 'pending')
          .returningAll(),
      );
      if (!cancelled) return null;
      tx.send(settleThreadStatus(query, cancelled.thread_id, null));
      return toRun(cancelled);
    });
  }

  /** Pending, running or paused; oldest first. */
  async listInflight(threadId: string): Promise<Run[]> {
    const found = await rows(
      this.#db.pool,
      this.#db.query
        .selectFrom('runs')
        .selectAll()
        .where('thread_id', '=', threadId)
        .where('state', 'in', INFLIGHT)
        .orderBy('created_at'),
    );
    return found.map(toRun);
  }

  /** Pending or running and not touched for so long; longest untouched first. */
  async listOpen({ olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number }): Promise<Run[]> {
    const found = await rows(
      this.#db.pool,
      this.#db.query
        .selectFrom('runs')
        .selectAll()
        .where('state', 'in', RUNNABLE)
        .where('updated_at', '<=', sql<Date>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
        .orderBy('updated_at')
        .limit(limit),
    );
    return found.map(toRun);
  }

  /** Threads of stateless runs to be deleted with their run, which has ended at least so long ago. */
  async listTemporaryThreads(options: { readonly olderThanMs: number; readonly limit: number }): Promise<string[]> {
    const found = await rows(
      this.#db.pool,
      this.#db.query
        .selectFrom('runs')
        .select('thread_id')
        .where('ended_at', '<=', sql<Date>`clock_timestamp() - ${options.olderThanMs} * interval '1 millisecond'`)
        .where('temporary', '=', true)
        .limit(options.limit),
    );
    return found.map(({ thread_id }) => thread_id);
  }

  /**
   * Notes that an attempt of a superstep begins: from now on no earlier one can commit it. Null: no such run, or the
   * superstep is committed.
   */
  async openAttempt(runId: string, { step, attempt }: AttemptNote): Promise<AttemptLedger | null> {
    return recordAttempt(this.#db, runId, step, (ledger) => ({
      ...ledger,
      opened: withNumber(ledger.opened, attempt),
    }));
  }

  /** Notes that an attempt ended by an exception of ours, not with its worker; and what it told of tasks, if it is logged. */
  async closeAttempt(runId: string, { step, attempt, told }: ClosedAttempt): Promise<AttemptLedger | null> {
    return recordAttempt(this.#db, runId, step, (ledger) => ({
      ...ledger,
      closed: withNumber(ledger.closed, attempt),
      ...(told && { told: allTold(ledger.told, told) }),
    }));
  }

  /** Counts a failure of a node with a retry policy. */
  async recordNodeFailure(
    runId: string,
    { step, taskId }: { readonly step: number; readonly taskId: string },
  ): Promise<AttemptLedger | null> {
    return recordAttempt(this.#db, runId, step, (ledger) => ({
      ...ledger,
      nodeFailures: { ...ledger.nodeFailures, [taskId]: (ledger.nodeFailures[taskId] ?? 0) + 1 },
    }));
  }
}

const refusedClaim = (run: Run | undefined): PauseClaim =>
  run?.state === 'running' && run.pause?.cancelled !== undefined
    ? { kind: 'cancelled' }
    : { kind: 'not_paused', state: run?.state ?? null };

const isInflight = (state: RunState): boolean => INFLIGHT.some((inflight) => inflight === state);

const allTold = (before: ToldTasks | undefined, told: ToldTasks): ToldTasks => ({
  started: [...new Set([...(before?.started ?? []), ...told.started])],
  finished: [...new Set([...(before?.finished ?? []), ...told.finished])],
});

const withNumber = (numbers: readonly number[], added: number): readonly number[] =>
  numbers.includes(added) ? numbers : [...numbers, added];

function unknownInterrupts(answer: Json, pause: Pause): string[] {
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return [];
  const ids = Object.keys(answer);
  const isMap = ids.length > 0 && ids.every((id) => /^[0-9a-f]{32}$/.test(id));
  return isMap ? ids.filter((id) => !pause.interrupts.some((interrupt) => interrupt.id === id)) : [];
}
