// Domain records of our tables, and the verbs that other folders use. Rows are mapped to these in one place each.
// Storage knows no HTTP status and no Temporal.
import type { Checkpoint, CheckpointMetadata, ChannelVersions, PendingWrite } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Batch } from '../events/batch.js';
import type { LogPosition } from '../events/entry.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export type ThreadStatus = 'idle' | 'busy' | 'interrupted' | 'error';

export interface Thread {
  readonly threadId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly metadata: JsonObject;
  readonly status: ThreadStatus;
  /** Output values of the latest checkpoint as JSON; null before the first run. Any string survives, NUL included. */
  readonly values: Json;
  /** By task id. */
  readonly interrupts: { readonly [taskId: string]: readonly { readonly id?: string; readonly value: Json }[] };
  /** The first run's config: what factory graphs are re-created with. */
  readonly config: JsonObject;
  readonly error: JsonObject | null;
}

/**
 * `paused` is ours: Platform clients read it as `success` (and the thread as `interrupted`). pending → running ⇄ paused →
 * success | error | timeout | interrupted. A rolled back run has no row.
 */
export type RunState = 'pending' | 'running' | 'paused' | 'success' | 'error' | 'timeout' | 'interrupted';

export type MultitaskStrategy = 'reject' | 'enqueue' | 'interrupt' | 'rollback';

/** The run-create body as checked by the server, snake case kept: it is shown again as the run's `kwargs`. */
export interface RunKwargs {
  readonly input?: Json;
  readonly command?: { readonly resume?: Json; readonly update?: Json; readonly goto?: Json } | null;
  readonly config: {
    readonly tags?: string[];
    readonly recursion_limit?: number;
    readonly configurable?: JsonObject;
    readonly [key: string]: unknown;
  };
  readonly context?: Json;
  readonly checkpoint?: {
    readonly checkpoint_id?: string;
    readonly checkpoint_ns?: string;
    readonly checkpoint_map?: JsonObject | null;
  } | null;
  /** As asked for, Platform names (`messages-tuple`, …). */
  readonly stream_mode: readonly string[];
  readonly stream_subgraphs: boolean;
  readonly stream_resumable: boolean;
  readonly interrupt_before?: '*' | readonly string[];
  readonly interrupt_after?: '*' | readonly string[];
  readonly durability?: 'sync' | 'async' | 'exit';
  readonly webhook?: string;
  readonly feedback_keys?: readonly string[];
  /** A stateless run with `on_completion: "delete"`: the thread goes when the run has settled. */
  readonly temporary: boolean;
}

/** What a paused run asks. */
export interface Pause {
  /** 1 for the first pause of the run. */
  readonly number: number;
  readonly at: Date;
  /** Empty at a breakpoint. */
  readonly interrupts: readonly { readonly id: string; readonly node: string; readonly value: Json }[];
  readonly next: readonly string[];
  /** It was cancelled before anybody answered: no answer is accepted any more, and the run is about to end. */
  readonly cancelled?: CancelAction;
}
export type CancelAction = 'interrupt' | 'rollback';

/** A stretch of the run's event log: one Temporal execution. */
export interface LogSegment {
  readonly executionId: string;
  /** The log's end when the execution began. */
  readonly from: LogPosition;
}

export interface Run {
  readonly runId: string;
  readonly threadId: string;
  readonly assistantId: string;
  readonly graphId: string;
  readonly state: RunState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly metadata: JsonObject;
  readonly kwargs: RunKwargs;
  readonly multitaskStrategy: MultitaskStrategy;
  readonly notBefore: Date | null;
  /** Attempt of the present superstep, for progress views. 1-based. */
  readonly attempt: number;
  readonly segments: readonly LogSegment[];
  readonly pause: Pause | null;
  /** The answer that was accepted for pause `pause`; consumed by the superstep that follows. */
  readonly resume: { readonly pause: number; readonly answer: Json } | null;
  /** The last committed superstep (or the settling), with its batches: what a retry returns, and the log's tail. */
  readonly lastStep: StepRecord | null;
  readonly attempts: AttemptLedger | null;
  readonly error: { readonly error: string; readonly message: string; readonly node?: string } | null;
}

