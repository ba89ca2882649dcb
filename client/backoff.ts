// How long to wait before the next attempt.

export interface ReconnectPolicy {
  /** Attempts in a row without progress before giving up; any event or heartbeat starts the count anew. */
  readonly attempts: number;
  /** Pause before the first attempt; doubles with each. Milliseconds. */
  readonly baseMs: number;
  /** Longest pause. Milliseconds. */
  readonly maxMs: number;
}

/** 0.25 + 0.5 + 1 + 2 + 4 + 5 … s: about a minute and a half in all, longer than a service takes to start again. */
export const DEFAULT_RECONNECT: ReconnectPolicy = { attempts: 20, baseMs: 250, maxMs: 5_000 };

/** Pauses grow exponentially and are spread by chance over their upper half, so that many clients do not return at once. */
export class Backoff {
  readonly #policy: ReconnectPolicy;
  readonly #random: () => number;
  #failures = 0;

  constructor(policy: ReconnectPolicy, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
  }

  /** Attempts since the last progress. */
  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds to wait, at least `atLeastMs`; undefined when the attempts are used up. */
  next(atLeastMs = 0): number | undefined {
    if (this.#failures >= this.#policy.attempts) return undefined;
    const ceiling = Math.min(this.#policy.maxMs, this.#policy.baseMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.max(atLeastMs, ceiling * (0.5 + this.#random() / 2));
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** @throws the signal's reason when it aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
