// What an activity that fails tells Temporal, and so what is retried: decided here and nowhere else.
//   F1. Storage that cannot be reached is retried until it can; a node's retry policy is retried when it says.
//   F2. Everything else ends the run: the next attempt would fail in the same way, and hide why.
//   F3. Each failure says where the attempt stopped writing its log, so that its numbers are not used again.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { failedNodeOf, isNodeRetryRequest, type NodeRetryRequest } from '../graph-core/index.js';
import type { LogPosition } from '../events/entry.js';
import { isUnavailable } from '../storage/database.js';
import { failureMessage, FAILURE, type RunError } from '../workflows/messages.js';
import { errorCopy, errorMessage, errorName } from './error-text.js';

/** The run cannot go on, for a reason that is not an exception of a node. */
export class RunFailure extends Error {
  /** @param code as `error` frames and `__error__` show it */
  constructor(
    readonly code: string,
    message: string,
    readonly node?: string,
  ) {
    super(message);
    this.name = code;
  }
}

/** Checkpoints or the store could not be reached; told apart from a node's own network errors, which are its business. */
class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';

  constructor(cause: unknown) {
    super(`Storage cannot be reached: ${errorMessage(cause)}`, { cause });
  }
}

/** Two attempts at once: one that was given up for dead lives. The next attempt sees where the run stands. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';

  constructor() {
    super('Another attempt of this superstep has begun or committed meanwhile.');
  }
}

/** Runs a call of storage that nodes cause, so that {@link superstepFailure} knows its errors again. */
export async function fromStorage<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isUnavailable(error) ? new StorageUnavailable(error) : error;
  }
}

export type Retry =
  /** The attempt counts as lost to nobody. */
  | { readonly kind: 'retried'; readonly failure: ApplicationFailure }
  /** The run ends with this. */
  | { readonly kind: 'final'; readonly failure: ApplicationFailure };

/** For an exception that ended a superstep's attempt, cancellations excepted. */
export function superstepFailure(error: unknown, end: LogPosition): Retry {
  const cause = isNodeRetryRequest(error) ? error.cause : error;
  const away = cause instanceof StorageUnavailable || cause instanceof Overtaken;
  if (away || (failedNodeOf(cause) === undefined && isUnavailable(cause))) {
    return { kind: 'retried', failure: retryable(FAILURE.unavailable, cause) };
  }
  if (isNodeRetryRequest(error)) {
    const failure = ApplicationFailure.create({
      type: FAILURE.nodeRetry,
      message: retryMessage(error),
      nextRetryDelay: Math.max(1, Math.round(error.delayMs)),
    });
    return { kind: 'retried', failure };
  }
  const runError = runErrorOf(error);
  const type =
    error instanceof WorkerLostError ? FAILURE.workerLost : runError.node ? FAILURE.nodeFailed : FAILURE.runFailed;
  return { kind: 'final', failure: ApplicationFailure.nonRetryable(failureMessage(runError), type, runError, end) };
}

/** The worker was told to stop: another one may take the superstep at once. */
export const handBack = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: FAILURE.unavailable,
    message: 'The worker is shutting down; the superstep goes on elsewhere.',
    nextRetryDelay: HAND_BACK_DELAY_MS,
    category: 'BENIGN',
  });
const HAND_BACK_DELAY_MS = 50;

export const cancelled = (end: LogPosition): CancelledFailure => new CancelledFailure('The run was stopped.', [end]);

/** Settling and sweeping have nobody to hand their troubles to: all that fails is tried again. */
export const retryable = (type: string, cause: unknown): ApplicationFailure =>
  ApplicationFailure.create({ type, message: errorMessage(cause), cause: errorCopy(cause) });

const retryMessage = ({ node, failures, delayMs, cause }: NodeRetryRequest): string =>
  `Node "${node}" failed (attempt ${failures}) and is to run again in ${Math.round(delayMs)} ms: ${errorMessage(cause)}`;

/** Too many attempts were lost with their workers. */
export class WorkerLostError extends RunFailure {
  constructor(lost: number, nodes: readonly string[]) {
    const names = nodes.map((node) => `"${node}"`).join(', ');
    const what =
      nodes.length === 0 ? 'The superstep' : nodes.length === 1 ? `Node ${names}` : `One of the nodes ${names}`;
    super(
      FAILURE.workerLost,
      `${what} was given up: the worker was lost ${lost} times while it ran. ` +
        'Look into the worker log for why it ended (memory, a native crash, process.exit), or raise SUPERSTEP_STEP_ATTEMPTS.',
      nodes.length === 1 ? nodes[0] : undefined,
    );
  }
}

export function runErrorOf(error: unknown): RunError {
  const node = error instanceof RunFailure ? error.node : failedNodeOf(error);
  return { error: errorName(error), message: errorMessage(error), ...(node === undefined ? {} : { node }) };
}
