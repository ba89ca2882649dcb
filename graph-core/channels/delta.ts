import { isDeltaSnapshot, type CheckpointPendingWrite, type DeltaSnapshot } from '@langchain/langgraph-checkpoint';
import { InvalidUpdateError } from '../errors.js';
import { overwriteOf, type OverwriteValue } from '../overwrite.js';
import { BaseChannel, type Channel } from './channel.js';

/** Folds the writes of one superstep, or of several when a value is built again, into the value so far. */
export type DeltaReducer<Value, Update = unknown> = (state: Value, writes: Update[]) => Value;

export interface DeltaChannelOptions<Value> {
  /** Writes after which a checkpoint holds the whole value again. Default 100, as LangGraph's. */
  readonly snapshotFrequency?: number;
  /** Default: an empty list. */
  readonly initialValueFactory?: () => Value;
}

const SNAPSHOT_FREQUENCY = 100;

/**
 * A reducer whose value is not in each checkpoint: what was written since the last snapshot is replayed to have it. For
 * values that grow with each superstep.
 */
export class DeltaChannel<Value = unknown, Update = unknown> extends BaseChannel<
  Value,
  Update | OverwriteValue<Value>,
  Value | DeltaSnapshot
> {
  readonly lc_graph_name = 'DeltaChannel';
  readonly snapshotFrequency: number;
  readonly initialValueFactory: () => Value;
  private value: Value | undefined;

  constructor(
    readonly reducer: DeltaReducer<Value, Update>,
    options: DeltaChannelOptions<Value> = {},
  ) {
    super();
    const { snapshotFrequency = SNAPSHOT_FREQUENCY } = options;
    if (!Number.isInteger(snapshotFrequency) || snapshotFrequency <= 0) {
      throw new Error(`snapshotFrequency must be a positive integer, got ${snapshotFrequency}`);
    }
    this.snapshotFrequency = snapshotFrequency;
    this.initialValueFactory = options.initialValueFactory ?? ((): Value => [] as Value);
  }

  /** @param stored A snapshot, or the value as a channel of another kind stored it before this one took its place. */
  fromCheckpoint(stored?: Value | DeltaSnapshot): DeltaChannel<Value, Update> {
    const channel = new DeltaChannel<Value, Update>(this.reducer, this);
    if (stored === undefined) channel.value = this.initialValueFactory();
    else channel.value = isDeltaSnapshot(stored) ? (stored.value as Value) : stored;
    return channel;
  }

  /** Takes writes of several supersteps at once, oldest first. What comes before the last Overwrite has no effect. */
  replayWrites(writes: readonly CheckpointPendingWrite[]): void {
    if (writes.length === 0) return;
    const values = writes.map(([, , value]) => value);
    const start = values.findLastIndex((value) => overwriteOf(value) !== undefined);
    const base = start < 0 ? (this.value as Value) : this.replaced(overwriteOf<Value>(values[start]));
    const rest = values.slice(start + 1) as Update[];
    this.value = rest.length > 0 ? this.reducer(base, rest) : base;
  }

  update(values: readonly (Update | OverwriteValue<Value>)[]): boolean {
    if (values.length === 0) return false;
    const [overwrite, ...more] = values
      .map((value) => overwriteOf<Value>(value))
      .filter((found) => found !== undefined);
    if (more.length > 0) throw new InvalidUpdateError('Can receive only one Overwrite value per step.');
    this.value =
      overwrite === undefined
        ? this.reducer(this.value === undefined ? this.initialValueFactory() : this.value, values as Update[])
        : this.replaced(overwrite);
    return true;
  }

  private replaced(overwrite: { readonly value: Value } | undefined): Value {
    return overwrite?.value ?? this.initialValueFactory();
  }

  get(): Value {
    return this.value === undefined ? this.empty() : this.value;
  }

  /** Nothing: whoever saves a checkpoint decides when the whole value goes into it. */
  checkpoint(): undefined {
    return undefined;
  }

  isAvailable(): boolean {
    return this.value !== undefined;
  }

  override equals(other: Channel): boolean {
    if (!isDeltaChannel(other)) return false;
    return other.snapshotFrequency === this.snapshotFrequency && other.reducer === (this.reducer as unknown);
  }
}

/** By its name, so that a channel of another copy of this module counts too. */
export const isDeltaChannel = (channel: Channel | undefined): channel is DeltaChannel =>
  channel?.lc_graph_name === 'DeltaChannel';
