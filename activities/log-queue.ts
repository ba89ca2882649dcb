// Entries on their way into the log: collected, closed into batches, sent by signal now and then, the rest handed over
// at the step's end. One flush at a time, in order; what could not be sent stays and goes with the next.
import { encodeBatches, fitInline, MAX_BATCH_JSON_BYTES } from '../events/batch-codec.js';
import type { Batch } from '../events/batch.js';
import type { PutBlob } from '../events/blob-ports.js';
import type { Entry, LogPosition } from '../events/entry.js';
import { flushIntervalMs, MAX_FLUSHES_PER_STEP } from './flush-policy.js';

/** Data over this goes into the log as a reference: a batch of 100 such entries still fits a workflow's history. */
export const MAX_LOGGED_JSON_BYTES = 8 * 1024;
/** JSON text that may wait in memory, should a node report without ever yielding. Past it the step fails. */
const MAX_PENDING_JSON_BYTES = 128 * 1024 * 1024;

/** A superstep makes events faster than they can be logged. */
class EventLogOverflowError extends Error {
  override readonly name = 'EventLogOverflowError';

  constructor() {
    super(
      `More than ${MAX_PENDING_JSON_BYTES / 1024 / 1024} MB of events wait to be logged; let the node await now and then, or report less.`,
    );
  }
}

/** An entry with its JSON, and what may stand in its place in the log. */
export interface PendingEntry {
  readonly entry: Entry;
  readonly checkpointId?: string | undefined;
}

export interface LogQueuePorts {
  /** Sends a batch to the workflow; rejects when it was refused or could not be delivered in time. */
  flush(batch: Batch): Promise<void>;
  readonly putBlob: PutBlob;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The log holds everything up to here. */
  onLogged(seq: number): void;
  /** Whether all that was added may be sent now; later, when it may; not before the step's commit. */
  ready?(): 'now' | 'commit' | Promise<void>;
}

export class LogQueue {
  readonly #ports: LogQueuePorts;
  readonly #live: boolean;
  readonly #startedAt: number;
  #pending: PendingEntry[] = [];
  /** On their way from `#pending` to `#sealed`. */
  #sealing: readonly PendingEntry[] = [];
  #pendingBytes = 0;
  /** Highest position given out, and the highest that is in a batch. */
  #end: LogPosition;
  #sealedEnd: LogPosition;
  /** Closed and not yet accepted by the workflow, in order. */
  #sealed: Batch[] = [];
  #flushes = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The end of all that was begun: sealing and sending happen one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  /** @param live whether a bus serves the tail */
  constructor(start: LogPosition, live: boolean, ports: LogQueuePorts) {
    this.#ports = ports;
    this.#live = live;
    this.#startedAt = ports.now();
    this.#end = start;
    this.#sealedEnd = start;
  }

