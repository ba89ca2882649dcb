// What can go wrong between a client and a service. Told apart by `kind`, which survives bundlers and two copies of this
// module in one program, where `instanceof` does not.

/** Base of all errors thrown by this client, aborts excepted: those reject with the signal's reason. */
export abstract class SuperstepClientError extends Error {
  abstract readonly kind: 'http' | 'connection' | 'stream-lost' | 'protocol' | 'run-failed';
}

/** The service answered, and refused. */
export class HttpError extends SuperstepClientError {
  override readonly name = 'HttpError';
  readonly kind = 'http';
  readonly status: number;
  /** As received: parsed where it is JSON, text otherwise. */
  readonly body: unknown;
  readonly method: string;
  readonly url: string;
  /** From `Retry-After`, where it gives seconds. */
  readonly retryAfterMs?: number;

  constructor(fields: { status: number; body: unknown; method: string; url: string; retryAfterMs?: number }) {
    super(`${fields.method} ${new URL(fields.url).pathname}: HTTP ${fields.status}: ${describeBody(fields.body)}`);
    this.status = fields.status;
    this.body = fields.body;
    this.method = fields.method;
    this.url = fields.url;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** No answer: the service cannot be reached, or the connection ended before an answer came. */
export class ConnectionError extends SuperstepClientError {
  override readonly name = 'ConnectionError';
  readonly kind = 'connection';
  /** `never`: the request did not leave, so sending it again is harmless. `unknown`: it may have been acted upon. */
  readonly delivered: 'never' | 'unknown';

  constructor(message: string, fields: { delivered: 'never' | 'unknown'; cause?: unknown }) {
    super(message, { cause: fields.cause });
    this.delivered = fields.delivered;
  }
}

/** A stream could not be continued. What was yielded until then is right; the run itself may well go on. */
export class StreamLostError extends SuperstepClientError {
  override readonly name = 'StreamLostError';
  readonly kind = 'stream-lost';
  /** Join again from here: the id of the last event yielded. */
  readonly lastEventId?: string;

  constructor(message: string, fields: { lastEventId?: string; cause?: unknown }) {
    super(message, { cause: fields.cause });
    this.lastEventId = fields.lastEventId;
  }
}

/** The answer is none that this protocol has: another kind of server, or something in between that rewrites answers. */
export class ProtocolError extends SuperstepClientError {
  override readonly name = 'ProtocolError';
  readonly kind = 'protocol';
}

/** A run that was waited for ended in an error. */
export class RunFailedError extends SuperstepClientError {
  override readonly name = 'RunFailedError';
  readonly kind = 'run-failed';
  /** Class name or code of the run's error. */
  readonly error: string;

  constructor(error: string, message: string) {
    super(message);
    this.error = error;
  }
}

/** Whether the same request may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof HttpError && (error.status === 408 || error.status === 429 || error.status >= 500);
}

function describeBody(body: unknown): string {
  if (typeof body === 'string') return body.trim() || '(no message)';
  const { detail, title, message, error } = (body ?? {}) as Record<string, unknown>;
  const text = [detail, message, title].find((field) => typeof field === 'string');
  return text ?? describeIssues(error) ?? JSON.stringify(body);
}

/** What a Platform server says of fields that it does not take. */
function describeIssues(error: unknown): string | undefined {
  const { issues } = (error ?? {}) as { issues?: unknown };
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  return (issues as readonly { readonly path?: readonly unknown[]; readonly message?: string }[])
    .map(({ path = [], message = 'invalid' }) => [path.join('.'), message].filter(Boolean).join(': '))
    .join('; ');
}
