// A channel holds one part of a graph's state between supersteps. The engine owns the instances it runs with; those
// of a GraphSpec are empty patterns, copied with `fromCheckpoint` and never updated.
//
// When the engine calls what, in one superstep: `isAvailable` and `get` while it plans and reads; `consume` once on each
// channel that triggered a task; `update` with this superstep's writes, or with `[]` on an available channel nobody
// wrote to; `finish` on every channel if nothing would run next; `checkpoint` when the result is saved.
import { EmptyChannelError } from '../errors.js';

export interface Channel<Value = unknown, Update = unknown, Stored = unknown> {
  readonly lg_is_channel: true;
  /** The kind, by LangGraph's name for it (`LastValue`, `Topic`, ...). */
  readonly lc_graph_name: string;
  /** A new channel of this kind with the stored content; with the channel's initial content when `undefined`. */
  fromCheckpoint(stored?: Stored): Channel<Value, Update, Stored>;
  /**
   * Takes the writes of one superstep, in task order; `[]` tells that there were none.
   * @returns whether the channel changed, which gives it a new version.
   * @throws InvalidUpdateError when it cannot take them.
   */
  update(values: readonly Update[]): boolean;
  /** @throws EmptyChannelError when there is no value. */
  get(): Value;
  /** What to store; `undefined` when there is nothing to store. Never changed by later updates. */
  checkpoint(): Stored | undefined;
  /** A task triggered by this channel ran. Returns whether the channel changed. */
  consume(): boolean;
  /** The run would stop now. Returns whether the channel changed (a deferred one becomes available). */
  finish(): boolean;
  isAvailable(): boolean;
  /** A channel of the same content that changes independently of this one. */
  copy(): Channel<Value, Update, Stored>;
  /** Whether a superstep without writes to this channel may change it. */
  readonly transient: boolean;
  /** Whether both behave alike, so that two schemas may name the same key. */
  equals(other: Channel): boolean;
}

/** The parts of a channel that most kinds share. */
export abstract class BaseChannel<Value = unknown, Update = unknown, Stored = unknown> implements Channel<
  Value,
  Update,
  Stored
> {
  /** Types only; never set. */
  declare ValueType: Value;
  declare UpdateType: Update;
  readonly lg_is_channel = true as const;
  abstract readonly lc_graph_name: string;

  abstract fromCheckpoint(stored?: Stored): Channel<Value, Update, Stored>;
  abstract update(values: readonly Update[]): boolean;
  abstract get(): Value;
  abstract checkpoint(): Stored | undefined;
  abstract isAvailable(): boolean;

  consume(): boolean {
    return false;
  }

  finish(): boolean {
    return false;
  }

  equals(other: Channel): boolean {
    return (this as Channel) === other;
  }

  readonly transient: boolean = false;

  /** Enough for kinds that replace the content of their fields and never change it in place, as all kinds here do. */
  copy(): Channel<Value, Update, Stored> {
    const copy = Object.create(Object.getPrototypeOf(this) as object) as this;
    return Object.assign(copy, this);
  }

  protected empty(): never {
    throw new EmptyChannelError();
  }
}

/** Recognised by its marker, so that a channel of another copy of this module counts too. */
export function isChannel(value: unknown): value is Channel {
  return typeof value === 'object' && value !== null && (value as Partial<Channel>).lg_is_channel === true;
}
