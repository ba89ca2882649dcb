// LogReader over workflow queries, with a bounded cache: entries never change, so many readers of one run cost one
// query, and a settled run that is held whole costs none.
//   L1. One read of a run at a time; whoever asks meanwhile shares its answer.
//   L2. A page says `settled` or `paused` only if the row said so before the read, so that nothing can be missing.
//   L3. Where nobody can answer (no worker, Temporal away) a read waits, and in the end fails: it never answers less.
import { BatchCorruptError } from '../events/batch-codec.js';
import { LOG_START } from '../events/entry.js';
import type { Cursor } from '../events/batch.js';
import type { LogPage, LogReader } from '../events/log-reader.js';
import type { Run } from '../storage/records.js';
import type { Runs } from '../storage/runs.js';
import { LogWindow } from './log-window.js';
import { isSettled } from './run-control.js';
import { SegmentLostError, type SegmentReader, type Stretch } from './segment-reader.js';

/** JSON text of one page; a reader holds a page or two at a time. */
const PAGE_BYTES = 2 * 1024 * 1024;
/** Of decoded entries of one run. */
const RUN_CACHE_BYTES = 8 * 1024 * 1024;
/** Of decoded entries of all runs: what a server may hold next to its 350 MB after start. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** How long a read goes on trying; a worker that is restarted is back sooner. */
const OUTAGE_MS = 60_000;
const RETRY_MS = 500;

export interface WorkflowLogReaderOptions {
  readonly runs: Pick<Runs, 'read'>;
  readonly segments: Pick<SegmentReader, 'read'>;
  readonly cacheBytes?: number;
  /** How long after its end a run's log is served. Absent: as long as Temporal keeps it. */
  readonly ttlMs?: number;
}

interface CachedRun {
  readonly window: LogWindow;
  /** Set when the window's end is the log's: until when it is served; milliseconds since the epoch. */
  settledUntil?: number;
}

export class WorkflowLogReader implements LogReader {
  readonly #options: WorkflowLogReaderOptions;
  /** Least recently used first. */
  readonly #cache = new Map<string, CachedRun>();
  readonly #flights = new Map<string, Promise<LogPage>>();

  constructor(options: WorkflowLogReaderOptions) {
    this.#options = options;
  }

  async read(runId: string, after: Cursor): Promise<LogPage> {
    const cached = this.#touch(runId);
    if (cached?.settledUntil !== undefined && Date.now() < cached.settledUntil && cached.window.covers(after))
      return pageOf(cached.window, after, 'settled', false);

    // Readers at the tail share one flight; one that is further back than the cache reads for itself, or with its like.
    const atTail = cached !== undefined && cached.window.covers(after);
    const key = atTail ? runId : `${runId} ${after.kind} ${after.after}`;
    const shared = this.#flights.get(key);
    const flight = shared ?? this.#launch(key, () => this.#persist(() => this.#read(runId, after)));
    const page = await flight;
    if (!shared || !atTail || page.state === 'missing' || page.state === 'expired') return page;
    // The flight answered another cursor: take this reader's entries from what it brought.
    const now = this.#cache.get(runId);
    return now?.window.covers(after) ? pageOf(now.window, after, page.state, page.more) : this.read(runId, after);
  }

  #launch(key: string, read: () => Promise<LogPage>): Promise<LogPage> {
    const flight = read().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  /** L3. */
  async #persist(read: () => Promise<LogPage>): Promise<LogPage> {
    const deadline = Date.now() + OUTAGE_MS;
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (error instanceof SegmentLostError) return { entries: [], end: LOG_START, state: 'expired', more: false };
        if (error instanceof BatchCorruptError || Date.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #read(runId: string, after: Cursor): Promise<LogPage> {
    const run = await this.#options.runs.read(runId);
    if (run === null) {
      this.#cache.delete(runId);
      return { entries: [], end: LOG_START, state: 'missing', more: false };
    }
    if (Date.now() >= this.#servedUntil(run)) {
      this.#cache.delete(runId);
      return { entries: [], end: LOG_START, state: 'expired', more: false };
    }
    const cached = this.#cache.get(runId);
    if (cached && !cached.window.covers(after)) {
      const stretch = await this.#options.segments.read(run, after, PAGE_BYTES);
      return { entries: stretch.entries, end: stretch.end, state: stateOf(run), more: stretch.more };
    }
    const { window, more } = cached ? await this.#extend(run, cached.window) : await this.#open(run, after);
    const state = stateOf(run);
    const page = pageOf(window, after, state, more);
    this.#keep(runId, { window, ...(state === 'settled' && !more && { settledUntil: this.#servedUntil(run) }) });
    return page;
  }

  async #open(run: Run, after: Cursor): Promise<{ readonly window: LogWindow; readonly more: boolean }> {
    const stretch = await this.#options.segments.read(run, after, PAGE_BYTES);
    const window = new LogWindow(stretch.start);
    window.append(stretch.entries, stretch.end);
    return { window, more: stretch.more };
  }

  async #extend(run: Run, window: LogWindow): Promise<{ readonly window: LogWindow; readonly more: boolean }> {
    const committed = run.lastStep?.end.seq ?? -1;
    // Nobody writes between a pause, or the end, and what follows it: the row says how far the log goes.
    const complete = (isSettled(run.state) || run.state === 'paused') && window.end.seq >= committed;
    if (complete) return { window, more: false };
    const stretch: Stretch = await this.#options.segments.read(run, { kind: 'seq', after: window.end.seq }, PAGE_BYTES);
    window.append(stretch.entries, stretch.end);
    return { window, more: stretch.more };
  }

  #servedUntil({ endedAt }: Run): number {
    return endedAt === null ? Infinity : endedAt.getTime() + (this.#options.ttlMs ?? Infinity);
  }

  #touch(runId: string): CachedRun | undefined {
    const cached = this.#cache.get(runId);
    if (cached) {
      this.#cache.delete(runId);
      this.#cache.set(runId, cached);
    }
    return cached;
  }

  #keep(runId: string, cached: CachedRun): void {
    cached.window.trim(RUN_CACHE_BYTES);
    this.#cache.delete(runId);
    this.#cache.set(runId, cached);
    let total = 0;
    for (const { window } of this.#cache.values()) total += window.bytes + EMPTY_RUN_BYTES;
    for (const [oldest, { window }] of this.#cache) {
      if (total <= (this.#options.cacheBytes ?? CACHE_BYTES) || oldest === runId) break;
      this.#cache.delete(oldest);
      total -= window.bytes + EMPTY_RUN_BYTES;
    }
  }
}

/** A run without entries takes room too: the bound must hold for a million of them. */
const EMPTY_RUN_BYTES = 500;

const pageOf = (window: LogWindow, after: Cursor, state: LogPage['state'], more: boolean): LogPage => ({
  entries: window.after(after),
  end: window.end,
  state,
  more,
});

function stateOf(run: Run): LogPage['state'] {
  if (isSettled(run.state)) return 'settled';
  return run.state === 'paused' ? 'paused' : 'open';
}
