// One shared key, and the rule that a service without one stays on this machine.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ServiceError } from './errors.js';

/** Lets a request pass that carries the key as `x-api-key`. Digests have one length, so the comparison tells nothing. */
export function requireApiKey(apiKey: string): RequestHandler {
  const expected = digest(apiKey);
  return (req, _res, next) => {
    const given = req.headers['x-api-key'];
    if (typeof given !== 'string') {
      throw new ServiceError('UNAUTHORIZED', 'Missing API key. Send it as the x-api-key header.', {
        field: 'x-api-key',
      });
    }
    if (!timingSafeEqual(digest(given), expected)) {
      throw new ServiceError('UNAUTHORIZED', 'Wrong API key in the x-api-key header.', { field: 'x-api-key' });
    }
    next();
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export type Exposure =
  | { readonly kind: 'allowed' }
  /** `reason` says which settings would allow it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Whether the service may listen on `host`: beyond loopback it wants a key, or an explicit word that it may be open. */
export function checkExposure(host: string, apiKey: string | undefined, allowOpen: boolean): Exposure {
  if (isLoopback(host) || (apiKey !== undefined && apiKey !== '') || allowOpen) return { kind: 'allowed' };
  return {
    kind: 'refused',
    reason:
      `Refusing to listen on ${host} without authentication: anyone who reaches it could run your graphs. ` +
      'Set SUPERSTEP_API_KEY, or SUPERSTEP_ALLOW_OPEN=true if something else guards it.',
  };
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(bare);
}
