import { describe, expect, test } from '@jest/globals';
import { checkExposure } from '../../server/auth.js';

describe('checkExposure', () => {
  test.each(['127.0.0.1', '127.3.2.1', 'localhost', '::1', '[::1]', '::ffff:127.0.0.1', 'LOCALHOST'])(
    'allows %s, which is this machine alone, without a key',
    (host) => {
      expect(checkExposure(host, undefined, false)).toEqual({ kind: 'allowed' });
    },
  );

  test.each(['0.0.0.0', '::', '10.0.0.5', 'example.org', '127.0.0.1.example.org', '128.0.0.1'])(
    'refuses %s without a key, and says which settings would allow it',
    (host) => {
      const refused = checkExposure(host, undefined, false);
      expect(refused).toMatchObject({ kind: 'refused' });
      expect(JSON.stringify(refused)).toContain('SUPERSTEP_API_KEY');
      expect(JSON.stringify(refused)).toContain('SUPERSTEP_ALLOW_OPEN');
    },
  );

  test('an empty key is no key', () => {
    expect(checkExposure('0.0.0.0', '', false).kind).toBe('refused');
  });

  test('allows any address with a key, or with an explicit word', () => {
    expect(checkExposure('0.0.0.0', 'secret', false).kind).toBe('allowed');
    expect(checkExposure('0.0.0.0', undefined, true).kind).toBe('allowed');
  });
});
