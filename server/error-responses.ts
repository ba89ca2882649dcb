// Errors as bytes. Platform routes answer what the reference servers do: the message as plain text (validation: JSON
// with the issues). `/api` routes answer RFC 9457 problems. The code is in `x-superstep-error` on both.
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { isUnavailable } from '../storage/database.js';
import { ERRORS, ServiceError } from './errors.js';

export const ERROR_CODE_HEADER = 'x-superstep-error';

/** Reports a fault of ours to the operator; given by processes/. */
export type ReportFault = (error: unknown, request: { readonly method: string; readonly path: string }) => void;

export const routeNotFound: RequestHandler = (req) => {
  throw isProblemRoute(req)
    ? new ServiceError('ROUTE_NOT_FOUND', `There is no ${req.method} ${req.path}.`)
    : new ServiceError('ROUTE_NOT_FOUND', '404 Not Found');
};

export const errorResponses =
  (report: ReportFault): ErrorRequestHandler =>
  (thrown: unknown, req, res, _next) => {
    const error = toServiceError(thrown);
    if (error.code === 'INTERNAL' || error.code === 'UNAVAILABLE')
      report(thrown, { method: req.method, path: req.path });
    if (res.headersSent) {
      // The status is gone; a cut connection is the only honest end left.
      res.destroy();
      return;
    }
    sendError(req, res, error);
  };

function sendError(req: Request, res: Response, error: ServiceError): void {
  res.status(error.status).set(ERROR_CODE_HEADER, error.code);
  if (error.code === 'BODY_TOO_LARGE') res.set('connection', 'close');
  if (isProblemRoute(req)) {
    res.type('application/problem+json').send(
      JSON.stringify({
        type: `urn:superstep:error:${error.code}`,
        title: ERRORS[error.code].meaning,
        status: error.status,
        detail: error.message,
        code: error.code,
        retryable: ERRORS[error.code].retryable,
        ...(error.field !== undefined && { field: error.field }),
      }),
    );
  } else if (error.issues !== undefined) {
    res.json({ success: false, error: { issues: error.issues, name: 'ZodError' } });
  } else {
    res.type('text/plain').send(error.message);
  }
}

const isProblemRoute = (req: Request): boolean => req.originalUrl === '/api' || req.originalUrl.startsWith('/api/');

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isUriError(thrown))
    return new ServiceError('INVALID_REQUEST', 'The path is not valid percent-encoding.', { cause: thrown });
  const away = unreachable(thrown);
  if (away !== undefined) {
    return new ServiceError('UNAVAILABLE', `${away} cannot be reached. Try again shortly.`, { cause: thrown });
  }
  return new ServiceError('INTERNAL', 'Internal Server Error', { cause: thrown });
}

const isUriError = (thrown: unknown): boolean =>
  thrown instanceof URIError ||
  (thrown instanceof Error && 'status' in thrown && thrown.status === 400 && /decode/i.test(thrown.message));

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const TEMPORAL_AWAY: ReadonlySet<unknown> = new Set([4, 14]);

function unreachable(thrown: unknown): 'The database' | 'Temporal' | undefined {
  if (isUnavailable(thrown)) return 'The database';
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if (TEMPORAL_AWAY.has((error as { readonly code?: unknown }).code)) return 'Temporal';
  }
  return undefined;
}
