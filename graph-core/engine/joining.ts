// How a task joins a superstep that runs: a call of a `task()` function, the handler of a task that failed.
import type { Task } from './plan-tasks.js';
import type { SuperstepScope } from './superstep-scope.js';
import type { Ended, TaskResult } from './task-result.js';

export interface Joining {
  /** As the task sees the superstep; by default like those that were planned. */
  readonly scope?: SuperstepScope;
  /**
   * Called when its writes are saved, before anything is told of it: whoever waits for the task goes on first, as in
   * LangGraph, whose streams show what a caller does at once before the end of what it waited for.
   */
  readonly onSaved?: (ended: Ended) => void;
}

/** A superstep that runs, as far as those who add tasks to it see it. */
export interface JoinableSuperstep {
  /** Whether tasks may still join: nothing has failed for good, and the superstep has not ended. */
  readonly open: boolean;
  /** Aborts its tasks: by a failure, or from outside. */
  readonly signal: AbortSignal;
  /**
   * Runs one more task in this superstep, at once: whoever adds it may be waiting for it, so it takes no turn among those
   * that `maxConcurrency` holds back; but they wait for it. Its writes are saved under its own id.
   */
  add(task: Task, joining?: Joining): void;
  /** Counts a task that needs no run. */
  record(result: TaskResult): void;
}
