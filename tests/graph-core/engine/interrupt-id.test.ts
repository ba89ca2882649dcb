import { expect, test } from '@jest/globals';
import { interruptId, isResumeMap } from '../../../graph-core/engine/interrupt-id.js';

test('the first question of a task has the hash of its namespace, a later one the number of answers in it', () => {
  expect(interruptId('node:0c7e0d3e-59fd-5a3a-a2dc-7e1f9c1a5f54', 0)).toMatch(/^[0-9a-f]{32}$/);
  expect(interruptId('a|1', 0)).toBe(interruptId('a', 1));
});

test('an id is XXH3 with 128 bits', () => {
  // The reference implementation's XXH3_128bits of the empty input, seed 0.
  expect(interruptId('', 0)).toBe('99aa06d3014798d86001c324468d497f');
});

test('a record is a resume map when every key is an interrupt id', () => {
  expect(isResumeMap({ '99aa06d3014798d86001c324468d497f': 'yes' })).toBe(true);
  expect(isResumeMap({ '99aa06d3014798d86001c324468d497f': 'yes', other: 'no' })).toBe(false);
  expect(isResumeMap('99aa06d3014798d86001c324468d497f')).toBe(false);
  expect(isResumeMap(null)).toBe(false);
});
