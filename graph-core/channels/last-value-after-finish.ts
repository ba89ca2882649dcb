import { BaseChannel, type Channel } from './channel.js';

type Stored<Value> = readonly [value: Value, finished: boolean];

/**
 * Keeps the last value written, and holds it back until the run would otherwise stop; consumed by the task it then
 * triggers. The edge to a deferred node. It does not matter how many write in one superstep.
 */
export class LastValueAfterFinish<Value> extends BaseChannel<Value, Value, Stored<Value>> {
  readonly lc_graph_name = 'LastValueAfterFinish';
  private held: readonly [] | readonly [Value] = [];
  private finished = false;

  fromCheckpoint(stored?: Stored<Value>): LastValueAfterFinish<Value> {
    const channel = new LastValueAfterFinish<Value>();
    if (stored !== undefined) {
      channel.held = [stored[0]];
      channel.finished = stored[1];
    }
    return channel;
  }

  update(values: readonly Value[]): boolean {
    if (values.length === 0) return false;
    this.held = [values[values.length - 1] as Value];
    this.finished = false;
    return true;
  }

  get(): Value {
    return this.held.length === 1 && this.finished ? this.held[0] : this.empty();
  }

  checkpoint(): Stored<Value> | undefined {
    return this.held.length === 1 ? [this.held[0], this.finished] : undefined;
  }

  override consume(): boolean {
    if (!this.finished) return false;
    this.held = [];
    this.finished = false;
    return true;
  }

  override finish(): boolean {
    if (this.finished || this.held.length === 0) return false;
    this.finished = true;
    return true;
  }

  isAvailable(): boolean {
    return this.finished && this.held.length === 1;
  }

  override equals(other: Channel): boolean {
    return other.lc_graph_name === this.lc_graph_name;
  }
}
