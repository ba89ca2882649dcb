import { BaseChannel } from './channel.js';

export interface TopicOptions {
  /** Drop values seen before. */
  readonly unique?: boolean;
  /** Keep values over supersteps; otherwise the topic is empty again after a superstep without writes. */
  readonly accumulate?: boolean;
}

type StoredTopic<Value> = readonly Value[] | readonly [seen: readonly Value[], values: readonly Value[]];

/** A list of values. A write may be one value or an array of them. The pending Sends of a graph are one. */
export class Topic<Value> extends BaseChannel<readonly Value[], Value | readonly Value[], StoredTopic<Value>> {
  readonly lc_graph_name = 'Topic';
  override readonly transient: boolean;
  private values: readonly Value[] = [];
  private seen: ReadonlySet<Value> = new Set();

  constructor(private readonly options: TopicOptions = {}) {
    super();
    this.transient = !options.accumulate;
  }

  fromCheckpoint(stored?: StoredTopic<Value>): Topic<Value> {
    const topic = new Topic<Value>(this.options);
    if (stored === undefined) return topic;
    if (isSeenAndValues(stored)) {
      topic.seen = new Set(stored[0]);
      topic.values = stored[1];
    } else {
      topic.values = stored;
      if (this.options.unique) topic.seen = new Set(topic.values);
    }
    return topic;
  }

  update(writes: readonly (Value | readonly Value[])[]): boolean {
    const kept = this.options.accumulate ? this.values : [];
    const dropped = kept !== this.values && this.values.length > 0;
    const added = this.unseen(writes.flat() as Value[]);
    if (added.length === 0 && !dropped) return false;
    this.values = kept.length === 0 ? added : [...kept, ...added];
    return true;
  }

  private unseen(values: readonly Value[]): readonly Value[] {
    if (!this.options.unique || values.length === 0) return values;
    const fresh = [...new Set(values)].filter((value) => !this.seen.has(value));
    this.seen = new Set([...this.seen, ...fresh]);
    return fresh;
  }

  get(): readonly Value[] {
    return this.values.length === 0 ? this.empty() : this.values;
  }

  checkpoint(): StoredTopic<Value> {
    return this.options.unique ? [[...this.seen], this.values] : this.values;
  }

  isAvailable(): boolean {
    return this.values.length > 0;
  }
}

/** Also read from topics that are not unique: older checkpoints hold this form. */
function isSeenAndValues<Value>(stored: StoredTopic<Value>): stored is readonly [readonly Value[], readonly Value[]] {
  return stored.length === 2 && Array.isArray(stored[0]) && Array.isArray(stored[1]);
}
