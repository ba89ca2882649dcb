import { sameNames, withArrived } from './barrier.js';
import { BaseChannel, type Channel } from './channel.js';

type Stored = readonly [seen: readonly string[], finished: boolean];

/**
 * A barrier that, once each of its names was written, still holds back until the run would otherwise stop. The barrier
 * edge to a deferred node.
 */
export class NamedBarrierValueAfterFinish extends BaseChannel<undefined, string, Stored> {
  readonly lc_graph_name = 'NamedBarrierValueAfterFinish';
  private seen: ReadonlySet<string> = new Set();
  private finished = false;

  constructor(readonly names: ReadonlySet<string>) {
    super();
  }

  fromCheckpoint(stored?: Stored): NamedBarrierValueAfterFinish {
    const channel = new NamedBarrierValueAfterFinish(this.names);
    if (stored !== undefined) {
      channel.seen = new Set(stored[0]);
      channel.finished = stored[1];
    }
    return channel;
  }

  update(names: readonly string[]): boolean {
    const seen = withArrived(this.seen, names, this.names);
    const changed = seen.size > this.seen.size;
    this.seen = seen;
    return changed;
  }

  get(): undefined {
    return this.isAvailable() ? undefined : this.empty();
  }

  checkpoint(): Stored {
    return [[...this.seen], this.finished];
  }

  override consume(): boolean {
    if (!this.isAvailable()) return false;
    this.seen = new Set();
    this.finished = false;
    return true;
  }

  override finish(): boolean {
    if (this.finished || !this.complete()) return false;
    this.finished = true;
    return true;
  }

  isAvailable(): boolean {
    return this.finished && this.complete();
  }

  /** `seen` is a subset of `names`, so equal sizes mean equal sets. */
  private complete(): boolean {
    return this.seen.size === this.names.size;
  }

  override equals(other: Channel): boolean {
    if (other.lc_graph_name !== this.lc_graph_name) return false;
    return sameNames((other as NamedBarrierValueAfterFinish).names, this.names);
  }
}
