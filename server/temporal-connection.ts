// The server's connection to Temporal: the JS one, because its retries are ours to set. A workflow that is closing or
// continuing as new refuses calls for some milliseconds; the SDK's own back-off of 1 s and more for that answer made
// submissions last up to 15 s (measured).
import { Connection, isRetryableError, makeGrpcRetryInterceptor, type ConnectionOptions } from '@temporalio/client';

/** What a refused call says while an execution closes. */
const CLOSING = /is closing/;

/** 20, 34, 58, 98, 167, 200, … ms: an execution is closing for some 80 ms. */
const CLOSING_BACK_OFF = { firstMs: 20, maxMs: 200, attempts: 40 };
/** 0.1, 0.17, … 5 s, as the SDK's default. A caller's deadline usually ends it sooner. */
const BACK_OFF = { firstMs: 100, maxMs: 5_000, attempts: 10 };
/** gRPC RESOURCE_EXHAUSTED: the server asks for less. */
const OVERLOADED_BACK_OFF = { ...BACK_OFF, firstMs: 1_000 };
const FACTOR = 1.7;
const RESOURCE_EXHAUSTED = 8;

interface CallStatus {
  readonly code: number;
  readonly details: string;
}

export function connectTemporal(options: ConnectionOptions): Promise<Connection> {
  return Connection.connect(withFastRetries(options));
}

const withFastRetries = (options: ConnectionOptions): ConnectionOptions => ({
  ...options,
  interceptors: [
    ...(options.interceptors ?? []),
    makeGrpcRetryInterceptor({
      delayFunction: retryDelayMs,
      retryableDecider: (attempt, status) => attempt < backOffOf(status).attempts && isRetryableError(status),
    }),
  ],
});

/** `attempt` is 1-based. */
export function retryDelayMs(attempt: number, status: CallStatus): number {
  const { firstMs, maxMs } = backOffOf(status);
  const jitter = 0.8 + Math.random() * 0.4;
  return Math.min(firstMs * FACTOR ** (attempt - 1), maxMs) * jitter;
}

function backOffOf(status: CallStatus): typeof BACK_OFF {
  if (CLOSING.test(status.details)) return CLOSING_BACK_OFF;
  return status.code === RESOURCE_EXHAUSTED ? OVERLOADED_BACK_OFF : BACK_OFF;
}
