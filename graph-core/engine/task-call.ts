// What a call of a `task()` function hands to the engine.
import type { Runnable } from '@langchain/core/runnables';
import type { CachePolicy } from './cache-policy.js';
import type { RetryPolicy } from './retry.js';
import type { TimeoutPolicy } from '../timeout-policy.js';

export interface TaskCall {
  /** What the task is called in streams and errors; part of its id. */
  readonly name: string;
  /** The author's function; its input is the list of arguments. */
  readonly bound: Runnable;
  readonly args: readonly unknown[];
  readonly retryPolicy?: RetryPolicy;
  readonly cachePolicy?: CachePolicy;
  readonly timeout?: TimeoutPolicy;
}
