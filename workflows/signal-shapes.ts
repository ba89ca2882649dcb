// Anybody who can reach Temporal can signal a thread, and a handler that throws fails every workflow task from then on.
// So a signal's argument is `unknown` until it has been read here; what cannot be used reads as undefined. Pure.
import type { Batch } from '../events/batch.js';
import type { LogPosition } from '../events/entry.js';
import type { AppendEventsSignal, CancelSignal, ResumeSignal, RunRef, SubmitRunSignal } from './messages.js';

/** For the warning about an unusable argument, and for operators who look at the handlers. */
export const SIGNAL_SHAPES = {
  submitRun: '{"run": {"runId": "…", "assistantId": "…", "graphId": "…", "strategy": "enqueue" | …}}',
  cancel: '{"runId": "…", "action": "interrupt" | "rollback"}, or nothing for the present run',
  resume: '{"value": …}, where the value is not null, or {"pause": number}',
  appendEvents: '{"runId": "…", "batch": {…}} from the superstep activity',
} as const;

/** No argument, or null, is an operator's wish to interrupt the present run. */
export function readCancel(argument: unknown, presentRunId: string): CancelSignal | undefined {
  if (argument === undefined || argument === null) return { runId: presentRunId, action: 'interrupt' };
  const { runId, action } = fieldsOf(argument);
  if (typeof runId !== 'string' || (action !== 'interrupt' && action !== 'rollback')) return undefined;
  return { runId, action };
}

/** Null is no answer, as over HTTP. Without a value, the answer is in the run's row, and `pause` says which. */
export function readResume(argument: unknown): ResumeSignal | undefined {
  const { pause, value } = fieldsOf(argument);
  if (value === null || (pause === undefined && value === undefined)) return undefined;
  if (pause !== undefined && !isCount(pause)) return undefined;
  return { ...(pause === undefined ? {} : { pause }), ...(value === undefined ? {} : { value }) };
}

export function readAppendEvents(argument: unknown): AppendEventsSignal | undefined {
  const { runId, batch } = fieldsOf(argument);
  return typeof runId === 'string' && isBatch(batch) ? { runId, batch } : undefined;
}

export function readSubmitRun(argument: unknown): SubmitRunSignal | undefined {
  const { run, earlier = [] } = fieldsOf(argument);
  return isRunRef(run) && Array.isArray(earlier) && earlier.every(isRunRef) ? { run, earlier } : undefined;
}

/** Whether a run's reference has what the queue and the next execution need. */
function isRunRef(value: unknown): value is RunRef {
  const { runId, assistantId, graphId, strategy } = fieldsOf(value);
  const named = [runId, assistantId, graphId].every((id) => typeof id === 'string' && id !== '');
  return named && ['reject', 'enqueue', 'interrupt', 'rollback'].includes(strategy as string);
}

function isBatch(value: unknown): value is Batch {
  const { first, last, entries, body } = fieldsOf(value);
  const { kind, deflated, blobId } = fieldsOf(body);
  const content = kind === 'inline' ? deflated : kind === 'blob' ? blobId : undefined;
  return isPosition(first) && isPosition(last) && isCount(entries) && typeof content === 'string';
}

function isPosition(value: unknown): value is LogPosition {
  const { seq, frame } = fieldsOf(value);
  return Number.isInteger(seq) && Number.isInteger(frame);
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Whatever it is, its fields can be asked for. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
