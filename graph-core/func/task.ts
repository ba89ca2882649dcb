import { cachePolicy, type CachePolicy } from '../engine/cache-policy.js';
import { retryPolicy, type RetryPolicy } from '../engine/retry.js';
import { runningTaskContext } from '../engine/running-task-context.js';
import { timeoutPolicy, type TimeoutPolicy } from '../timeout-policy.js';
import { AuthorFunction, refuseGenerator } from './author-function.js';
import type { TaskFunc } from './function-types.js';

export interface TaskOptions {
  /** Like a node's name: what streams, traces and errors call it. A part of what a result is found again by. */
  readonly name: string;
  /** Calls the function again after a failure; not by default. */
  readonly retry?: RetryPolicy;
  /** Where the graph has a cache: a call with the same arguments takes the result of an earlier one. */
  readonly cachePolicy?: CachePolicy | boolean;
  /** Of one attempt; a number is its duration in milliseconds. */
  readonly timeout?: number | TimeoutPolicy;
}

/**
 * Makes a function a task: each call of it runs as a task of its own beside the one that calls, and its result is saved
 * at once. Where the caller runs again (after a question, a failure or a crash), its nth call gets the nth result without
 * running. For that, a caller must make its calls in the same order each time.
 *
 * @returns a function of the same arguments. Its promise rejects with what the function threw in its last attempt; this
 *   fails the run also where the caller catches it, or does not await it. Called outside of a run, it throws.
 * @throws Error for a generator function, and for policies that make no sense.
 */
export function task<Args extends unknown[], Output>(
  optionsOrName: TaskOptions | string,
  func: TaskFunc<Args, Output>,
): (...args: Args) => Promise<Awaited<Output>> {
  const options: TaskOptions = typeof optionsOrName === 'string' ? { name: optionsOrName } : optionsOrName;
  refuseGenerator('tasks', func);
  const { name } = options;
  const bound = new AuthorFunction(name, (args) => func(...(args as Args)));
  const policies = {
    retryPolicy: retryPolicy(options.retry),
    cachePolicy: cachePolicyOf(options),
    timeout: timeoutPolicy(options.timeout),
  };
  return (...args) => {
    const context = runningTaskContext(`Task "${name}" was called`);
    return context.call({ name, bound, args, ...policies }) as Promise<Awaited<Output>>;
  };
}

/** `cache` is the option's older name. */
function cachePolicyOf(
  options: TaskOptions & { readonly cache?: TaskOptions['cachePolicy'] },
): CachePolicy | undefined {
  return cachePolicy(options.cachePolicy ?? options.cache) || undefined;
}
