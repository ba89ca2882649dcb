// The public face of the thread workflow: names and argument types of its signals and queries, and of the
// activities it calls. All that other folders may import from here; plain data, so that no sandbox code leaks out.
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import type { Batch } from '../events/batch.js';
import type { LogPosition } from '../events/entry.js';

export const THREAD_WORKFLOW = 'thread';
export const SWEEP_WORKFLOW = 'sweep';
/** The id is the lock that keeps the runs of a thread one at a time. */
export const threadWorkflowId = (threadId: string): string => `thread:${threadId}`;

/**
 * Search attributes, all Keyword but for the Bool. Registered before the worker starts: an unknown one makes every
 * workflow task fail for ever.
 */
export const SEARCH_ATTRIBUTES = {
  thread: 'SsThread',
  run: 'SsRun',
  assistant: 'SsAssistant',
  graph: 'SsGraph',
  /** A {@link RunStatusLabel}. */
  runStatus: 'SsRunStatus',
  /** true while the run waits for a person. */
  waitsForApproval: 'SsWaitsForApproval',
} as const;

export type RunStatusLabel =
  'pending' | 'running' | 'waiting' | 'success' | 'error' | 'timeout' | 'interrupted' | 'rolled_back' | 'gone';

/** The same as typed keys, for start options and upserts. */
export const ATTRIBUTE_KEYS = {
  thread: defineSearchAttributeKey(SEARCH_ATTRIBUTES.thread, 'KEYWORD'),
  run: defineSearchAttributeKey(SEARCH_ATTRIBUTES.run, 'KEYWORD'),
  assistant: defineSearchAttributeKey(SEARCH_ATTRIBUTES.assistant, 'KEYWORD'),
  graph: defineSearchAttributeKey(SEARCH_ATTRIBUTES.graph, 'KEYWORD'),
  runStatus: defineSearchAttributeKey(SEARCH_ATTRIBUTES.runStatus, 'KEYWORD'),
  waitsForApproval: defineSearchAttributeKey(SEARCH_ATTRIBUTES.waitsForApproval, 'BOOL'),
};

/**
 * All of a run's search attributes. Whoever starts an execution passes them (`typedSearchAttributes`), with the status
 * of {@link startStatus}: that saves the workflow an upsert.
 */
export const runAttributes = (threadId: string, run: RunRef, status: RunStatusLabel): SearchAttributePair[] => [
  { key: ATTRIBUTE_KEYS.thread, value: threadId },
  { key: ATTRIBUTE_KEYS.run, value: run.runId },
  { key: ATTRIBUTE_KEYS.assistant, value: run.assistantId },
  { key: ATTRIBUTE_KEYS.graph, value: run.graphId },
  { key: ATTRIBUTE_KEYS.runStatus, value: status },
  { key: ATTRIBUTE_KEYS.waitsForApproval, value: status === 'waiting' },
];

/** How a run's first execution begins. */
export const startStatus = ({ notBefore }: RunRef): RunStatusLabel => (notBefore === undefined ? 'running' : 'pending');

export type MultitaskStrategy = 'reject' | 'enqueue' | 'interrupt' | 'rollback';
export type CancelAction = 'interrupt' | 'rollback';

/** What the workflow knows of a run; everything else (input, config, context) is in the run's row. About 200 bytes. */
export interface RunRef {
  readonly runId: string;
  readonly assistantId: string;
  readonly graphId: string;
  readonly strategy: MultitaskStrategy;
  /** Nodes of the first superstep where they are known beforehand; for its label only. */
  readonly firstNodes?: readonly string[];
  /** `after_seconds`: milliseconds since the epoch before which the run does not start. */
  readonly notBefore?: number;
}

/**
 * Limits of the superstep activity, from the settings of whoever submitted the run. Milliseconds.
 *
 * On a Temporal server that is not configured as ours (`history.workflowIdReuseMinimalInterval`, default 1 s), a run that
 * was queued behind one of less than a second starts up to a second late. Nothing here works around it: one execution
 * stays one run.
 */
export interface StepPolicy {
  readonly startToCloseMs: number;
  readonly heartbeatTimeoutMs: number;
}

/** Where a run is; carried over continue-as-new, and stored with each committed superstep in the run's row. */
export interface RunProgress {
  /** The superstep activity to run next, 1-based within the run. */
  readonly step: number;
  /** The root checkpoint it starts from. */
  readonly checkpointId: string;
  /** The first superstep number refused by the recursion limit. */
  readonly stop: number;
  /** The event log's end. */
  readonly end: LogPosition;
  /** Nodes of the step to come; for its label. */
  readonly next: readonly string[];
  /** How often this run has paused. Present pause, or the last one, has this number. */
  readonly pauses: number;
  /** Of a time travel: up to where nested graphs look for the state they start from. Root checkpoint ids. */
  readonly replay?: { readonly before: string; readonly from: string };
  /** Blob with the values of untracked channels, which the checkpoint has not. */
  readonly untracked?: string;
}