/** A committed superstep. `result` is the activity's result verbatim (workflows/messages.ts, SuperstepResult). */
export interface StepRecord {
  readonly step: number;
  readonly end: LogPosition;
  readonly batches: readonly Batch[];
  readonly result: unknown;
}

/** Attempts of the present superstep other than the first: which began and which ended by an exception of ours. */
export interface AttemptLedger {
  readonly step: number;
  readonly opened: readonly number[];
  readonly closed: readonly number[];
  /** Failures so far of nodes with a retry policy, by task id. */
  readonly nodeFailures: { readonly [taskId: string]: number };
  /** What attempts that were closed have told of tasks, all of it in the log. Absent: nothing. */
  readonly told?: ToldTasks;
}

/** Ids of tasks. */
export interface ToldTasks {
  readonly started: readonly string[];
  readonly finished: readonly string[];
}

export interface Assistant {
  readonly assistantId: string;
  readonly graphId: string;
  readonly name: string;
  readonly description: string | null;
  readonly config: JsonObject;
  readonly context: JsonObject;
  readonly metadata: JsonObject;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

// --- Verbs -----------------------------------------------------------------------------------------------------------

export interface SubmitRun {
  readonly runId: string;
  /** Absent: a thread is created for the run (stateless). */
  readonly threadId: string;
  readonly ifThreadMissing: 'reject' | 'create';
  readonly assistantId: string;
  readonly graphId: string;
  readonly kwargs: RunKwargs;
  readonly metadata: JsonObject;
  readonly multitaskStrategy: MultitaskStrategy;
  /** Runs of the thread that may be pending; `interrupt` and `rollback` displace them instead. */
  readonly maxWaiting: number;
  readonly notBefore?: Date;
}
export type Submitted =
  | {
      readonly kind: 'accepted';
      readonly run: Run;
      readonly thread: Thread;
      /** Runs of the thread that were pending, running or paused when this one came, oldest first. */
      readonly inflight: readonly Run[];
    }
  | { readonly kind: 'thread_missing' }
  /** `reject`, and a run is pending or running (a paused run is no obstacle). */
  | { readonly kind: 'busy' }
  /** As many runs are pending as may be. */
  | { readonly kind: 'queue_full' };

/** All that a superstep changes, in one transaction. */
export interface StepCommit {
  readonly run: { readonly runId: string; readonly threadId: string };
  /** Refused when a later one has opened: it may have told readers of its own events already. 1-based. */
  readonly attempt: number;
  readonly record: StepRecord;
  readonly checkpoints: readonly {
    readonly parentConfig: RunnableConfig;
    readonly checkpoint: Checkpoint;
    readonly metadata: CheckpointMetadata;
    readonly newVersions: ChannelVersions;
  }[];
  readonly pendingWrites: readonly {
    readonly config: RunnableConfig;
    readonly taskId: string;
    readonly writes: readonly PendingWrite[];
    /** As the saver stores it; absent for writes of no task. */
    readonly taskPath?: string;
  }[];
  /** Whether an attempt of this superstep has told something ahead (step-journal.ts). */
  readonly journal?: 'written';
  /** What becomes of the run: its first superstep begins, it goes on, pauses, or is settled together with its thread. */
  readonly then:
    | { readonly kind: 'begin' }
    | { readonly kind: 'continue' }
    | { readonly kind: 'pause'; readonly pause: Pause; readonly thread: SettledThread }
    | { readonly kind: 'settle'; readonly state: 'success' | 'interrupted'; readonly thread: SettledThread };
}
export interface SettledThread {
  readonly values: Json;
  readonly interrupts: Thread['interrupts'];
  /** Nodes of an unfinished superstep: the thread is `interrupted` when there are any. */
  readonly next: readonly string[];
}
