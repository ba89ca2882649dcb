// How a task of a superstep ended.
import type { Interrupt } from '../errors.js';
import type { Write } from './apply-writes.js';
import type { Task } from './plan-tasks.js';

/** How a task ended; a failed one is not among these, it ends the superstep. `writes` are those that were saved. */
export type TaskResult = { readonly task: Task; readonly writes: readonly Write[] } & (
  | { readonly kind: 'finished' }
  /** Without interrupts: a breakpoint in a graph below. */
  | { readonly kind: 'interrupted'; readonly interrupts: readonly Interrupt[] }
  /** Hands a command to the graph around this one, or a graph within it was drained. */
  | { readonly kind: 'bubbled'; readonly error: unknown }
  /** Failed for good, and its handler runs in its place; the writes say so. */
  | { readonly kind: 'handled'; readonly handler: Task }
);

export interface Failure {
  readonly task: Task;
  readonly error: unknown;
  readonly failures: number;
  readonly startedAt: number;
  /** Present: another attempt is granted, after this many milliseconds. */
  readonly retryInMs?: number;
}

/** A task's end before it is known whether the superstep fails with it. */
export type Ended =
  TaskResult | { readonly kind: 'failed'; readonly writes: readonly Write[]; readonly failure: Failure };
