import { describe, expect, test } from '@jest/globals';
import {
  AnyValue,
  BinaryOperatorAggregate,
  EphemeralValue,
  LastValue,
  NamedBarrierValue,
  Topic,
  type Channel,
} from '../../../graph-core/channels/index.js';

const sum = (a: number, b: number): number => a + b;

/** What every kind promises its engine, on an instance that is empty and two writes it takes. */
const kinds: readonly { readonly name: string; readonly make: () => Channel; readonly write: unknown }[] = [
  { name: 'LastValue', make: () => new LastValue(), write: 'x' },
  { name: 'AnyValue', make: () => new AnyValue(), write: 'x' },
  { name: 'EphemeralValue', make: () => new EphemeralValue(), write: 'x' },
  { name: 'BinaryOperatorAggregate', make: () => new BinaryOperatorAggregate(sum), write: 1 },
  { name: 'Topic', make: () => new Topic(), write: 'x' },
  {
    name: 'Topic (unique, accumulating)',
    make: () => new Topic({ unique: true, accumulate: true }),
    write: 'x',
  },
  { name: 'NamedBarrierValue', make: () => new NamedBarrierValue(new Set(['x'])), write: 'x' },
];

describe.each(kinds)('$name', ({ make, write }) => {
  test('is empty at first, and says so when it is read', () => {
    const channel = make();
    expect(channel.isAvailable()).toBe(false);
    expect(() => channel.get()).toThrow(expect.objectContaining({ name: 'EmptyChannelError' }));
  });

  test('does not change by no writes while it is empty', () => {
    expect(make().update([])).toBe(false);
  });

  test('has a value after a write', () => {
    const channel = make();
    expect(channel.update([write])).toBe(true);
    expect(channel.isAvailable()).toBe(true);
  });

  test('reads the same after it was stored', () => {
    const channel = make();
    channel.update([write]);
    const stored = JSON.parse(JSON.stringify(channel.checkpoint())) as unknown;
    const again = make().fromCheckpoint(stored);
    expect(again.isAvailable()).toBe(true);
    expect(again.get()).toEqual(channel.get());
    expect(again.checkpoint()).toEqual(channel.checkpoint());
  });

  test('leaves its copy alone, and what it has stored', () => {
    const channel = make();
    const copy = channel.copy();
    const stored = JSON.stringify(channel.checkpoint());
    const before = channel.checkpoint();
    channel.update([write]);
    expect(copy.isAvailable()).toBe(false);
    expect(JSON.stringify(before)).toBe(stored);
  });

  test('is transient exactly if a superstep without writes empties it', () => {
    const channel = make();
    channel.update([write]);
    expect(channel.update([])).toBe(channel.transient);
    expect(channel.isAvailable()).toBe(!channel.transient);
  });
});
