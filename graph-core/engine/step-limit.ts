// `stepTimeout`: how long a whole superstep may take.

export interface StepLimit {
  /** Aborts with the run, or when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time was over. */
  readonly passed: boolean;
  clear(): void;
}

/** @param timeoutMs Absent or 0: no limit. */
export function stepLimit(timeoutMs: number | undefined, run: AbortSignal): StepLimit {
  if (timeoutMs === undefined || timeoutMs === 0) return { signal: run, passed: false, clear: () => undefined };
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
