// The present execution's stretch of a run's event log: closed batches in order. It never looks into one.
//   L1. Batches only rise: one that is not wholly above the log's end is a repeat (a flush that also came with the
//       superstep's result, a signal sent twice) and is dropped.
//   L2. Earlier stretches of the same run are in earlier executions; the run's row lists them.
import type { Batch, Cursor, EventsAnswer, EventsRequest } from '../events/batch.js';
import type { LogPosition } from '../events/entry.js';

const LOG_START: LogPosition = { seq: -1, frame: -1 };

export class EventLog {
  readonly #batches: Batch[] = [];
  #end: LogPosition;

  constructor(end: LogPosition = LOG_START) {
    this.#end = end;
  }

  get end(): LogPosition {
    return this.#end;
  }

  /** @param end where the writer stopped: ids up to there may have been seen, and may not be used again. */
  append(batches: readonly Batch[], end?: LogPosition): void {
    for (const batch of batches) {
      if (batch.first.seq <= this.#end.seq) continue;
      this.#batches.push(batch);
      this.#end = batch.last;
    }
    if (end !== undefined && end.seq > this.#end.seq) this.#end = end;
  }

  read({ after, maxBytes }: EventsRequest): EventsAnswer {
    const start = this.#batches.findIndex((batch) => holdsMoreThan(batch, after));
    if (start === -1) return { batches: [], more: false, end: this.#end };
    const batches: Batch[] = [];
    let bytes = 0;
    for (const batch of this.#batches.slice(start)) {
      bytes += batch.body.kind === 'inline' ? batch.body.deflated.length : batch.body.blobId.length;
      if (batches.length > 0 && bytes > maxBytes) return { batches, more: true, end: this.#end };
      batches.push(batch);
    }
    return { batches, more: false, end: this.#end };
  }
}

const holdsMoreThan = (batch: Batch, { kind, after }: Cursor): boolean => batch.last[kind] > after;
