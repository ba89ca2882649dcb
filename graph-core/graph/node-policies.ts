// How a node is retried, cached and limited in time: as an author says it, and as the engine gets it.
import { cachePolicy, type CachePolicy } from '../engine/cache-policy.js';
import { retryPolicy, type RetryPolicy } from '../engine/retry.js';
import { timeoutPolicy, type TimeoutPolicy } from '../timeout-policy.js';

export interface NodePolicyOptions {
  /** Calls it again after a failure; none by default. */
  readonly retryPolicy?: RetryPolicy;
  /** Takes its result from the cache where the same input was seen before. `true`: by default settings; `false`: never. */
  readonly cachePolicy?: CachePolicy | boolean;
  /** Of one attempt. A number is milliseconds. */
  readonly timeout?: number | TimeoutPolicy;
}

/** Without short forms. */
export interface NodePolicies {
  readonly retryPolicy?: RetryPolicy;
  /** `false`: not even the graph's default. */
  readonly cachePolicy?: CachePolicy | false;
  readonly timeout?: TimeoutPolicy;
}

/** @throws Error for what is no policy, or one that makes no sense. */
export function nodePolicies(given: NodePolicyOptions): NodePolicies {
  return {
    retryPolicy: retryPolicy(given.retryPolicy),
    cachePolicy: cachePolicy(given.cachePolicy),
    timeout: timeoutPolicy(given.timeout),
  };
}

/** Where it has none of its own, a default is a node's policy. */
export function withDefaults(own: NodePolicies, defaults: NodePolicies): NodePolicies {
  return {
    retryPolicy: own.retryPolicy ?? defaults.retryPolicy,
    cachePolicy: own.cachePolicy ?? defaults.cachePolicy,
    timeout: own.timeout ?? defaults.timeout,
  };
}
