// What a reader has got from the bus and not yet taken. Bounded: a slow reader loses the newest entries, not the run its
// speed; the first entry after the loss does not follow on the one before it, and so the reader finds out.
import type { LiveEntry } from './live-bus.js';

/** Characters of JSON that a reader may have waiting, whatever the number of entries; 4 SSE responses of 1 MB. */
const MAX_BUFFERED_CHARACTERS = 4 * 1024 * 1024;

export class LiveBuffer {
  readonly #maxEntries: number;
  #entries: LiveEntry[] = [];
  #taken = 0;
  #characters = 0;
  /** Something was dropped: nothing more is taken in until what is here is used up. */
  #lossy = false;
  #wake: (() => void) | undefined;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  push(entries: readonly LiveEntry[]): void {
    for (const live of entries) {
      if (this.#lossy) break;
      const full = this.#entries.length - this.#taken >= this.#maxEntries || this.#characters > MAX_BUFFERED_CHARACTERS;
      if (full) {
        this.#lossy = true;
        break;
      }
      this.#entries.push(live);
      this.#characters += live.entry.json?.length ?? 0;
    }
    this.#wake?.();
  }

  /** Whether entries were lost after those that are still here. */
  get lossy(): boolean {
    return this.#lossy;
  }

  peek(): LiveEntry | undefined {
    return this.#entries[this.#taken];
  }

  shift(): void {
    const live = this.#entries[this.#taken];
    if (live === undefined) return;
    this.#characters -= live.entry.json?.length ?? 0;
    this.#taken += 1;
    if (this.#taken === this.#entries.length) {
      this.#entries = [];
      this.#taken = 0;
    }
  }

  clear(): void {
    this.#entries = [];
    this.#taken = 0;
    this.#characters = 0;
    this.#lossy = false;
  }

  /** Resolves when something is pushed, when `ms` have passed, or when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<'pushed' | 'silence'> {
    if (signal.aborted) return Promise.resolve('silence');
    return new Promise((resolve) => {
      const end = (outcome: 'pushed' | 'silence'): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#wake = undefined;
        resolve(outcome);
      };
      const onAbort = (): void => end('silence');
      const timer = setTimeout(() => end('silence'), ms);
      signal.addEventListener('abort', onAbort);
      this.#wake = () => end('pushed');
    });
  }
}
