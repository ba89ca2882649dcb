import { InvalidUpdateError } from '../errors.js';
import { overwriteOf, type OverwriteValue } from '../overwrite.js';
import { BaseChannel, type Channel } from './channel.js';

/**
 * Folds the writes of a superstep into its value, in task order. Without an initial value the first write is kept as it
 * is. An `Overwrite` replaces the value; the writes of later siblings are then ignored, and a second one is an error.
 */
export class BinaryOperatorAggregate<Value, Update = Value> extends BaseChannel<
  Value,
  Update | OverwriteValue<Value>,
  Value
> {
  readonly lc_graph_name = 'BinaryOperatorAggregate';
  private value: Value | undefined;

  constructor(
    readonly operator: (value: Value, update: Update) => Value,
    readonly initialValueFactory?: () => Value,
  ) {
    super();
    this.value = initialValueFactory?.();
  }

  fromCheckpoint(stored?: Value): BinaryOperatorAggregate<Value, Update> {
    // Not by the constructor: an initial value would be computed only to be thrown away.
    if (stored === undefined) return new BinaryOperatorAggregate(this.operator, this.initialValueFactory);
    const channel = Object.create(BinaryOperatorAggregate.prototype) as BinaryOperatorAggregate<Value, Update>;
    return Object.assign(channel, this, { value: stored });
  }

  update(values: readonly (Update | OverwriteValue<Value>)[]): boolean {
    if (values.length === 0) return false;
    let overwritten = false;
    for (const [index, write] of values.entries()) {
      const replacement = overwriteOf<Value>(write);
      if (index === 0 && this.value === undefined) {
        // As LangGraph does: an Overwrite that meets an empty channel is a plain first value.
        this.value = replacement ? replacement.value : (write as unknown as Value);
      } else if (replacement) {
        if (overwritten) throw new InvalidUpdateError('Can receive only one Overwrite value per step.');
        this.value = replacement.value;
        overwritten = true;
      } else if (!overwritten && this.value !== undefined) {
        this.value = this.operator(this.value, write as Update);
      }
    }
    return true;
  }

  get(): Value {
    return this.value === undefined ? this.empty() : this.value;
  }

  checkpoint(): Value | undefined {
    return this.value;
  }

  isAvailable(): boolean {
    return this.value !== undefined;
  }

  override equals(other: Channel): boolean {
    return (
      other.lc_graph_name === this.lc_graph_name &&
      (other as BinaryOperatorAggregate<unknown>).operator === (this.operator as unknown)
    );
  }
}
