import { expect, test } from '@jest/globals';
import { NamedBarrierValue } from '../../../graph-core/channels/barrier.js';

const barrier = (): NamedBarrierValue => new NamedBarrierValue(new Set(['a', 'b']));

test('opens when every name was written, over any number of supersteps', () => {
  const channel = barrier();
  expect(channel.update(['a'])).toBe(true);
  expect(channel.update(['a'])).toBe(false);
  expect(channel.isAvailable()).toBe(false);
  channel.update(['b']);
  expect(channel.isAvailable()).toBe(true);
  expect(channel.get()).toBeUndefined();
});

test('is closed again once it was consumed, and not consumed while it is closed', () => {
  const channel = barrier();
  expect(channel.consume()).toBe(false);
  channel.update(['a', 'b']);
  expect(channel.consume()).toBe(true);
  expect(channel.isAvailable()).toBe(false);
});

test('refuses a name it does not wait for', () => {
  expect(() => barrier().update(['c'])).toThrow('Value "c" not in names ["a","b"]');
});
