// What `compile()` produces and the engine runs: a graph as data. The authoring API (graph/) builds it, the engine
// (engine/) reads it, and neither knows the other's code.
import type { Runnable } from '@langchain/core/runnables';
import type { Channel } from '../channels/channel.js';
import type { TimeoutPolicy } from '../timeout-policy.js';
import type { CachePolicy } from './cache-policy.js';
import type { NodeConfig } from './node-config.js';
import type { RetryPolicy } from './retry.js';

/** A graph's channels, nodes and the keys by which it is read from outside. Immutable once built. */
export interface GraphSpec {
  /** Empty channels, by name; the engine copies them with `fromCheckpoint` and never updates these. */
  readonly channels: Readonly<Record<string, Channel>>;
  /** In the order they were added: the order in which they are considered when nothing says what changed. */
  readonly nodes: Readonly<Record<string, NodeSpec>>;
  /** The channel that input is written to; `__start__` for a StateGraph. A list: a record of input goes to several. */
  readonly inputChannel: string | readonly string[];
  /**
   * Checks, and coerces, new input before a run begins with it, and a Command's update.
   * @throws what the caller of the run gets, here or by the promise.
   */
  readonly parseInput?: (input: unknown) => unknown;
  /** The same for the context. */
  readonly parseContext?: (context: unknown) => unknown;
  /** What `invoke` returns and `values` shows: one channel's value, or a record of several. */
  readonly outputChannels: string | readonly string[];
  /** What `updates` and `tasks` show of a task's writes. */
  readonly streamChannels: string | readonly string[];
}

export interface NodeSpec {
  readonly name: string;
  /** Channels whose new version makes the node run. */
  readonly triggers: readonly string[];
  /** Its input: a record of these channels (unavailable ones left out), or one channel's value. */
  readonly reads: string | readonly string[];
  /** Channels without which it does not run, whatever triggers it. */
  readonly requires?: readonly string[];
  /** Applied to that input before the node sees it (schema coercion, state adapters). */
  readonly mapInput?: (input: unknown) => unknown;
  /** The author's code. Absent on START, whose writers map the input. */
  readonly bound?: Runnable;
  /** Run in order on the node's output; they turn it into channel writes, Sends and edge triggers. */
  readonly writers: readonly NodeWriter[];
  readonly retryPolicy?: RetryPolicy;
  readonly cachePolicy?: CachePolicy;
  /** Of one attempt; a Send's own stands over it. */
  readonly timeout?: TimeoutPolicy;
  /** The node that runs in its place when it has failed and is not retried. */
  readonly errorHandler?: string;
  /** It is such a node: nothing triggers it, and its own failure is not handled. */
  readonly isErrorHandler?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** `langsmith:hidden` hides a task from streams and from `interruptBefore/After: "*"`. */
  readonly tags?: readonly string[];
  /** Nodes reachable only by Command; for validation and drawing. */
  readonly ends?: readonly string[];
  /** Compiled graphs inside this node, found at compile time: what `getState({subgraphs})` can look into. */
  readonly subgraphs?: readonly unknown[];
}

/** Turns a node's output into writes. May be async (a conditional edge may call a model). */
export type NodeWriter = (output: unknown, context: WriterContext) => void | Promise<void>;

export interface WriterContext {
  /** Write to a channel; writing a Send to `__pregel_tasks` schedules a task for the next superstep. */
  readonly write: (channel: string, value: unknown) => void;
  /** The state as it was before the superstep plus this task's own writes; nobody else's. */
  readonly readFresh: (reads: string | readonly string[]) => unknown;
  readonly config: NodeConfig;
}
