// Runs: what is to be done, where it stands, and who may do it.
import type { LogPosition } from '../events/entry.js';
import type { Database } from './database.js';
import type { AttemptLedger, Json, Pause, Run, RunState, SubmitRun, Submitted } from './records.js';

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
  | { readonly kind: 'unknown_interrupt'; readonly ids: readonly string[] };

export class Runs {
  constructor(db: Database) {
    void db;
  }
  async submit(run: SubmitRun): Promise<Submitted> {
    void run;
    throw new Error('not built');
  }
  /** Without `threadId`: wherever the run is. */
  async get(threadId: string | undefined, runId: string): Promise<Run | null> {
    void [threadId, runId];
    throw new Error('not built');
  }
  /** Newest first. */
  async list(threadId: string, page: { limit: number; offset: number; states?: readonly RunState[] }): Promise<Run[]> {
    void [threadId, page];
    throw new Error('not built');
  }
  /** With its checkpoints and blobs. False: no such run. */
  async delete(threadId: string, runId: string): Promise<boolean> {
    void [threadId, runId];
    throw new Error('not built');
  }
  /**
   * The first superstep of an execution: marks the run running and its thread busy, and notes the log segment once.
   * Null: the run must not run (settled, paused, or deleted) and `step` is not committed. A run whose `lastStep` is
   * `step` or later is returned as it is, so that a retry can answer what was committed.
   */
  async begin(runId: string, begin: BeginRun): Promise<Run | null> {
    void [runId, begin];
    throw new Error('not built');
  }
  /** For later supersteps of an execution. */
  async read(runId: string): Promise<Run | null> {
    void runId;
    throw new Error('not built');
  }
  /**
   * Accepts the answer to the present pause: paused → running, thread busy. Exactly one of several callers wins. A map
   * (an object all of whose keys are interrupt ids, 32 hex digits) must name interrupts of this pause only.
   */
  async claimPause(runId: string, answer: Json): Promise<PauseClaim> {
    void [runId, answer];
    throw new Error('not built');
  }
  /** pending → interrupted. Null: it is not pending (any more). */
  async cancelPending(runId: string): Promise<Run | null> {
    void runId;
    throw new Error('not built');
  }
  /** Pending, running or paused; oldest first. */
  async listInflight(threadId: string): Promise<Run[]> {
    void threadId;
    throw new Error('not built');
  }
  /** Pending or running and not touched for so long; longest untouched first. */
  async listOpen(options: { readonly olderThanMs: number; readonly limit: number }): Promise<Run[]> {
    void options;
    throw new Error('not built');
  }
  /** Their answer was accepted at least so long ago, and no superstep has consumed it. */
  async listUnwoken(options: { readonly olderThanMs: number; readonly limit: number }): Promise<Run[]> {
    void options;
    throw new Error('not built');
  }
  /** Notes that an attempt of a superstep begins. Null: no such run. */
  async openAttempt(
    runId: string,
    at: { readonly step: number; readonly attempt: number },
  ): Promise<AttemptLedger | null> {
    void [runId, at];
    throw new Error('not built');
  }
  /** Notes that an attempt ended by an exception of ours, not with its worker. */
  async closeAttempt(
    runId: string,
    at: { readonly step: number; readonly attempt: number },
  ): Promise<AttemptLedger | null> {
    void [runId, at];
    throw new Error('not built');
  }
  /** Counts a failure of a node with a retry policy. */
  async recordNodeFailure(
    runId: string,
    at: { readonly step: number; readonly taskId: string },
  ): Promise<AttemptLedger | null> {
    void [runId, at];
    throw new Error('not built');
  }
}
