// What a superstep or the end of a run changes, each in one transaction.
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Database } from './database.js';
import type { Run, SettledThread, StepCommit, StepRecord } from './records.js';

/** `stale`: the step is committed already or the run may not go on; nothing was written. `run` is the row as it is. */
export type StepCommitted = { readonly kind: 'committed' } | { readonly kind: 'stale'; readonly run: Run | null };

export interface SettleRun {
  readonly runId: string;
  readonly threadId: string;
  /** `success`: a paused run that a new run displaced. */
  readonly state: 'error' | 'timeout' | 'interrupted' | 'success';
  readonly error?: Run['error'];
  readonly record: StepRecord;
  /** The thread as its latest checkpoint has it. Absent: there is none; values and interrupts stay. */
  readonly thread?: SettledThread;
}
/** `already`: it was settled before; nothing was written, and `run.lastStep` has what was announced then. */
export type RunSettled = { readonly kind: 'settled' | 'already'; readonly run: Run } | { readonly kind: 'missing' };

export interface RollbackRun {
  readonly runId: string;
  readonly threadId: string;
  /** Called in the transaction, when the run's checkpoints are gone: what the thread's latest checkpoint says now. Null: none is left. */
  readonly remaining: (saver: BaseCheckpointSaver) => Promise<SettledThread | null>;
}

export class Steps {
  constructor(db: Database) {
    void db;
  }
  /** All or nothing. */
  async commitStep(commit: StepCommit): Promise<StepCommitted> {
    void commit;
    throw new Error('not built');
  }
  async settleRun(settle: SettleRun): Promise<RunSettled> {
    void settle;
    throw new Error('not built');
  }
  /** Deletes the run with its checkpoints and blobs; false: it is gone already. */
  async rollbackRun(rollback: RollbackRun): Promise<boolean> {
    void rollback;
    throw new Error('not built');
  }
}
