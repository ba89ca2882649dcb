import { InvalidUpdateError } from '../errors.js';
import { BaseChannel } from './channel.js';

/** The write that says whom a {@link DynamicBarrierValue} waits for. */
export interface WaitForNames<Name = string> {
  readonly __names: readonly Name[];
}

type StoredBarrier<Name> = readonly [names: readonly Name[] | undefined, seen: readonly Name[]];

/**
 * Waits until each of some names was written, over any number of supersteps; the names come with a write of their own.
 * Then it is available, with the value `undefined`, until a task consumes it. Names nobody waits for are passed over.
 */
export class DynamicBarrierValue<Name = string> extends BaseChannel<
  undefined,
  Name | WaitForNames<Name>,
  StoredBarrier<Name>
> {
  readonly lc_graph_name = 'DynamicBarrierValue';
  private names: ReadonlySet<Name> | undefined;
  private seen: ReadonlySet<Name> = new Set();

  fromCheckpoint(stored?: StoredBarrier<Name>): DynamicBarrierValue<Name> {
    const channel = new DynamicBarrierValue<Name>();
    if (stored !== undefined) {
      channel.names = new Set(stored[0]);
      channel.seen = new Set(stored[1]);
    }
    return channel;
  }

  update(writes: readonly (Name | WaitForNames<Name>)[]): boolean {
    const [waitFor, ...more] = writes.filter(isWaitForNames<Name>);
    if (more.length > 0) throw new InvalidUpdateError('Received multiple WaitForNames updates in the same step.');
    if (waitFor !== undefined) {
      this.names = new Set(waitFor.__names);
      return true;
    }
    const awaited = (writes as readonly Name[]).filter((name) => this.names?.has(name) && !this.seen.has(name));
    if (awaited.length === 0) return false;
    this.seen = new Set([...this.seen, ...awaited]);
    return true;
  }

  get(): undefined {
    return this.isAvailable() ? undefined : this.empty();
  }

  checkpoint(): StoredBarrier<Name> {
    return [this.names && [...this.names], [...this.seen]];
  }

  override consume(): boolean {
    if (!this.isAvailable()) return false;
    this.seen = new Set();
    this.names = undefined;
    return true;
  }

  isAvailable(): boolean {
    const { names, seen } = this;
    return names !== undefined && names.size === seen.size && [...names].every((name) => seen.has(name));
  }
}

const isWaitForNames = <Name>(write: Name | WaitForNames<Name>): write is WaitForNames<Name> =>
  (write as Partial<WaitForNames<Name>>).__names !== undefined;
