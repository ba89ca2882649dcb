// A run's entries from a cursor on, past, present and to come, as one sequence.
//   F1. Each entry at most once, `seq` strictly increasing; nothing that the log holds is left out.
//   F2. First connection, reconnection, late join and finished runs are this one path: subscribe to the bus, read the log
//       up to its end (unless the bus joins on to the cursor), go on with the bus; whenever it does not join on, do the
//       same again.
//   F3. A reader's speed is its own: the run never waits, and the reader's memory is bounded.
// The log may lag the bus by seconds (a long step flushes rarely). The bus keeps what is not logged yet, so the two meet.
import { isTerminalEntry, type Entry } from './entry.js';
import type { Cursor } from './batch.js';
import type { LiveBus, LiveSubscription } from './live-bus.js';
import type { LogPage, LogReader } from './log-reader.js';
import { LiveBuffer } from './live-buffer.js';

/** The run's log is past its retention. A reader gets this or everything, never a part that ends as if complete. */
export class LogExpiredError extends Error {
  override readonly name = 'LogExpiredError';

  constructor(readonly runId: string) {
    super(`The event log of run ${runId} is no longer kept.`);
  }
}

/** There is no such run, or it was deleted (rolled back) while it was followed. */
export class RunMissingError extends Error {
  override readonly name = 'RunMissingError';

  constructor(readonly runId: string) {
    super(`Run ${runId} not found`);
  }
}

export interface FollowOptions {
  readonly log: LogReader;
  /** Absent: the log is polled. */
  readonly bus?: LiveBus | undefined;
  readonly runId: string;
  readonly after: Cursor;
  /** When aborted, the sequence ends without an error. */
  readonly signal: AbortSignal;
  /**
   * `pause`: end where the run waits for an answer, as Platform streams do; pauses that have been answered are passed
   * over. `end`: stay until the run is settled, as progress views do.
   */
  readonly until: 'pause' | 'end';
  /** Between two reads of the log while the bus cannot help. */
  readonly pollMs: number;
  /** Entries that may wait for a slow reader. */
  readonly maxBufferedEntries: number;
  /** With a bus: how long it may say nothing before the log is asked whether something was missed. */
  readonly silenceMs?: number;
}

const DEFAULT_SILENCE_MS = 3_000;

/** @throws LogExpiredError, RunMissingError, and what `log.read` throws. */
export async function* follow(options: FollowOptions): AsyncGenerator<Entry, void, void> {
  const { signal } = options;
  const reader = new Reader(options);
  try {
    if (reader.joinsBus()) yield* reader.followBus();
    while (!reader.ended && !signal.aborted) {
      const state = yield* reader.readLog();
      if (reader.ended || signal.aborted || isLast(state, options.until)) return;
      yield* reader.followBus();
    }
  } finally {
    reader.close();
  }
}

const isLast = (state: LogPage['state'], until: FollowOptions['until']): boolean =>
  state === 'settled' || (state === 'paused' && until === 'pause');

