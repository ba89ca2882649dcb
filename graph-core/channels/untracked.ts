import { InvalidUpdateError } from '../errors.js';
import { BaseChannel } from './channel.js';

export interface UntrackedValueOptions<Value> {
  /** Refuse several writes in one superstep. Default `true`; otherwise the last of them is kept. */
  readonly guard?: boolean;
  readonly initialValueFactory?: () => Value;
}

/** Keeps the last value for the time of a run: it is in no checkpoint and no pending write, and gone after a resume. */
export class UntrackedValueChannel<Value> extends BaseChannel<Value, Value, undefined> {
  readonly lc_graph_name = 'UntrackedValue';
  readonly guard: boolean;
  readonly initialValueFactory?: () => Value;
  private held: readonly [] | readonly [Value];

  constructor(options: UntrackedValueOptions<Value> = {}) {
    super();
    this.guard = options.guard ?? true;
    this.initialValueFactory = options.initialValueFactory;
    this.held = this.initialValueFactory ? [this.initialValueFactory()] : [];
  }

  fromCheckpoint(): UntrackedValueChannel<Value> {
    return new UntrackedValueChannel<Value>(this);
  }

  update(values: readonly Value[]): boolean {
    if (values.length === 0) return false;
    if (values.length > 1 && this.guard) {
      throw new InvalidUpdateError(
        'UntrackedValue(guard=true) can receive only one value per step. Use guard=false if you want to store any one of multiple values.',
        { lc_error_code: 'INVALID_CONCURRENT_GRAPH_UPDATE' },
      );
    }
    this.held = [values[values.length - 1] as Value];
    return true;
  }

  get(): Value {
    return this.held.length === 0 ? this.empty() : this.held[0];
  }

  checkpoint(): undefined {
    return undefined;
  }

  isAvailable(): boolean {
    return this.held.length === 1;
  }
}
