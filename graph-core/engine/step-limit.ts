// `stepTimeout`: how long a whole superstep may take.
import { LONGEST_TIMER_MS } from '../timeout-policy.js';

export interface StepLimit {
  /** Aborts with the run, or when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time was over. */
  readonly passed: boolean;
  clear(): void;
}

/**
 * @param timeoutMs Absent, 0, or longer than a timer can be: no limit.
 * @throws Error for what is no such time.
 */
export function stepLimit(timeoutMs: number | undefined, run: AbortSignal): StepLimit {
  if (timeoutMs !== undefined && !(timeoutMs >= 0)) throw new Error('stepTimeout must be greater than 0');
  if (timeoutMs === undefined || timeoutMs === 0 || timeoutMs > LONGEST_TIMER_MS) {
    return { signal: run, passed: false, clear: () => undefined };
  }
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, timeoutMs);
  return {
    signal: AbortSignal.any([run, over.signal]),
    get passed() {
      return over.signal.aborted;
    },
    clear: () => clearTimeout(timer),
  };
}
