import { describe, expect, test } from '@jest/globals';
import { countUp, idAfter, newVersions, nullVersion } from '../../../graph-core/engine/checkpoints.js';
import { LayeredMap } from '../../../graph-core/engine/layered-map.js';
import { newestOf, type Versions } from '../../../graph-core/engine/live-state.js';

const versions = (byChannel: Record<string, number | string>): Versions => LayeredMap.of(Object.entries(byChannel));

describe('ids', () => {
  test('sort in the order in which they are made', () => {
    const ids = Array.from({ length: 1000 }, (_, step) => idAfter('', step));
    expect([...ids].sort()).toEqual(ids);
  });

  test('sort after the checkpoint they follow, also when that was made by a clock that is ahead', () => {
    const ahead = '2f1ec527-bffa-6fff-8001-7aa8c375286d';
    const id = idAfter(ahead, 3);
    expect(id).toMatch(/^2f1ec527-bffb-6000-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(id > ahead).toBe(true);
    expect(idAfter(id, 4) > id).toBe(true);
  });
});

describe('versions', () => {
  test('count up from one', () => {
    expect(countUp(undefined)).toBe(1);
    expect(countUp(1)).toBe(2);
  });

  test('have a least one of their kind', () => {
    expect(nullVersion(versions({}))).toBeUndefined();
    expect(nullVersion(versions({ a: 3 }))).toBe(0);
    expect(nullVersion(versions({ a: '0003.1' }))).toBe('');
  });

  test('are new where they grew or were not there; all are where nothing was before', () => {
    expect(newVersions(versions({ a: 1, b: 2 }), versions({ a: 1, b: 3, c: 1 }))).toEqual({ b: 3, c: 1 });
    expect(newVersions(versions({}), versions({ a: 1 }))).toEqual({ a: 1 });
  });

  test('have a newest one', () => {
    expect(newestOf(versions({ a: 1, b: 3, c: 2 }))).toBe(3);
    expect(newestOf(versions({}))).toBeUndefined();
  });
});
