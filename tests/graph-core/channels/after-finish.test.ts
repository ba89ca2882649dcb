import { describe, expect, test } from '@jest/globals';
import { LastValueAfterFinish, NamedBarrierValueAfterFinish } from '../../../graph-core/channels/index.js';

describe('LastValueAfterFinish', () => {
  test('holds its value back until the run would stop', () => {
    const channel = new LastValueAfterFinish<string>();
    expect(channel.finish()).toBe(false);
    expect(channel.update(['a', 'b'])).toBe(true);
    expect(channel.isAvailable()).toBe(false);
    expect(() => channel.get()).toThrow();
    expect(channel.finish()).toBe(true);
    expect(channel.finish()).toBe(false);
    expect(channel.get()).toBe('b');
  });

  test('is empty again when it was consumed, and only then', () => {
    const channel = new LastValueAfterFinish<string>();
    channel.update(['a']);
    expect(channel.consume()).toBe(false);
    channel.finish();
    expect(channel.consume()).toBe(true);
    expect(channel.checkpoint()).toBeUndefined();
    expect(channel.finish()).toBe(false);
  });

  test('holds a new value back again', () => {
    const channel = new LastValueAfterFinish<string>();
    channel.update(['a']);
    channel.finish();
    channel.update(['b']);
    expect(channel.isAvailable()).toBe(false);
    expect(channel.update([])).toBe(false);
  });

  test('comes back from a checkpoint as it was, also with a null for a value', () => {
    const channel = new LastValueAfterFinish<null>();
    channel.update([null]);
    expect(channel.checkpoint()).toEqual([null, false]);
    channel.finish();
    const restored = new LastValueAfterFinish<null>().fromCheckpoint(channel.checkpoint());
    expect(restored.isAvailable()).toBe(true);
    expect(restored.get()).toBeNull();
  });
});

describe('NamedBarrierValueAfterFinish', () => {
  const names = new Set(['a', 'b']);

  test('waits for all names, then for the end of the run', () => {
    const channel = new NamedBarrierValueAfterFinish(names);
    expect(channel.update(['a'])).toBe(true);
    expect(channel.update(['a'])).toBe(false);
    expect(channel.finish()).toBe(false);
    channel.update(['b']);
    expect(channel.isAvailable()).toBe(false);
    expect(channel.finish()).toBe(true);
    expect(channel.isAvailable()).toBe(true);
    expect(channel.get()).toBeUndefined();
  });

  test('begins anew when it was consumed', () => {
    const channel = new NamedBarrierValueAfterFinish(names);
    channel.update(['a', 'b']);
    expect(channel.consume()).toBe(false);
    channel.finish();
    expect(channel.consume()).toBe(true);
    expect(channel.checkpoint()).toEqual([[], false]);
  });

  test('comes back from a checkpoint as it was', () => {
    const channel = new NamedBarrierValueAfterFinish(names);
    channel.update(['a']);
    const restored = new NamedBarrierValueAfterFinish(names).fromCheckpoint(channel.checkpoint());
    restored.update(['b']);
    expect(restored.finish()).toBe(true);
    expect(channel.checkpoint()).toEqual([['a'], false]);
  });

  test('knows its names only', () => {
    expect(() => new NamedBarrierValueAfterFinish(names).update(['c'])).toThrow('Value "c" not in names ["a","b"]');
    expect(new NamedBarrierValueAfterFinish(names).equals(new NamedBarrierValueAfterFinish(new Set(['b', 'a'])))).toBe(
      true,
    );
  });
});
