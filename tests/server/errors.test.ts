import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ERRORS, ServiceError } from '../../server/errors.js';

describe('docs/reference/errors.md', () => {
  test('lists every code of the catalogue as the catalogue has it, and no other', () => {
    const documented = readFileSync('docs/reference/errors.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    const inCode = Object.entries(ERRORS).map(([code, { status, retryable, meaning }]) => [
      `\`${code}\``,
      String(status),
      retryable ? 'yes' : 'no',
      meaning,
    ]);
    expect(documented).toEqual(inCode);
  });
});

describe('ServiceError', () => {
  test('has the status of its code', () => {
    expect(new ServiceError('THREAD_BUSY', 'Thread is busy').status).toBe(409);
  });

  test('only faults that a later request may not meet are retryable server errors', () => {
    const server = Object.entries(ERRORS).filter(([, { status }]) => status >= 500);
    expect(server.map(([code, { retryable }]) => [code, retryable])).toEqual([
      ['INTERNAL', true],
      ['UNAVAILABLE', true],
    ]);
  });
});
