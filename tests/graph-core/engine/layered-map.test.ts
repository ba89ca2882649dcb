import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LayeredMap } from '../../../graph-core/engine/layered-map.js';

const change = fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }).map(String), fc.integer()), { maxLength: 40 });

test('a changed copy reads like a Map with the same changes, and the copies before it stay as they were', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      let map = LayeredMap.of<number>();
      let plain = new Map<string, number>();
      const copies = [{ map, plain }];
      for (const entries of changes) {
        map = map.with(new Map(entries));
        plain = new Map([...plain, ...entries]);
        copies.push({ map, plain });
      }
      for (const copy of copies) {
        expect(new Map(copy.map)).toEqual(copy.plain);
        expect([...copy.map]).toHaveLength(copy.plain.size);
        expect(copy.map.isEmpty).toBe(copy.plain.size === 0);
        for (const [key, value] of copy.plain) expect([copy.map.has(key), copy.map.get(key)]).toEqual([true, value]);
      }
    }),
  );
});

test('what changed since an earlier copy is among the entries it names', () => {
  fc.assert(
    fc.property(change, change, (before, after) => {
      const earlier = LayeredMap.of(before);
      const later = earlier.with(new Map(after));
      const named = new Map(later.changedSince(earlier));
      for (const [key, value] of later) if (earlier.get(key) !== value) expect(named.get(key)).toBe(value);
    }),
  );
});
