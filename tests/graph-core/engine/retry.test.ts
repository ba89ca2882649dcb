import { expect, test } from '@jest/globals';
import { isRetryable, retryDelayMs } from '../../../graph-core/engine/retry.js';

const error = new Error('busy');

test('waits grow by the factor up to the bound, in milliseconds', () => {
  const policy = { jitter: false, maxAttempts: 99, maxInterval: 3000 };
  expect([1, 2, 3, 4, 5].map((failures) => retryDelayMs(policy, failures, error))).toEqual([
    500, 1000, 2000, 3000, 3000,
  ]);
});

test('jitter adds less than a second', () => {
  const delays = Array.from({ length: 100 }, () => retryDelayMs({ initialInterval: 10 }, 1, error) ?? NaN);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...delays)).toBeLessThan(1010);
});

test('three attempts are made by default, the first included', () => {
  expect(retryDelayMs({}, 2, error)).toBeDefined();
  expect(retryDelayMs({}, 3, error)).toBeUndefined();
});

test('a policy says itself what is worth another attempt', () => {
  expect(retryDelayMs({ retryOn: () => false }, 1, error)).toBeUndefined();
});

test.each([
  [{ name: 'AbortError', message: '' }, false],
  [{ name: 'Error', message: 'Cancel: the user left' }, false],
  [{ name: 'GraphValueError', message: '' }, false],
  [{ message: '', code: 'ECONNABORTED' }, false],
  [{ message: '', status: 400 }, false],
  [{ message: '', response: { status: 409 } }, false],
  [{ message: '', error: { code: 'insufficient_quota' } }, false],
  [{ message: '', status: 408 }, true],
  [{ message: '', status: 503 }, true],
  [{ message: 'socket hang up', code: 'ECONNRESET' }, true],
  ['a string', true],
  [undefined, true],
])('whether %j is retried by default: %s', (thrown, retried) => {
  expect(isRetryable(thrown)).toBe(retried);
});