class Reader {
  readonly #options: FollowOptions;
  readonly #buffer: LiveBuffer;
  #subscription: LiveSubscription | undefined;
  /** Seq of the last entry passed on. */
  #seen: number;
  /** Everything up to this seq has been passed on, or is known never to come. */
  #known: number;
  /** Where the next log read begins. */
  #cursor: Cursor;
  /** The terminal entry has been passed on. */
  ended = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#buffer = new LiveBuffer(options.maxBufferedEntries);
    this.#cursor = options.after;
    this.#seen = options.after.kind === 'seq' ? options.after.after : -1;
    this.#known = this.#seen;
  }

  close(): void {
    this.#subscription?.close();
    this.#subscription = undefined;
  }

  /**
   * Whether the bus still holds all that follows the cursor: whoever was gone for a moment in a long step goes on
   * without a query.
   */
  joinsBus(): boolean {
    this.#subscribe();
    const tail = this.#subscription?.tail ?? [];
    const { after } = this.#options;
    if (after.kind === 'seq') return tail[0] !== undefined && tail[0].previousSeq <= after.after;
    const last = tail.findLast(({ entry }) => 'frame' in entry && entry.frame <= after.after);
    if (last === undefined) return false;
    this.#seen = last.entry.seq;
    this.#known = this.#seen;
    this.#cursor = { kind: 'seq', after: this.#seen };
    return true;
  }

  /** Up to the log's end. The bus is subscribed to first, so that nothing falls between the two. */
  async *readLog(): AsyncGenerator<Entry, LogPage['state'], void> {
    const { log, runId, signal } = this.#options;
    this.#subscribe();
    for (;;) {
      const page = await log.read(runId, this.#cursor);
      if (signal.aborted) return page.state;
      for (const entry of page.entries) {
        if (!this.#take(entry)) continue;
        yield entry;
        if (this.ended || signal.aborted) return page.state;
      }
      if (!page.more) {
        if (page.state === 'missing') throw new RunMissingError(runId);
        if (page.state === 'expired') throw new LogExpiredError(runId);
        // The end may lie above the last entry: numbers that only live readers saw.
        this.#known = Math.max(this.#known, page.end.seq);
        if (this.#seen >= 0) this.#cursor = { kind: 'seq', after: this.#seen };
        return page.state;
      }
      this.#cursor = { kind: 'seq', after: Math.max(this.#seen, page.entries.at(-1)?.seq ?? page.end.seq) };
    }
  }

  /** From the log's end on, until the log has to be read again. */
  async *followBus(): AsyncGenerator<Entry, void, void> {
    const { bus, pollMs, silenceMs = DEFAULT_SILENCE_MS, signal, until } = this.#options;
    for (;;) {
      const live = this.#buffer.peek();
      if (live === undefined) {
        if (this.#buffer.lossy) return;
        const outcome = await this.#buffer.wait(bus === undefined ? pollMs : silenceMs, signal);
        if (outcome === 'silence') return;
        continue;
      }
      const { entry, previousSeq } = live;
      if (entry.seq > this.#seen && previousSeq > this.#known) {
        // Something between is missing here. It is in the log or will be; the bus may hold it too.
        await this.#pause(pollMs);
        return;
      }
      if (entry.seq > this.#seen && entry.seq !== previousSeq + 1 && this.#leapChecked !== entry.seq) {
        // A new attempt. What the dead one logged after our place is in the log alone.
        this.#leapChecked = entry.seq;
        return;
      }
      this.#buffer.shift();
      if (!this.#take(entry)) continue;
      yield entry;
      if (this.ended || signal.aborted) return;
      if (until === 'pause' && entry.event === 'run.paused') return;
    }
  }

  /** The first seq of an attempt for which the log has been read. */
  #leapChecked = -1;
  /** Where the reader stood at the last gap. */
  #stuckAt: number | undefined;

  /** At once the first time; when that brought nothing, after a while. */
  async #pause(ms: number): Promise<void> {
    if (this.#stuckAt === this.#seen) await delay(ms, this.#options.signal);
    this.#stuckAt = this.#seen;
  }

  #subscribe(): void {
    const { bus, runId } = this.#options;
    if (bus === undefined) return;
    this.close();
    this.#buffer.clear();
    this.#subscription = bus.subscribe(runId, (entries) => this.#buffer.push(entries));
    // What has been passed on must not fill the buffer again, or a reader of a long tail would not get anywhere.
    this.#buffer.push(this.#subscription.tail.filter(({ entry }) => entry.seq > this.#seen));
  }

  /** Whether the entry is to be passed on. */
  #take(entry: Entry): boolean {
    if (entry.seq <= this.#seen) return false;
    this.#seen = entry.seq;
    this.#known = Math.max(this.#known, entry.seq);
    this.ended = isTerminalEntry(entry);
    const { after } = this.#options;
    return after.kind === 'seq' || !('frame' in entry) || entry.frame > after.after;
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
