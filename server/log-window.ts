// The part of a run's log that the server holds decoded: everything after `start`, up to `end`. Entries never change,
// so what is here is right for ever; what is not here is read again.
import { isFrameEntry, type Entry, type LogPosition } from '../events/entry.js';
import type { Cursor } from '../events/batch.js';

/** An entry's objects and strings beyond its JSON text, and its part of a window; bytes (measured, with ten entries a run). */
const ENTRY_OVERHEAD = 450;

export class LogWindow {
  #start: LogPosition;
  #end: LogPosition;
  #entries: Entry[] = [];
  #bytes = 0;

  /** Empty, and contiguous with what comes after `start`. */
  constructor(start: LogPosition) {
    this.#start = start;
    this.#end = start;
  }

  get end(): LogPosition {
    return this.#end;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends what follows; entries that are here already are left out, so that overlapping sources can be appended. */
  append(entries: readonly Entry[], end: LogPosition): void {
    for (const entry of entries) {
      if (entry.seq <= this.#end.seq) continue;
      this.#entries.push(entry);
      this.#bytes += sizeOf(entry);
      this.#end = { seq: entry.seq, frame: isFrameEntry(entry) ? entry.frame : this.#end.frame };
    }
    if (end.seq > this.#end.seq) this.#end = end;
  }

  /** Drops the oldest entries until no more than `maxBytes` are held. */
  trim(maxBytes: number): void {
    let dropped = 0;
    while (this.#bytes > maxBytes && dropped < this.#entries.length - 1) {
      const entry = this.#entries[dropped];
      if (!entry) break;
      this.#bytes -= sizeOf(entry);
      this.#start = { seq: entry.seq, frame: isFrameEntry(entry) ? entry.frame : this.#start.frame };
      dropped += 1;
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
  }

  /** Whether everything after the cursor (up to `end`) is here. */
  covers(after: Cursor): boolean {
    return after.after >= (after.kind === 'seq' ? this.#start.seq : this.#start.frame);
  }

  after(cursor: Cursor): readonly Entry[] {
    const from = firstIndex(this.#entries, (entry) =>
      cursor.kind === 'seq' ? entry.seq > cursor.after : isFrameEntry(entry) && entry.frame > cursor.after,
    );
    return this.#entries.slice(from);
  }
}

const sizeOf = (entry: Entry): number => (entry.json?.length ?? 0) + ENTRY_OVERHEAD;

/** From the end, because most readers are near it. Entries without a frame go with the frame before them. */
function firstIndex(entries: readonly Entry[], isAfter: (entry: Entry) => boolean): number {
  let first = entries.length;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (!entry) break;
    if (isAfter(entry)) first = index;
    else if (isFrameEntry(entry)) break;
  }
  return first;
}
