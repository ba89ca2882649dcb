// The engine's door for whoever drives a graph one superstep at a time: `invoke()` in this process, or the durable
// service with an activity per superstep. Values in, values out; the world comes in by SuperstepPorts.
import type {
  BaseCache,
  BaseCheckpointSaver,
  BaseStore,
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  CheckpointPendingWrite,
  PendingWrite,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { StreamChunk, StreamMode } from '../stream-mode.js';
import type { Command } from '../command.js';
import type { Interrupt } from '../errors.js';
import type { ReplayPoint } from './replay-point.js';
import type { RunControl } from './run-control.js';

/** How delta channels are kept: by their writes and a snapshot now and then, or whole in each checkpoint. */
export type DeltaStorage = 'replayed' | 'whole';

/** A checkpoint as saved, with the writes of its unfinished superstep. What a superstep starts from. */
export interface SavedState {
  /** `configurable` names thread_id, checkpoint_ns and checkpoint_id. */
  readonly config: RunnableConfig;
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly parentConfig?: RunnableConfig;
  readonly pendingWrites: readonly CheckpointPendingWrite[];
  /** It was asked for by its id, and the thread has gone on from it. Set by `loadSaved`. */
  readonly superseded?: boolean;
}

/** What starts a run, or sets it going again. `nothing` (LangGraph's `null` input) continues an unfinished thread. */
export type RunInput =
  | { readonly kind: 'input'; readonly value: unknown }
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'nothing' };

/** Options of one run; the same for each of its supersteps. */
export interface RunOptions {
  /** The caller's config: configurable, tags, metadata, callbacks, context, recursionLimit (default 25), maxConcurrency. */
  readonly config: RunnableConfig & { readonly context?: unknown };
  /** Chunks of other modes are not made at all. */
  readonly streamModes: readonly StreamMode[];
  /** Also stream from subgraphs. */
  readonly streamSubgraphs: boolean;
  /**
   * How `messages` and `tools` are shown: as LangChain's messages under the graph they are of, or as protocol events under
   * their task (`streamEvents` v3). Default `in graphs`.
   */
  readonly events?: 'in graphs' | 'protocol';
  /** Overrides the compiled graph's own breakpoints when given. */
  readonly interruptBefore?: '*' | readonly string[];
  readonly interruptAfter?: '*' | readonly string[];
  /** What `values` and `updates` show. Default: the graph's `streamChannels`, as `stream()`; `invoke()` has `outputChannels`. */
  readonly outputKeys?: string | readonly string[];
  /** For graphs called in nodes: when they save. Default `async`. */
  readonly durability?: 'sync' | 'async' | 'exit';
}

export interface SuperstepPorts {
  /** Absent: a graph without memory (interrupts are errors). Subgraphs read and write their own checkpoints with it. */
  readonly saver?: BaseCheckpointSaver;
  readonly store?: BaseStore;
  /** Where results of nodes with a `cachePolicy` are kept; over the graph's own. Absent: nothing is cached. */
  readonly cache?: BaseCache;
  /**
   * Asked when the tasks of the superstep are planned and before any of them runs. If a drain is requested and one is left
   * to run, `runSuperstep` throws GraphDrained: nothing was done, and the same state is to be run again. It is lent to
   * graphs called in nodes; one that drains between its own supersteps ends this superstep with GraphDrained too, when the
   * siblings have finished and are saved. The graph then goes on from its own checkpoint.
   */
  readonly control?: RunControl;
  /** Called as each task finishes, before its `updates` chunk is emitted; `siblings` counts the superstep's tasks. */
  saveWrites(taskId: string, writes: readonly PendingWrite[], info: SavedWritesInfo): Promise<void> | void;
  /**
   * `replayed`: every task's writes are saved, START's too, and before the checkpoint that follows. Default `whole`, which
   * needs none of that: each checkpoint holds the values of delta channels.
   */
  readonly deltas?: DeltaStorage;
  /** Chunks of a running superstep (custom, messages, updates, tasks), in order, as they happen. */
  emit(chunk: StreamChunk): void;
  /** Aborts the nodes; it reaches them as `config.signal`. */
  readonly signal: AbortSignal;
  /**
   * Who waits out a node's back-off: `inline` sleeps and calls the node again within this superstep; `caller` lets the
   * siblings finish and be saved, then throws {@link NodeRetryRequest}, so that the wait can be a durable timer.
   */
  readonly retries: 'inline' | 'caller';
  /** Failures of each task so far by task id, when `retries` is `caller`; counts towards `maxAttempts`. */
  readonly failedAttempts?: Readonly<Record<string, number>>;
  /** Asked for every write before it is accepted; throws to refuse it (a value that cannot be stored). */
  checkWrite?(node: string, channel: string, value: unknown): void;
  /** The process's name for one execution attempt of the step, shown to nodes as `executionInfo`. 1-based. */
  readonly attempt?: number;
  /** Ids of tasks whose results were streamed when this superstep was attempted before; they are not streamed again. */
  readonly told?: ReadonlySet<string>;
  /** How a task is told that had finished before, and is not among `told`. Default `as cached`. */
  readonly untold?: 'as cached' | 'as finished';
  /** Called when the superstep is aborted and tasks of it still run; `stopped` settles when they have noticed. */
  left?(stopped: Promise<void>): void;
}

