// A map whose changed copies share what did not change: a superstep touches few of a graph's channels.

/** Changes on top of a base before they are merged into a new one. */
const MOST_CHANGES = 64;

/** Immutable. Values are never `undefined`. */
export class LayeredMap<Value> implements Iterable<readonly [string, Value]> {
  private constructor(
    private readonly base: ReadonlyMap<string, Value>,
    private readonly changes: ReadonlyMap<string, Value>,
  ) {}

  static of<Value>(entries: Iterable<readonly [string, Value]> = []): LayeredMap<Value> {
    return new LayeredMap(new Map(entries), new Map<string, Value>());
  }

  get(key: string): Value | undefined {
    return this.changes.get(key) ?? this.base.get(key);
  }

  has(key: string): boolean {
    return this.changes.has(key) || this.base.has(key);
  }

  get isEmpty(): boolean {
    return this.base.size + this.changes.size === 0;
  }

  get first(): Value | undefined {
    for (const [, value] of this) return value;
    return undefined;
  }

  with(changes: ReadonlyMap<string, Value>): LayeredMap<Value> {
    if (changes.size === 0) return this;
    if (this.changes.size + changes.size <= MOST_CHANGES) {
      const merged = new Map(this.changes);
      for (const [key, value] of changes) merged.set(key, value);
      return new LayeredMap(this.base, merged);
    }
    const base = new Map(this.base);
    for (const layer of [this.changes, changes]) for (const [key, value] of layer) base.set(key, value);
    return new LayeredMap(base, new Map<string, Value>());
  }

  /** Entries that may differ from those of an earlier copy: all where too much has changed since to know. */
  changedSince(earlier: LayeredMap<Value>): Iterable<readonly [string, Value]> {
    return earlier.base === this.base ? this.changes : this;
  }

  *[Symbol.iterator](): Iterator<readonly [string, Value]> {
    for (const [key, value] of this.base) yield [key, this.changes.get(key) ?? value];
    for (const entry of this.changes) if (!this.base.has(entry[0])) yield entry;
  }
}
