import { describe, expect, test } from '@jest/globals';
import { retryDelayMs } from '../../server/temporal-connection.js';

const closing = { code: 8, details: 'workflow operation can not be applied because workflow is closing' };
const overloaded = { code: 8, details: 'namespace rate limit exceeded' };

describe('retryDelayMs', () => {
  test('a closing workflow is tried again within milliseconds, and never after more than a quarter of a second', () => {
    expect(retryDelayMs(1, closing)).toBeLessThan(30);
    expect(retryDelayMs(30, closing)).toBeLessThan(250);
  });

  test('an overloaded server is left alone for a second', () => {
    expect(retryDelayMs(1, overloaded)).toBeGreaterThanOrEqual(800);
  });

  test('other failures back off to five seconds', () => {
    const unavailable = { code: 14, details: 'connection refused' };
    expect(retryDelayMs(1, unavailable)).toBeLessThan(150);
    expect(retryDelayMs(20, unavailable)).toBeGreaterThan(3_900);
  });
});
