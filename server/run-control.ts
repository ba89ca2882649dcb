// How the server reaches a run: submit it to its thread's workflow, answer its pause, cancel it. What the database has
// accepted is never lost: where Temporal or every worker is away, the calls below answer all the same and the sweep,
// or the next request on the thread, brings the workflow in line with the run's row.
import type { Json, Run } from '../storage/records.js';
import type { CancelAction } from '../workflows/messages.js';

export type ResumeOutcome =
  | { readonly kind: 'resumed'; readonly run: Run }
  | { readonly kind: 'missing' }
  /** It does not wait. `answered`: it did, and somebody else's answer was accepted first. */
  | { readonly kind: 'not_paused'; readonly state: Run['state']; readonly answered: boolean }
  /** It waited, and is being cancelled. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unknown_interrupt'; readonly unknown: readonly string[]; readonly waiting: readonly string[] }
  /** Several interrupts wait and the answer is for none in particular. */
  | { readonly kind: 'ambiguous'; readonly waiting: readonly string[] };

export interface RunControl {
  /**
   * Hands over a run whose row was just stored. `inflight`: the thread's other unfinished runs. `firstNodes`: those of its
   * first superstep where they are known beforehand, for operators to read.
   */
  submit(run: Run, inflight: readonly Run[], firstNodes: readonly string[]): Promise<void>;
  /** Exactly one of several answers to the same pause is accepted. */
  resume(run: Run, answer: Exclude<Json, null>): Promise<ResumeOutcome>;
  /** Asks the run to stop; it has stopped when its row is settled (or, rolled back, gone). No-op on a settled run. */
  cancel(run: Run, action: CancelAction): Promise<void>;
}

export const isSettled = (state: Run['state']): boolean =>
  state !== 'pending' && state !== 'running' && state !== 'paused';