/** What a paused run waits for; bounded, for operators. */
export interface WaitingFor {
  readonly interruptId: string;
  readonly node: string;
  /** At most 300 characters of the interrupt's value. */
  readonly summary: string;
}

/** The input of the `thread` workflow. One execution is one run (or a stretch of one). */
export interface ThreadInput {
  readonly threadId: string;
  readonly run: RunRef;
  readonly queue: readonly RunRef[];
  /** The last {@link RECENT_RUNS} run ids accepted, newest last: a submission may be repeated to a later execution. */
  readonly recent: readonly string[];
  readonly policy: StepPolicy;
  /** Present when an execution takes up a run in the middle (continue-as-new, or the sweep). */
  readonly progress?: RunProgress;
  /** Where the log goes on, if not at `progress.end` or, without progress, at its start. */
  readonly end?: LogPosition;
  /** With `progress`: the run waits for the answer to pause `progress.pauses`. */
  readonly paused?: { readonly waitingFor: readonly WaitingFor[] };
  /** Signals received and not yet acted upon, carried over continue-as-new. */
  readonly carried?: { readonly resumes: readonly ResumeSignal[]; readonly cancels: readonly CancelSignal[] };
}
export const RECENT_RUNS = 50;
/** Runs that may wait on a thread, as accepting them sees to; 1,000 refs are about 200 KB of continue-as-new input. */
export const MAX_QUEUED_RUNS = 1_000;

/**
 * `resume`: a signal, so that an answer is accepted while no worker runs. The server has already claimed the pause and
 * stored the answer in the run's row (one winner); the signal wakes the workflow, which drops it unless it waits at
 * that very pause. An operator may send `{"value": …}` from the Temporal UI without a number.
 */
export const RESUME_SIGNAL = 'resume';
export interface ResumeSignal {
  readonly pause?: number;
  readonly value?: unknown;
}

/**
 * `cancel`: a signal, for the same reason. For the run that runs, waits, or is queued. Without an argument, or with null,
 * it interrupts the present run: for operators.
 */
export const CANCEL_SIGNAL = 'cancel';
export interface CancelSignal {
  readonly runId: string;
  readonly action: CancelAction;
}

/** `appendEvents`: a long superstep flushes its log. Dropped when its numbers are not above the log's end. */
export const APPEND_EVENTS_SIGNAL = 'appendEvents';
export interface AppendEventsSignal {
  readonly runId: string;
  readonly batch: Batch;
}

/**
 * `submitRun`: a signal, because the run was accepted when its row was stored, and nobody waits for an execution that is
 * just closing. Safe to repeat: a run id is taken in once.
 */
export const SUBMIT_RUN_SIGNAL = 'submitRun';
export interface SubmitRunSignal {
  readonly run: RunRef;
  /**
   * Runs that were accepted before this one, oldest first. The submission of one that is not known here was lost with its
   * server; it takes its place before this one.
   */
  readonly earlier?: readonly RunRef[];
}

export const SNAPSHOT_QUERY = 'snapshot';
export interface ThreadSnapshot {
  readonly run: RunRef;
  readonly state: 'delayed' | 'running' | 'waiting' | 'settling' | 'settled';
  readonly progress?: RunProgress;
  readonly waitingFor: readonly WaitingFor[];
  readonly queue: readonly RunRef[];
}
/** `events`: EventsRequest → EventsAnswer (events/batch.ts), of this execution. */
export const EVENTS_QUERY = 'events';

// --- Activities ------------------------------------------------------------------------------------------------------

export interface SuperstepInput {
  readonly threadId: string;
  readonly run: RunRef;
  /** Absent on the first superstep of a run. */
  readonly progress?: RunProgress;
  /** The event log's end: attempt 1 numbers its entries from here. */
  readonly end: LogPosition;
  /**
   * Set on the superstep that follows a pause: the answer is in the run's row, unless an operator gave `value` here. The
   * thread's state may have been edited during the pause: this superstep starts from the thread's latest checkpoint, not
   * from `progress.checkpointId`.
   */
  readonly resume?: ResumeSignal;
}

/** Small by construction: at most 64 KB, checked before it is returned. */
export type SuperstepResult =
  | { readonly kind: 'continue'; readonly progress: RunProgress; readonly batches: readonly Batch[] }
  | {
      readonly kind: 'paused';
      readonly progress: RunProgress;
      readonly waitingFor: readonly WaitingFor[];
      readonly batches: readonly Batch[];
    }
  /** The run's row and thread are settled. */
  | { readonly kind: 'done'; readonly end: LogPosition; readonly batches: readonly Batch[] }
  /** The graph asked for it (`config.control`): row and thread are settled, and null input goes on from here. */
  | { readonly kind: 'drained'; readonly end: LogPosition; readonly batches: readonly Batch[] }
  /** The run's row says that it must not run: settled or deleted before. Nothing was done. */
  | { readonly kind: 'gone' };

