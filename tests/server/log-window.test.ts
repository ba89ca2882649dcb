import { describe, expect, test } from '@jest/globals';
import type { Entry } from '../../events/entry.js';
import { LogWindow } from '../../server/log-window.js';
import { frame } from '../events/fixtures.js';

const progress = (seq: number): Entry => ({ seq, at: seq, event: 'node.started', json: '{}' });
const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq);

/** Seqs 3 to 7; frames 2, 3 and 4 at seqs 3, 5 and 7. */
const window = (): LogWindow => {
  const held = new LogWindow({ seq: 2, frame: 1 });
  held.append([frame(3, 2), progress(4), frame(5, 3), progress(6), frame(7, 4)], { seq: 7, frame: 4 });
  return held;
};

describe('LogWindow', () => {
  test('gives what follows a seq, or a frame', () => {
    expect(seqs(window().after({ kind: 'seq', after: 4 }))).toEqual([5, 6, 7]);
    expect(seqs(window().after({ kind: 'frame', after: 2 }))).toEqual([5, 6, 7]);
    expect(seqs(window().after({ kind: 'frame', after: 4 }))).toEqual([]);
    expect(seqs(window().after({ kind: 'seq', after: 2 }))).toEqual([3, 4, 5, 6, 7]);
  });

  test('knows what it does not hold', () => {
    expect(window().covers({ kind: 'seq', after: 2 })).toBe(true);
    expect(window().covers({ kind: 'seq', after: 1 })).toBe(false);
    expect(window().covers({ kind: 'frame', after: 1 })).toBe(true);
    expect(window().covers({ kind: 'frame', after: 0 })).toBe(false);
    expect(window().covers({ kind: 'seq', after: Number.MAX_SAFE_INTEGER })).toBe(true);
  });

  test('takes overlapping sources without repeating an entry', () => {
    const held = window();
    held.append([frame(5, 3), frame(7, 4), frame(9, 5)], { seq: 20, frame: 7 });
    expect(seqs(held.after({ kind: 'seq', after: 2 }))).toEqual([3, 4, 5, 6, 7, 9]);
    expect(held.end).toEqual({ seq: 20, frame: 7 });
  });

  test('drops the oldest entries over its bound, and no longer covers them', () => {
    const held = window();
    held.trim(1_400);
    expect(held.bytes).toBeLessThanOrEqual(1_400);
    const [first] = held.after({ kind: 'seq', after: Number.NEGATIVE_INFINITY });
    expect(first?.seq).toBeGreaterThan(3);
    expect(held.covers({ kind: 'seq', after: (first?.seq ?? 0) - 1 })).toBe(true);
    expect(held.covers({ kind: 'seq', after: 2 })).toBe(false);
  });
});
