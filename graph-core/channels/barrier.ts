import { InvalidUpdateError } from '../errors.js';
import { BaseChannel, type Channel } from './channel.js';

/**
 * Waits until each of its names was written, over any number of supersteps; then it is available, with the value
 * `undefined`, until a task consumes it.
 */
export class NamedBarrierValue extends BaseChannel<undefined, string, readonly string[]> {
  readonly lc_graph_name = 'NamedBarrierValue';
  private seen: ReadonlySet<string> = new Set();

  constructor(readonly names: ReadonlySet<string>) {
    super();
  }

  fromCheckpoint(stored?: readonly string[]): NamedBarrierValue {
    const channel = new NamedBarrierValue(this.names);
    if (stored !== undefined) channel.seen = new Set(stored);
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

  checkpoint(): readonly string[] {
    return [...this.seen];
  }

  override consume(): boolean {
    if (!this.isAvailable()) return false;
    this.seen = new Set();
    return true;
  }

  isAvailable(): boolean {
    // `seen` is a subset of `names`, so equal sizes mean equal sets.
    return this.seen.size === this.names.size;
  }

  override equals(other: Channel): boolean {
    if (other.lc_graph_name !== this.lc_graph_name) return false;
    return sameNames((other as NamedBarrierValue).names, this.names);
  }
}

/** @throws InvalidUpdateError for a name that is not waited for. */
export function withArrived(
  seen: ReadonlySet<string>,
  arrived: readonly string[],
  awaited: ReadonlySet<string>,
): ReadonlySet<string> {
  const stranger = arrived.find((name) => !awaited.has(name));
  if (stranger !== undefined) {
    throw new InvalidUpdateError(`Value ${JSON.stringify(stranger)} not in names ${JSON.stringify([...awaited])}`);
  }
  return new Set([...seen, ...arrived]);
}

export const sameNames = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((name) => b.has(name));
