import { describe, expect, test } from '@jest/globals';
import { MAX_ERROR_CHARACTERS } from '../../activities/error-text.js';
import { retryable, RunFailure, runErrorOf, superstepFailure } from '../../activities/failures.js';
import { NodeRetryRequest } from '../../graph-core/index.js';

const END = { seq: 4, frame: 2 };
const HUGE = 'x'.repeat(3_000_000);
const BOUNDED = `${'x'.repeat(MAX_ERROR_CHARACTERS)}… (3000000 characters)`;
/** Far below gRPC's 4 MB, with the stack and the cause. */
const MAX_FAILURE_CHARACTERS = 10 * MAX_ERROR_CHARACTERS;

const sizeOf = ({ message, stack = '', cause, details }: Error & { readonly details?: unknown }) =>
  message.length +
  stack.length +
  ((cause as Error | undefined)?.stack?.length ?? 0) +
  JSON.stringify(details ?? null).length;

const retryOf = (cause: unknown) =>
  new NodeRetryRequest({
    taskId: 't',
    node: 'b',
    failures: 1,
    delayMs: 20,
    firstAttemptAt: 0,
    failedAttempts: { t: 1 },
    cause,
  });

describe('the message of what was thrown', () => {
  test.each([
    [new TypeError('It broke.'), 'It broke.'],
    ['It broke.', 'It broke.'],
    [{ code: 42 }, '{"code":42}'],
    [{ message: 'It broke.', code: 42 }, 'It broke.'],
    [undefined, 'undefined'],
    [Symbol('odd'), 'Symbol(odd)'],
    [{ amount: 1n }, '[object Object]'],
  ])('%p is told as %s', (thrown, message) => {
    expect(runErrorOf(thrown).message).toBe(message);
  });

  test('is cut when it is long, and says how long it was', () => {
    expect(runErrorOf(new Error(HUGE)).message).toBe(BOUNDED);
    expect(runErrorOf({ text: HUGE }).message).toMatch(/^\{"text":"x+… \(3000011 characters\)$/);
  });

  test('is not cut in the middle of a character', () => {
    const text = `${'x'.repeat(MAX_ERROR_CHARACTERS - 1)}😀`;
    expect(runErrorOf(new Error(text)).message).toBe(`${'x'.repeat(MAX_ERROR_CHARACTERS - 1)}… (4001 characters)`);
  });
});

describe('a failure', () => {
  test('names the node, and its details have the plain message', () => {
    const { failure } = superstepFailure(new RunFailure('BAD', 'It broke.', 'b'), END);
    expect(failure).toMatchObject({
      message: 'Node "b": It broke.',
      details: [{ error: 'BAD', message: 'It broke.', node: 'b' }, END],
    });
  });

  test('does not name the node twice', () => {
    const { failure } = superstepFailure(new RunFailure('BAD', '"b" broke.', 'b'), END);
    expect(failure.message).toBe('"b" broke.');
  });

  test.each([
    ['that ends the run', superstepFailure(new RunFailure('BAD', HUGE, 'b'), END).failure],
    ['that asks for a retry', superstepFailure(retryOf(new Error(HUGE)), END).failure],
    ['with a cause', retryable('UNAVAILABLE', new Error(HUGE, { cause: new Error(HUGE) }))],
  ])('%s is small, however long the message', (_, failure) => {
    expect(failure.message).toContain('… (3000000 characters)');
    expect(sizeOf(failure)).toBeLessThan(MAX_FAILURE_CHARACTERS);
    expect(failure.cause?.cause).toBeUndefined();
  });

  test('that asks for a retry tells what was thrown', () => {
    expect(superstepFailure(retryOf({ code: 42 }), END).failure.message).toBe(
      'Node "b" failed (attempt 1) and is to run again in 20 ms: {"code":42}',
    );
  });
});
