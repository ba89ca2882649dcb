// Every error that a client can get: one catalogue, from which the status follows. docs/reference/errors.md lists the
// same codes; tests/server/errors.test.ts compares the two in both directions.

interface ErrorKind {
  readonly status: number;
  /** What happened, in general; the message of an instance names the thing, the value and what to do. */
  readonly meaning: string;
  /** Whether the very same request may succeed later. */
  readonly retryable: boolean;
}

export const ERRORS = {
  MALFORMED_JSON: { status: 400, meaning: 'The request body is not JSON.', retryable: false },
  BODY_TOO_DEEP: { status: 400, meaning: 'The request body is nested more than 500 levels deep.', retryable: false },
  INVALID_REQUEST: { status: 400, meaning: 'A field of the request has the wrong type or value.', retryable: false },
  UNKNOWN_STREAM_MODE: { status: 400, meaning: 'A stream mode that does not exist was asked for.', retryable: false },
  INVALID_LAST_EVENT_ID: {
    status: 400,
    meaning: 'The Last-Event-ID header is no id of this stream.',
    retryable: false,
  },
  THREAD_WITHOUT_GRAPH: {
    status: 400,
    meaning: 'The thread has had no run yet, so its state has no graph.',
    retryable: false,
  },
  INVALID_STATE_UPDATE: { status: 422, meaning: 'The graph cannot take this state edit.', retryable: false },
  UNAUTHORIZED: { status: 401, meaning: 'The x-api-key header is missing or wrong.', retryable: false },
  ROUTE_NOT_FOUND: { status: 404, meaning: 'There is no such endpoint.', retryable: false },
  ASSISTANT_NOT_FOUND: { status: 404, meaning: 'No assistant has this id, and no graph this name.', retryable: false },
  THREAD_NOT_FOUND: { status: 404, meaning: 'No thread has this id.', retryable: false },
  RUN_NOT_FOUND: { status: 404, meaning: 'No run has this id on this thread.', retryable: false },
  CHECKPOINT_NOT_FOUND: { status: 404, meaning: 'The thread has no checkpoint with this id.', retryable: false },
  THREAD_EXISTS: { status: 409, meaning: 'The thread id is taken.', retryable: false },
  THREAD_BUSY: { status: 409, meaning: 'A run of the thread is pending or running.', retryable: true },
  RUN_NOT_PAUSED: { status: 409, meaning: 'The run waits for no answer.', retryable: false },
  PAUSE_ALREADY_ANSWERED: {
    status: 409,
    meaning: 'Another answer to this pause was accepted first.',
    retryable: false,
  },
  LOG_EXPIRED: { status: 410, meaning: 'The event log of the run is no longer kept.', retryable: false },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: 'The request body is over the limit of SUPERSTEP_BODY_LIMIT_MB.',
    retryable: false,
  },
  UNSUPPORTED_ENCODING: {
    status: 415,
    meaning: 'The request body has an encoding or charset that is not supported.',
    retryable: false,
  },
  MULTITASK_REJECTED: {
    status: 422,
    meaning: 'The thread has a run, and the multitask strategy is reject.',
    retryable: true,
  },
  GRAPH_NOT_LOADED: { status: 422, meaning: 'The graph is configured but did not load.', retryable: false },
  INTERRUPT_NOT_FOUND: {
    status: 422,
    meaning: 'The resume names an interrupt that the run does not wait at.',
    retryable: false,
  },
  AMBIGUOUS_RESUME: {
    status: 422,
    meaning: 'Several interrupts wait, and the answer does not say which one it is for.',
    retryable: false,
  },
  UNSUPPORTED_FIELD: { status: 422, meaning: 'A field asks for something this version does not do.', retryable: false },
  UNKNOWN_NODE: { status: 422, meaning: 'A field names a node that the graph does not have.', retryable: false },
  INVALID_CONTEXT: { status: 422, meaning: 'The context does not fit the schema of the graph.', retryable: false },
  QUEUE_FULL: { status: 429, meaning: 'Too many runs wait on this thread.', retryable: true },
  INTERNAL: { status: 500, meaning: 'A fault of the service; its log has the cause.', retryable: true },
  UNAVAILABLE: { status: 503, meaning: 'The database or Temporal cannot be reached.', retryable: true },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

export interface ValidationIssue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface ServiceErrorDetails {
  /** The field of the request that is at fault, dotted: `config.recursion_limit`. */
  readonly field?: string;
  /** Every fault found, for `INVALID_REQUEST`. */
  readonly issues?: readonly ValidationIssue[];
  readonly cause?: unknown;
}

/** An error whose message is meant for the client. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly issues: readonly ValidationIssue[] | undefined;

  constructor(code: ErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.field = details.field;
    this.issues = details.issues;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

export const assistantNotFound = (id: string, known: readonly string[]): ServiceError =>
  new ServiceError(
    'ASSISTANT_NOT_FOUND',
    `No assistant found for "${id}". Make sure the assistant ID is for a valid assistant or a valid graph ID: ` +
      `${known.length === 0 ? 'no graph is loaded' : known.join(', ')}.`,
    { field: 'assistant_id' },
  );

/** Of a request for the assistant itself; clients know this answer by its first words. */
export const noSuchAssistant = (id: string): ServiceError =>
  new ServiceError('ASSISTANT_NOT_FOUND', `Assistant not found: there is none with the ID "${id}".`, {
    field: 'assistant_id',
  });

export const threadNotFound = (threadId: string): ServiceError =>
  new ServiceError('THREAD_NOT_FOUND', `Thread with ID ${threadId} not found`, { field: 'thread_id' });

export const runNotFound = (runId: string): ServiceError =>
  new ServiceError('RUN_NOT_FOUND', `Run not found: no run has the ID ${runId}.`, { field: 'run_id' });
