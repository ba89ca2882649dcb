import { describe, expect, test } from '@jest/globals';
import { MemoryBus } from '../../events/memory-bus.js';
import { frame } from './fixtures.js';
import { liveBusConformance } from './live-bus-conformance.js';

liveBusConformance('MemoryBus', () => ({ bus: new MemoryBus(), settled: async () => undefined }));

describe('the memory bus', () => {
  const publish = (bus: MemoryBus, count: number, json = '1'): void => {
    for (let seq = 0; seq < count; seq += 1)
      bus.publish('a', [{ entry: frame(seq, seq, { json }), previousSeq: seq - 1 }]);
  };
  const tail = (bus: MemoryBus): number[] => {
    const subscription = bus.subscribe('a', () => undefined);
    subscription.close();
    return subscription.tail.map(({ entry }) => entry.seq);
  };

  test('keeps the newest entries when a run has too many that are not logged', () => {
    const bus = new MemoryBus({ entriesPerRun: 3 });
    publish(bus, 10);
    expect(tail(bus)).toEqual([7, 8, 9]);
  });

  test('keeps the newest entries when they are too long together', () => {
    const bus = new MemoryBus({ charactersPerRun: 2_500 });
    publish(bus, 10, `"${'x'.repeat(998)}"`);
    expect(tail(bus)).toEqual([8, 9]);
  });

  test('forgets a run when all is logged and nobody listens', () => {
    const bus = new MemoryBus();
    publish(bus, 2);
    const subscription = bus.subscribe('a', () => undefined);
    bus.logged('a', 1);
    expect(bus.runs).toBe(1);
    subscription.close();
    expect(bus.runs).toBe(0);
  });

  test('forgets a run that was only listened to', () => {
    const bus = new MemoryBus();
    bus.subscribe('a', () => undefined).close();
    expect(bus.runs).toBe(0);
  });
});