  /** @throws EventLogOverflowError */
  add(pending: PendingEntry, end: LogPosition): void {
    const bytes = pending.entry.json?.length ?? 0;
    if (this.#pendingBytes + bytes > MAX_PENDING_JSON_BYTES) throw new EventLogOverflowError();
    this.#pending.push(pending);
    this.#pendingBytes += bytes;
    this.advance(end);
    if (this.#pendingBytes > MAX_BATCH_JSON_BYTES && this.#pendingBytes - bytes <= MAX_BATCH_JSON_BYTES) {
      // Full: closed now, so that the text need not stay in memory; sent with the next flush.
      this.#enqueue(async () => {
        if ((await this.#whenReady()) === 'now') await this.#seal();
      }).catch(() => undefined);
    }
  }

  /** Numbers were used for entries that only live readers see. */
  advance(end: LogPosition): void {
    this.#end = end;
    this.#schedule();
  }

  /** From here on nothing is sent: what is added goes with the step's result. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** So much was sent in this step that the rest waits for its end. */
  get exhausted(): boolean {
    return this.#flushes >= MAX_FLUSHES_PER_STEP;
  }

  /** What follows `after` and is not known to be in the log, as it is now. It stays here. */
  async unlogged(after: number): Promise<readonly Batch[]> {
    const sealed = this.#sealed.filter(({ last, entries }) => last.seq > after && entries > 0);
    const waiting = [...this.#sealing, ...this.#pending].filter(({ entry }) => entry.seq > after);
    const last = waiting.at(-1)?.entry;
    if (last === undefined) return sealed;
    const { seq } = last;
    const end = { seq, frame: this.#end.frame };
    const entries: Entry[] = [];
    for (const each of waiting) entries.push(await this.#logged(each));
    return [...sealed, ...(await encodeBatches(entries, this.#sealedEnd, end, this.#ports.putBlob))];
  }

  /** Forgets what was added from this number on. */
  discardFrom(seq: number): void {
    this.#pending = this.#pending.filter(({ entry }) => entry.seq < seq);
  }

  /** Sends all there is, now. `kept`: something could not be sent. */
  drain(): Promise<'sent' | 'kept'> {
    return this.#enqueue(async () => {
      try {
        await this.#seal();
      } catch {
        return 'kept';
      }
      await this.#send();
      return this.#sealed.length === 0 ? 'sent' : 'kept';
    });
  }

  /**
   * What is not yet in the log, for the step's result: a few references of 200 bytes and at most one inline body's worth.
   * @throws what `putBlob` throws
   */
  async close(): Promise<readonly Batch[]> {
    this.stop();
    return this.#enqueue(async () => {
      await this.#seal();
      this.#sealed = [...(await fitInline(this.#sealed, this.#ports.putBlob))];
      return [...this.#sealed];
    });
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    const ageMs = this.#ports.now() - this.#startedAt;
    const intervalMs = flushIntervalMs({ live: this.#live, ageMs, flushes: this.#flushes });
    if (intervalMs === Infinity) return;
    this.#timer = setTimeout(() => this.#flush(), intervalMs);
    this.#timer.unref();
  }

  #flush(): void {
    this.#enqueue(async () => {
      if (this.#stopped || (await this.#whenReady()) === 'commit') return;
      await this.#seal();
      await this.#send();
    })
      // A failed blob write; the entries are still here and go with the next flush.
      .catch(() => undefined)
      .finally(() => {
        this.#timer = undefined;
        if (this.#pending.length > 0 || this.#sealed.length > 0) this.#schedule();
      });
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** What follows in the same turn meets the queue as it was found. */
  async #whenReady(): Promise<'now' | 'commit'> {
    for (;;) {
      const ready = this.#ports.ready?.() ?? 'now';
      if (ready === 'now' || ready === 'commit') return ready;
      await ready;
    }
  }

  async #seal(): Promise<void> {
    const [pending, bytes, end] = [this.#pending, this.#pendingBytes, this.#end];
    if (pending.length === 0 && end.seq === this.#sealedEnd.seq) return;
    this.#pending = [];
    this.#sealing = pending;
    try {
      const entries: Entry[] = [];
      for (const each of pending) entries.push(await this.#logged(each));
      this.#sealed.push(...(await encodeBatches(entries, this.#sealedEnd, end, this.#ports.putBlob)));
      this.#sealedEnd = end;
      this.#pendingBytes -= bytes;
    } catch (error) {
      this.#pending = [...pending, ...this.#pending];
      throw error;
    } finally {
      this.#sealing = [];
    }
  }

  async #logged({ entry, checkpointId }: PendingEntry): Promise<Entry> {
    const { json, ...rest } = entry;
    if (json === undefined || json.length <= MAX_LOGGED_JSON_BYTES) return entry;
    if (checkpointId !== undefined) return { ...rest, ref: { kind: 'checkpoint', checkpointId } };
    const blobId = await this.#ports.putBlob(json);
    return { ...rest, ref: { kind: 'blob', blobId, bytes: Buffer.byteLength(json) } };
  }

  async #send(): Promise<void> {
    for (;;) {
      const batch = this.#sealed[0];
      if (batch === undefined || this.exhausted) return;
      this.#flushes += 1;
      try {
        await this.#ports.flush(batch);
      } catch {
        // Not delivered, or its answer was lost: it is sent again as it is, and the workflow drops what it has.
        return;
      }
      this.#sealed.shift();
      this.#ports.onLogged(batch.last.seq);
    }
  }
}
