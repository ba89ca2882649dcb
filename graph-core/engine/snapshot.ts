// What callers of `getState` get.
import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Interrupt } from '../errors.js';
import type { TaskPath } from './apply-writes.js';

/** @typeParam Values Of channels; those without a value are absent. */
export interface StateSnapshot<Values = unknown> {
  readonly values: Values;
  /** Nodes that run next; empty when the thread is done. */
  readonly next: readonly string[];
  /** Names the checkpoint. */
  readonly config: RunnableConfig;
  readonly metadata?: CheckpointMetadata & { readonly thread_id?: string };
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly parentConfig?: RunnableConfig;
  readonly tasks: readonly TaskSnapshot[];
}

/** A task of the superstep that follows, and what is known of it so far. */
export interface TaskSnapshot {
  readonly id: string;
  readonly name: string;
  /** Absent for a task of a graph that runs elsewhere. */
  readonly path?: TaskPath;
  /** What it asks. */
  readonly interrupts: readonly Interrupt[];
  /** `{message, name}` */
  readonly error?: unknown;
  /** Of a task that is a graph itself: where its state is, or its snapshot. */
  readonly state?: RunnableConfig | StateSnapshot;
  /** What it wrote, if it has finished. */
  readonly result?: unknown;
}
