// When and after how long a failed node is called again.
import { LONGEST_TIMER_MS } from '../timeout-policy.js';

export interface RetryPolicy {
  /** Milliseconds before the second attempt. Default 500. */
  readonly initialInterval?: number;
  /** Each wait is this many times the one before. Default 2. */
  readonly backoffFactor?: number;
  /** Upper bound of a wait, in milliseconds. Default 128,000. */
  readonly maxInterval?: number;
  /** Calls in total, the first included. Default 3. */
  readonly maxAttempts?: number;
  /** Adds up to a second at random to each wait. Default true. */
  readonly jitter?: boolean;
  /** Which errors are worth another attempt. Default {@link isRetryable}. */
  readonly retryOn?: (error: unknown) => boolean;
  /** Whether a retry is reported on the console. Default true. */
  readonly logWarning?: boolean;
}

/**
 * @returns it, as it is.
 * @throws Error for what is no policy. An attempt counted against what is no number would be followed by another for ever.
 */
export function retryPolicy(value: RetryPolicy | undefined | null): RetryPolicy | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') throw new Error(`retryPolicy must be an object, got ${String(value)}`);
  for (const field of ['initialInterval', 'backoffFactor', 'maxInterval', 'maxAttempts'] as const) {
    const given: unknown = value[field] ?? 0;
    if (Number.isNaN(Number(given))) throw new Error(`retryPolicy.${field} must be a number, got ${String(given)}`);
  }
  const { retryOn } = value;
  if (retryOn && typeof retryOn !== 'function') {
    throw new Error('retryPolicy.retryOn must be a function that takes the error and says whether to try again');
  }
  return value;
}

const DEFAULT_INITIAL_INTERVAL_MS = 500;
const DEFAULT_BACKOFF_FACTOR = 2;
const DEFAULT_MAX_INTERVAL_MS = 128_000;
const DEFAULT_MAX_ATTEMPTS = 3;
const JITTER_MS = 1000;

/** Client errors that will not go away by asking again. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 406, 407, 409]);

interface ErrorLike {
  readonly name?: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly response?: { readonly status?: unknown };
  readonly error?: { readonly code?: unknown };
}

/** LangGraph's default: everything but cancellations, wrong set-up and answers that say the request itself is at fault. */
export function isRetryable(error: unknown): boolean {
  const { name, message, code, status, response, error: inner } = (error ?? {}) as ErrorLike;
  if (name === 'AbortError' || message?.startsWith('Cancel') || message?.startsWith('AbortError')) return false;
  if (name === 'GraphValueError') return false;
  if (code === 'ECONNABORTED') return false;
  if (FINAL_STATUSES.has(Number(response?.status ?? status))) return false;
  return inner?.code !== 'insufficient_quota';
}

/**
 * The wait before the next attempt, in milliseconds; `undefined` when there is none.
 * @param failures attempts that have failed so far, this one included.
 */
export function retryDelayMs(policy: RetryPolicy, failures: number, error: unknown): number | undefined {
  if (failures >= (policy.maxAttempts ?? DEFAULT_MAX_ATTEMPTS)) return undefined;
  if (!(policy.retryOn ?? isRetryable)(error)) return undefined;
  const growth = (policy.backoffFactor ?? DEFAULT_BACKOFF_FACTOR) ** (failures - 1);
  const wait = (policy.initialInterval ?? DEFAULT_INITIAL_INTERVAL_MS) * growth;
  const bounded = Math.min(wait, policy.maxInterval ?? DEFAULT_MAX_INTERVAL_MS, LONGEST_TIMER_MS - JITTER_MS);
  return (policy.jitter ?? true) ? bounded + Math.random() * JITTER_MS : bounded;
}

/** What a driver has to know to wait and to run a superstep again. */
export interface NodeRetry {
  readonly taskId: string;
  readonly node: string;
  /** Attempts of this task that have failed, this one included. */
  readonly failures: number;
  /** How long to wait; the longest where several tasks failed. */
  readonly delayMs: number;
  /** When this superstep first called the node, in milliseconds since 1970. */
  readonly firstAttemptAt: number;
  readonly cause: unknown;
  /** `SuperstepPorts.failedAttempts` of the next attempt: failures of every task that failed so far, by id. */
  readonly failedAttempts: Readonly<Record<string, number>>;
}

/**
 * Asks the driver of a superstep to wait and run it again: a node failed and its policy grants another attempt. Thrown
 * only when the siblings have finished and are saved, so the next attempt runs the failed tasks alone.
 */
export class NodeRetryRequest extends Error {
  override readonly name = 'NodeRetryRequest';
  readonly taskId: string;
  readonly node: string;
  readonly failures: number;
  readonly delayMs: number;
  readonly firstAttemptAt: number;
  readonly failedAttempts: Readonly<Record<string, number>>;

  constructor(retry: NodeRetry) {
    const { node, failures, delayMs, cause } = retry;
    super(
      `Node "${node}" failed (attempt ${failures}) and is to run again in ${Math.round(delayMs)} ms: ${String(cause)}`,
      {
        cause,
      },
    );
    this.taskId = retry.taskId;
    this.node = node;
    this.failures = failures;
    this.delayMs = delayMs;
    this.firstAttemptAt = retry.firstAttemptAt;
    this.failedAttempts = retry.failedAttempts;
  }
}

/** Whether a driver was asked to run the superstep again. */
export function isNodeRetryRequest(error: unknown): error is NodeRetryRequest {
  return error instanceof Error && error.name === 'NodeRetryRequest';
}
