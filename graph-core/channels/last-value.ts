import { InvalidUpdateError } from '../errors.js';
import { BaseChannel, type Channel } from './channel.js';

/** Keeps the last value written; two writes in one superstep are an error. `undefined` is a value too. */
export class LastValue<Value> extends BaseChannel<Value, Value, Value> {
  readonly lc_graph_name = 'LastValue';
  private held: readonly [] | readonly [Value];

  constructor(private readonly initial?: () => Value) {
    super();
    this.held = initial ? [initial()] : [];
  }

  fromCheckpoint(stored?: Value): LastValue<Value> {
    const channel = new LastValue<Value>(this.initial);
    if (stored !== undefined) channel.held = [stored];
    return channel;
  }

  update(values: readonly Value[]): boolean {
    if (values.length === 0) return false;
    if (values.length > 1) {
      throw new InvalidUpdateError('LastValue can only receive one value per step.', {
        lc_error_code: 'INVALID_CONCURRENT_GRAPH_UPDATE',
      });
    }
    this.held = [values[0] as Value];
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
