// The request body: JSON in UTF-8 whatever its content type says, up to a size and a depth.
import { isUtf8 } from 'node:buffer';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { ServiceError } from './errors.js';
import { isDeeperThan } from './json-depth.js';

/**
 * Objects and arrays in each other. Far more than a graph's input has, and far less than JSON.stringify, Postgres's `jsonb`
 * and other recursive readers behind this one can take (they give up at some thousands).
 */
const MAX_BODY_LEVELS = 500;

/** To be used in this order. An absent body reads as `{}`, so that validation names what is missing. */
export const readBody = (limitBytes: number): readonly [RequestHandler, ErrorRequestHandler, RequestHandler] => [
  express.json({ limit: limitBytes, type: () => true, strict: false, verify: requireUtf8 }),
  bodyErrors(limitBytes),
  (req, _res, next) => {
    if (req.body === undefined) req.body = {};
    if (isDeeperThan(req.body, MAX_BODY_LEVELS)) {
      throw new ServiceError(
        'BODY_TOO_DEEP',
        `Request body nested too deeply: the limit is ${MAX_BODY_LEVELS} levels of objects and arrays.`,
      );
    }
    next();
  },
];

/** The parser would decode other UTFs as well, and JSON between systems is UTF-8 (RFC 8259, section 8.1). */
function requireUtf8(_req: unknown, _res: unknown, body: Buffer, charset: string): void {
  if (charset !== 'utf-8') {
    throw Object.assign(new Error(`Unsupported charset "${charset}"`), { type: 'charset.unsupported' });
  }
  // Decoded, what is wrong would be in the state as U+FFFD.
  if (!isUtf8(body)) throw Object.assign(new Error('Body that is not UTF-8'), { type: 'charset.broken' });
}

const bodyErrors =
  (limitBytes: number): ErrorRequestHandler =>
  (error: unknown, _req, _res, next) => {
    next(toServiceError(error, limitBytes));
  };

function toServiceError(error: unknown, limitBytes: number): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.parse.failed':
      return new ServiceError('MALFORMED_JSON', 'Malformed JSON in request body', { cause: error });
    case 'entity.too.large':
      return new ServiceError(
        'BODY_TOO_LARGE',
        `Request body too large: the limit is ${limitBytes} bytes. Send less, or raise SUPERSTEP_BODY_LIMIT_MB.`,
        { cause: error },
      );
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ServiceError('UNSUPPORTED_ENCODING', 'Unsupported body encoding: send JSON as UTF-8, plain or gzip.', {
        cause: error,
      });
    case 'charset.broken':
      return new ServiceError('MALFORMED_JSON', 'Malformed JSON in request body: it is not UTF-8.', { cause: error });
    case 'request.size.invalid':
    case 'request.aborted':
      return new ServiceError('MALFORMED_JSON', 'Malformed JSON in request body: it ended early.', { cause: error });
    default:
      return isClientFault(error)
        ? new ServiceError('MALFORMED_JSON', 'Malformed request body: it cannot be decoded.', { cause: error })
        : error;
  }
}

/** What the parser blames on the request, such as a broken gzip stream. */
const isClientFault = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 400;
