import { describe, expect, test } from '@jest/globals';
import { flushIntervalMs, MAX_FLUSHES_PER_STEP } from '../../activities/flush-policy.js';

/** Flushes of a superstep that makes events all the time. */
function flushesIn(hours: number, live: boolean): number {
  let [ageMs, flushes] = [0, 0];
  for (;;) {
    ageMs += flushIntervalMs({ live, ageMs, flushes });
    if (ageMs > hours * 3_600_000) return flushes;
    flushes += 1;
  }
}

describe('the flush policy', () => {
  test('keeps its pace while a step is young', () => {
    expect(flushIntervalMs({ live: false, ageMs: 20_000, flushes: 40 })).toBe(500);
    expect(flushIntervalMs({ live: true, ageMs: 200_000, flushes: 40 })).toBe(5_000);
  });

  test('grows rarer, so that a day of events is at most 1,800 history events and still goes on', () => {
    for (const live of [true, false]) {
      const flushes = flushesIn(24, live);
      expect(flushes).toBeLessThanOrEqual(MAX_FLUSHES_PER_STEP);
      expect(flushes).toBeGreaterThan(300);
    }
    expect(MAX_FLUSHES_PER_STEP * 4).toBeLessThan(2_000);
  });

  test('ends when the flushes are used up', () => {
    expect(flushIntervalMs({ live: true, ageMs: 0, flushes: MAX_FLUSHES_PER_STEP })).toBe(Infinity);
  });
});
