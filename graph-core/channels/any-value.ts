import { BaseChannel, type Channel } from './channel.js';

/** Keeps the last of several writes of a superstep, taking them to be alike; empty again after one without writes. */
export class AnyValue<Value> extends BaseChannel<Value, Value, Value> {
  readonly lc_graph_name = 'AnyValue';
  override readonly transient = true;
  private held: readonly [] | readonly [Value] = [];

  fromCheckpoint(stored?: Value): AnyValue<Value> {
    const channel = new AnyValue<Value>();
    if (stored !== undefined) channel.held = [stored];
    return channel;
  }

  update(values: readonly Value[]): boolean {
    if (values.length === 0) {
      const changed = this.held.length === 1;
      this.held = [];
      return changed;
    }
    this.held = [values[values.length - 1] as Value];
    return true;
  }

  get(): Value {
    return this.held.length === 0 ? this.empty() : this.held[0];
  }

  checkpoint(): Value | undefined {
    return this.held[0];
  }

  isAvailable(): boolean {
    return this.held.length === 1;
  }

  override equals(other: Channel): boolean {
    return other.lc_graph_name === this.lc_graph_name;
  }
}
