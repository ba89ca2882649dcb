// Where a reader is in a stream, by the ids it has seen.

/** Replays everything. */
export const FROM_THE_BEGINNING = '-1';

/**
 * Remembers the last id and tells events that were seen from new ones. Ids are ordered by the numbers at their end:
 * `12`, `<run>:12` and `1712-3` all are; an id without any is new unless it equals the last one.
 */
export class EventCursor {
  #last: string | undefined;

  constructor(after?: string) {
    this.#last = after;
  }

  get last(): string | undefined {
    return this.#last;
  }

  /** @returns false for an event that was seen before. */
  advance(id: string | undefined): boolean {
    if (id === undefined || id === '') return true;
    if (this.#last !== undefined && !isAfter(id, this.#last)) return false;
    this.#last = id;
    return true;
  }
}

function isAfter(id: string, last: string): boolean {
  const [mine, theirs] = [numbersOf(id), numbersOf(last)];
  if (mine === undefined || theirs === undefined) return id !== last;
  for (const [index, number] of mine.entries()) {
    const other = theirs[index] ?? -1;
    if (number !== other) return number > other;
  }
  return false;
}

function numbersOf(id: string): readonly number[] | undefined {
  if (id === FROM_THE_BEGINNING) return [-1];
  const tail = id.slice(id.lastIndexOf(':') + 1);
  return /^\d+(-\d+)*$/.test(tail) ? tail.split('-').map(Number) : undefined;
}
