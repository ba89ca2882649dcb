// Names with a meaning to the engine. They are LangGraph's, because they are seen in checkpoints and streams.

/** The node before the first; the channel that input is written to has the same name. */
export const START = '__start__';
/** The node after the last. */
export const END = '__end__';

/** Writes that are about a task rather than from it. */
export const ERROR = '__error__';
export const ERROR_SOURCE_NODE = '__error_source_node__';
export const INTERRUPT = '__interrupt__';
export const RESUME = '__resume__';
/** Reserved by savers for tasks handed to a scheduler. */
export const SCHEDULED = '__scheduled__';
/** Marks a finished task that wrote nothing. */
export const NO_WRITES = '__no_writes__';
/** The result of a `task()` call. */
export const RETURN = '__return__';
/** The channel of what a functional graph keeps for its next run. */
export const PREVIOUS = '__previous__';

/** The channel of pending Sends. */
export const TASKS = '__pregel_tasks';
/** First element of a task's path: triggered by channels. */
export const PULL = '__pregel_pull';
/** First element of a task's path: sent. */
export const PUSH = '__pregel_push';
/** Name of the writer of a run's input; also an `asNode` of `updateState`. */
export const INPUT = '__input__';
/** An `asNode` of `updateState`: copies a checkpoint. */
export const COPY = '__copy__';
/** The state key of a graph whose state is one value. */
export const ROOT = '__root__';

/** Owner of writes that no task made: a Command's update, goto and resume value. */
export const NULL_TASK_ID = '00000000-0000-0000-0000-000000000000';

/** Hides a task from streams and from `interruptBefore/After: "*"`. */
export const TAG_HIDDEN = 'langsmith:hidden';

/** Between the levels of a checkpoint namespace. */
export const NAMESPACE_SEPARATOR = '|';
/** Between a node's name and its task's id within a level. */
export const NAMESPACE_END = ':';

/** The edge channel whose update makes `node` run. */
export function branchTo(node: string): string {
  return `branch:to:${node}`;
}

/** Whether a write is output of the task, not a note about it. */
export function isTaskOutput(channel: string): boolean {
  return channel !== ERROR && channel !== ERROR_SOURCE_NODE && channel !== INTERRUPT && channel !== RESUME;
}
