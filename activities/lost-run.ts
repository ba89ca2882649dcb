// What is to be done with a run whose row says that it goes on: decided from the row and from what Temporal knows.
import { ATTRIBUTE_KEYS, type ThreadSnapshot } from '../workflows/messages.js';
import type { TypedSearchAttributes } from '@temporalio/common';
import type { Run } from '../storage/records.js';

/** The latest execution of the thread's workflow. */
export interface ThreadExecution {
  readonly executionId: string;
  readonly status: string;
  readonly attributes: TypedSearchAttributes;
}

export type Remedy =
  | { readonly kind: 'none' }
  /** It was ended from outside: an operator's decision, to be shown as the run's end. */
  | { readonly kind: 'close'; readonly outcome: 'error' | 'timeout'; readonly message: string }
  /** Nothing runs on the thread: its workflow is started where the row is. */
  | { readonly kind: 'start' }
  /** The thread's workflow is open and has to be asked whether it knows the run. */
  | { readonly kind: 'ask' };

/** @param execution undefined when Temporal knows none */
export function remedyFor(run: Run, execution: ThreadExecution | undefined): Remedy {
  if (execution === undefined) return { kind: 'start' };
  const ofRun =
    execution.attributes.get(ATTRIBUTE_KEYS.run) === run.runId ||
    run.segments.some(({ executionId }) => executionId === execution.executionId);
  switch (execution.status) {
    case 'RUNNING':
      return ofRun && run.resume === null && run.pause?.cancelled === undefined ? { kind: 'none' } : { kind: 'ask' };
    case 'TERMINATED':
    case 'CANCELLED':
      return ofRun
        ? { kind: 'close', outcome: 'error', message: 'The run was terminated in Temporal.' }
        : { kind: 'start' };
    case 'TIMED_OUT':
      return ofRun
        ? { kind: 'close', outcome: 'timeout', message: 'The run timed out in Temporal.' }
        : { kind: 'start' };
    default:
      // Completed, failed or continued, and yet the row is not settled: the row is taken up where it is.
      return { kind: 'start' };
  }
}

/** What the open workflow is to be told. */
export function messageFor(run: Run, snapshot: ThreadSnapshot): 'nothing' | 'submit' | 'resume' | 'cancel' {
  const isCurrent = snapshot.run.runId === run.runId;
  if (!isCurrent && !snapshot.queue.some(({ runId }) => runId === run.runId)) return 'submit';
  if (!isCurrent || snapshot.state !== 'waiting') return 'nothing';
  if (run.pause?.cancelled !== undefined) return 'cancel';
  return run.resume?.pause === snapshot.progress?.pauses ? 'resume' : 'nothing';
}
