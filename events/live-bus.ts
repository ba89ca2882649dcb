// The short cut from writer to reader past the log. Whatever a bus loses, the log still has.
import type { Entry } from './entry.js';

/** An entry with the seq of the one before it, so that a reader can tell a legal gap from a lost entry. */
export interface LiveEntry {
  readonly entry: Entry;
  /** The seq of the entry made before this one in the same run (across attempts: the log's end at the attempt's start). */
  readonly previousSeq: number;
}

export interface LiveSubscription {
  /** Entries published before the subscription that are not known to be in the log yet, in order. */
  readonly tail: readonly LiveEntry[];
  close(): void;
}

export interface LiveBus {
  publish(runId: string, entries: readonly LiveEntry[]): void;
  /** The log holds everything up to `seq`; the bus may forget it. */
  logged(runId: string, seq: number): void;
  /** `listener` is called in publishing order; it must not block. */
  subscribe(runId: string, listener: (entries: readonly LiveEntry[]) => void): LiveSubscription;
}
