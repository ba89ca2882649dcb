import { InvalidUpdateError } from '../errors.js';
import { BaseChannel, type Channel } from './channel.js';

/**
 * Holds a value for one superstep. With `guard` (the default) several writes in one superstep are an error; edges use
 * it without, as it does not matter how many nodes trigger the next one.
 */
export class EphemeralValue<Value> extends BaseChannel<Value, Value, Value> {
  readonly lc_graph_name = 'EphemeralValue';
  override readonly transient = true;
  private held: readonly [] | readonly [Value] = [];

  constructor(private readonly guard = true) {
    super();
  }

  fromCheckpoint(stored?: Value): EphemeralValue<Value> {
    const channel = new EphemeralValue<Value>(this.guard);
    if (stored !== undefined) channel.held = [stored];
    return channel;
  }

  update(values: readonly Value[]): boolean {
    if (values.length === 0) {
      const changed = this.held.length === 1;
      this.held = [];
      return changed;
    }
    if (values.length > 1 && this.guard) {
      throw new InvalidUpdateError('EphemeralValue can only receive one value per step.');
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
    return other.lc_graph_name === this.lc_graph_name && (other as EphemeralValue<unknown>).guard === this.guard;
  }
}