export interface SavedWritesInfo {
  /**
   * Tasks of the superstep, this one and the calls of tasks so far included. With one, its writes need no saving of their
   * own: the checkpoint follows.
   */
  readonly siblings: number;
  /** A call of a `task()` function is not the superstep's own: what it asks, its caller asks too. */
  readonly kind: 'planned' | 'call';
  /** The task's path as savers store it: last argument of their `putWrites`. */
  readonly taskPath: string;
  /** Whether the task is done; otherwise the writes are a note: an error, or a question with the answers so far. */
  readonly finished: boolean;
}

/** A checkpoint to be saved, and the chunks (`values`, `checkpoints`, `debug`) to announce once it is. */
export interface CheckpointCommit {
  /** Where it is saved: the parent's config, as a saver's `put` wants it. */
  readonly parentConfig: RunnableConfig;
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  /** Changed channels only. */
  readonly newVersions: ChannelVersions;
  readonly chunks: readonly StreamChunk[];
}

/** A task of the superstep to come; enough to label it. */
export interface PlannedTask {
  readonly id: string;
  readonly node: string;
}

/**
 * A run's position: the state it stands on, and how far it may go. `stop` is the first superstep number that is refused
 * (recursion limit); it is fixed when the run begins and carried by whoever drives the run.
 */
export interface RunState {
  readonly saved: SavedState;
  readonly stop: number;
  /**
   * Channels changed by the superstep that led here; says in which order tasks are planned. Kept by a driver in memory;
   * `continueFrom` restores it for one that read the checkpoint. Absent: the run was resumed here.
   */
  readonly updated?: ReadonlySet<string>;
  /** Answers by interrupt id, from the Command that resumed the run; for its first superstep. */
  readonly resumeMap?: Readonly<Record<string, unknown>>;
  /** The run goes on from here: graphs called in its first superstep go on too, if they have a state. */
  readonly resumed?: boolean;
  /** In a time travel: up to which checkpoint nested graphs look for their state. */
  readonly replay?: ReplayPoint;
}

/** The first effects of a run, before any node ran. */
export interface BegunRun {
  /** In order: a fork or input checkpoint, if any. START is a superstep of its own: run it with `runSuperstep`. */
  readonly commits: readonly CheckpointCommit[];
  /** A Command's answers and updates. To be saved before `commits`, by `putWrites(config, writes, taskId)`. */
  readonly pendingWrites: readonly {
    readonly config: RunnableConfig;
    readonly taskId: string;
    readonly writes: readonly PendingWrite[];
  }[];
  readonly state: RunState;
  /** Chunks to announce at once (on a resume: the current values). */
  readonly chunks: readonly StreamChunk[];
}

export type SuperstepOutcome =
  /** The superstep is complete and another follows. `hidden`: only hidden tasks ran (START), nothing worth an activity. */
  | {
      readonly kind: 'continue';
      readonly commit: CheckpointCommit;
      readonly state: RunState;
      readonly next: readonly PlannedTask[];
      readonly hidden: boolean;
    }
  /** The graph has nothing more to do. `commit` is absent when there was nothing to run in the first place. */
  | { readonly kind: 'done'; readonly commit?: CheckpointCommit; readonly state: RunState }
  /**
   * A task asked, or a breakpoint was met. `commit` is present for `interruptAfter`/`interruptBefore` breakpoints met
   * after a superstep was applied; a dynamic interrupt leaves the checkpoint as it was.
   */
  | {
      readonly kind: 'interrupted';
      readonly commit?: CheckpointCommit;
      readonly state: RunState;
      /** Empty for a breakpoint. `node` is the task that asks. */
      readonly interrupts: readonly (Interrupt & { readonly node: string })[];
      readonly next: readonly PlannedTask[];
      readonly chunks: readonly StreamChunk[];
    };
