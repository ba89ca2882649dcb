import { describe, expect, test } from '@jest/globals';
import { errorLine, errorNote } from '../../../graph-core/engine/error-note.js';

/** Cut texts end so. */
const CUT = /… \(\d+ characters\)$/;

describe('the note of a thrown value', () => {
  test('of an error has its name and message', () => {
    expect(errorNote(new TypeError('x is not a function'))).toEqual({
      name: 'TypeError',
      message: 'x is not a function',
    });
  });

  test('of an object that looks like an error has its own', () => {
    expect(errorNote({ name: 'Odd', message: 'looks so', code: 1 })).toEqual({ name: 'Odd', message: 'looks so' });
  });

  test.each<[string, unknown, string]>([
    ['a text', 'no way', 'no way'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a BigInt', 10n, '10'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['plain data', { code: 7 }, '{"code":7}'],
    ['a message that is no text', { message: 5 }, '{"message":5}'],
    ['data with a BigInt', { amount: 10n }, '[object Object]'],
  ])('of %s describes it, without a name', (_what, thrown, message) => {
    expect(errorNote(thrown)).toEqual({ message });
  });

  test('of a circle, or of what cannot be read, says what it is', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const unreadable = Object.defineProperty({}, 'message', {
      enumerable: true,
      get: () => {
        throw new Error('not yours');
      },
    });
    expect(errorNote(circle)).toEqual({ message: '[object Object]' });
    expect(errorNote(unreadable)).toEqual({ message: '[object Object]' });
  });

  test('is cut where it is long, and says how long it was', () => {
    const { message, name } = errorNote({ name: 'N'.repeat(20_000), message: 'm'.repeat(1_000_000) });
    expect(message).toMatch(/^m{10000}… \(1000000 characters\)$/);
    expect(name).toMatch(CUT);
  });

  test('is not cut within a character', () => {
    const { message } = errorNote(new Error(`${'m'.repeat(9_999)}😀 and more`));
    expect(message.replace(CUT, '')).toBe('m'.repeat(9_999));
  });
});

test('the line of a log has the name where there is one', () => {
  expect(errorLine(new RangeError('too far'))).toBe('RangeError: too far');
  expect(errorLine('no way')).toBe('no way');
});
