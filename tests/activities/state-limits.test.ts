import { describe, expect, test } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { checkStateSize, checkStorable, measure } from '../../activities/state-limits.js';

const refused = (value: unknown) => () => checkStorable('plan', 'steps', value);

describe('a value for the state', () => {
  test.each([
    ['a BigInt', { list: [1, { amount: 10n }] }, /"plan" wrote a BigInt \(10n\) to "steps" at list\[1\]\.amount/],
    ['a function', { run: () => 1 }, /a function to "steps" at run/],
    ['a symbol', Symbol('x'), /a symbol to "steps",/],
    ['one in a Map', new Map([['k', 1n]]), /at k/],
    ['one in a Set', new Set([1n]), /at \[0\]/],
  ])('is refused when it holds %s', (_what, value, message) => {
    expect(refused(value)).toThrow(message);
  });

  test('is refused when it holds itself', () => {
    const knot: Record<string, unknown> = {};
    knot['self'] = knot;
    expect(refused(knot)).toThrow(/a cycle to "steps" at self/);
  });

  test.each([null, undefined, 0, '', new Date(), new Uint8Array(3), new HumanMessage('hi'), new Error('x'), [[]]])(
    'may be %p',
    (value) => expect(refused(value)).not.toThrow(),
  );

  test('may hold the same object twice', () => {
    const shared = { a: 1 };
    expect(refused([shared, shared])).not.toThrow();
  });
});

test('a size is about that of the JSON', () => {
  const value = { texts: Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(1_000) })) };
  const { bytes } = measure(value);
  expect(bytes / JSON.stringify(value).length).toBeGreaterThan(0.95);
  expect(bytes / JSON.stringify(value).length).toBeLessThan(1.05);
});

test('a state over the limit is refused with size, limit and nodes', () => {
  expect(() => checkStateSize(100, 100, ['plan'])).not.toThrow();
  expect(() => checkStateSize(8_000_000, 4_000_000, ['a', 'b'])).toThrow(/node "a", "b".*8\.0 MB.*4\.0 MB/);
});