/** How a run ends other than by its last superstep. */
export type SettleInput = {
  readonly threadId: string;
  readonly run: RunRef;
  /** The log's end as far as it is known. */
  readonly end: LogPosition;
  /**
   * Whether ids above `end` may have been shown: `unknown` when a superstep's worker was lost, so that nobody said where
   * it stopped. Settling then starts above every attempt that the run's row knows of.
   */
  readonly beyondEnd: 'nothing' | 'unknown';
  readonly outcome:
    | { readonly kind: 'error'; readonly error: RunError }
    | { readonly kind: 'timeout'; readonly error: RunError }
    /** Cancelled: completed supersteps stay. */
    | { readonly kind: 'interrupted' }
    /** Cancelled: the run and its checkpoints are deleted. */
    | { readonly kind: 'rolled_back' }
    /** A paused run displaced by a new run on its thread: it reads as the success it always read as to Platform clients. */
    | { readonly kind: 'superseded'; readonly by: string };
};
export type SettleResult =
  | { readonly kind: 'settled'; readonly batches: readonly Batch[]; readonly end: LogPosition }
  /** Only for `superseded`: an answer to the pause was accepted first; its `resume` is on the way, and the run goes on. */
  | { readonly kind: 'answered' };

/** As stored in the run's row and shown in `error` frames. */
export interface RunError {
  /** Class name or code: what `error` frames and `__error__` give as `error`. */
  readonly error: string;
  readonly message: string;
  readonly node?: string;
}

/** What an operator reads: clients get the node beside the message, a failure in Temporal has the message alone. */
export const failureMessage = ({ message, node }: RunError): string =>
  node === undefined || message.includes(`"${node}"`) ? message : `Node "${node}": ${message}`;

/**
 * Failure types of the superstep activity (ApplicationFailure.type). `details[1]`, and `details[0]` of a CancelledFailure,
 * is the LogPosition up to which the attempt made entries.
 */
export const FAILURE = {
  /** A node asked for a retry; `nextRetryDelay` is its back-off. Retried by Temporal. */
  nodeRetry: 'NODE_RETRY',
  /** A node failed for good. details[0]: RunError. Not retried. */
  nodeFailed: 'NODE_FAILED',
  /** The run cannot go on (recursion limit, bad input, unknown graph, unserialisable state). details[0]: RunError. Not retried. */
  runFailed: 'RUN_FAILED',
  /** Too many attempts were lost with their workers. details[0]: RunError. Not retried. */
  workerLost: 'WORKER_LOST',
  /** Postgres or Temporal could not be reached. Retried until it can. */
  unavailable: 'UNAVAILABLE',
} as const;

export interface ThreadActivities {
  superstep(input: SuperstepInput): Promise<SuperstepResult>;
  settle(input: SettleInput): Promise<SettleResult>;
}
export interface SweepActivities {
  /** Finds runs that are pending, running or resumed in Postgres and have no open workflow. */
  sweep(): Promise<{ readonly restarted: number; readonly closed: number; readonly nudged: number }>;
}

// --- Taking up a run again -------------------------------------------------------------------------------------------

/** A run as its row has it, for whoever finds that it has no open workflow: the sweep, or the next request on its thread. */
export interface LostRun {
  readonly threadId: string;
  readonly run: RunRef;
  /** The last committed superstep: its result and the log's end. Null before the first. */
  readonly lastStep: { readonly result: unknown; readonly end: LogPosition } | null;
  /** Whether an execution has begun to run it, and may have shown entries that were not logged. */
  readonly began: boolean;
}

/** Above all that 1,024 attempts of a superstep may have shown: as events/entry.ts leaves room for a settling. */
const RESTART_STRIDE = 2 ** 34;

/** The workflow input that takes up a run where its row says it is. */
export function restartInput(
  { threadId, run, lastStep, began }: LostRun,
  policy: StepPolicy,
  more: Partial<Pick<ThreadInput, 'queue' | 'carried'>> = {},
): ThreadInput {
  const last = lastStep?.result as SuperstepResult | undefined;
  const end = lastStep?.end ?? { seq: -1, frame: -1 };
  return {
    threadId,
    run,
    queue: [],
    recent: [],
    policy,
    ...((last?.kind === 'continue' || last?.kind === 'paused') && { progress: last.progress }),
    ...(last?.kind === 'paused' && { paused: { waitingFor: last.waitingFor } }),
    ...(began && { end: { seq: end.seq + RESTART_STRIDE, frame: end.frame + RESTART_STRIDE } }),
    ...more,
  };
}
