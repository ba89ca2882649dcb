// How a run ends other than by its last superstep, and how that is told: to `settle`, and to operators.
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { LogPosition } from '../events/entry.js';
import {
  failureMessage,
  FAILURE,
  type RunError,
  type RunRef,
  type RunStatusLabel,
  type SettleInput,
} from './messages.js';

export interface Ending {
  readonly outcome: SettleInput['outcome'];
  /** Where the last attempt stopped writing; undefined when nobody lived to say so. */
  readonly stoppedAt: LogPosition | 'unknown' | 'end of log';
}

/** The run has been settled. */
export interface Ended {
  readonly kind: 'ended';
  readonly status: RunStatusLabel;
  readonly error?: RunError;
}

export const supersededBy = (queued: readonly RunRef[]): Ending => ({
  outcome: { kind: 'superseded', by: queued[0]?.runId ?? '' },
  stoppedAt: 'end of log',
});

/** @throws what is no failure of an activity: an error of this workflow's own code, which fails the workflow task. */
export function endingOf(failure: unknown): Ending {
  if (isCancellation(failure)) {
    const cause = failure instanceof ActivityFailure ? failure.cause : failure;
    const details = cause instanceof CancelledFailure ? cause.details : [];
    return { outcome: { kind: 'interrupted' }, stoppedAt: position(details?.[0]) };
  }
  if (!(failure instanceof ActivityFailure)) throw failure;
  const { cause } = failure;
  if (cause instanceof ApplicationFailure) {
    return { outcome: { kind: 'error', error: runErrorOf(cause) }, stoppedAt: position(cause.details?.[1]) };
  }
  const message = cause instanceof TimeoutFailure ? `The superstep timed out (${cause.timeoutType}).` : failure.message;
  return { outcome: { kind: 'error', error: { error: FAILURE.workerLost, message } }, stoppedAt: 'unknown' };
}

function runErrorOf(failure: ApplicationFailure): RunError {
  const given = failure.details?.[0] as Partial<RunError> | undefined;
  if (typeof given?.error === 'string' && typeof given.message === 'string') return given as RunError;
  // Not from our code: the SDK refused the activity's result, or no worker knows the activity.
  return { error: failure.type ?? 'Error', message: failure.message };
}

function position(value: unknown): LogPosition | 'unknown' {
  const { seq, frame } = (value ?? {}) as Partial<LogPosition>;
  return typeof seq === 'number' && typeof frame === 'number' ? { seq, frame } : 'unknown';
}

export function endedWith(outcome: SettleInput['outcome']): Ended {
  switch (outcome.kind) {
    case 'superseded':
      return { kind: 'ended', status: 'success' };
    case 'error':
    case 'timeout':
      return { kind: 'ended', status: outcome.kind, error: outcome.error };
    case 'interrupted':
    case 'rolled_back':
      return { kind: 'ended', status: outcome.kind };
  }
}

/** Shown as the failure of the execution when no other run follows: an operator sees a Failed row that names the node. */
export const failedRow = (error: RunError): ApplicationFailure =>
  ApplicationFailure.nonRetryable(failureMessage(error), error.error);
