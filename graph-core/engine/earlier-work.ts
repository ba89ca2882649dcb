// What of a superstep is done before any of its tasks runs: tasks that had finished when it was attempted before (S2),
// tasks that had failed and were handed to their handlers, and tasks whose result the cache has.
import { isTaskOutput } from '../constants.js';
import type { Write } from './apply-writes.js';
import { handledBefore } from './error-handler.js';
import { cachedWrites } from './node-cache.js';
import type { Task } from './plan-tasks.js';
import { saveTask } from './save-task.js';
import { scopeOf } from './scope-below.js';
import type { SuperstepScope } from './superstep-scope.js';
import { tellEnd, tellReplay, tellStart } from './task-chunks.js';

/** Writes of the tasks that are done, by task id. */
export type DoneWrites = ReadonlyMap<string, readonly Write[]>;

/** The tasks of a superstep, and how far they are. */
export interface StepTasks {
  readonly tasks: readonly Task[];
  readonly done: DoneWrites;
}

export const waiting = ({ tasks, done }: StepTasks): readonly Task[] => tasks.filter(({ id }) => !done.has(id));

/** The planned tasks and the handlers that had taken over from some of them, with what earlier attempts left of each. */
export function takeUp(scope: SuperstepScope, planned: readonly Task[]): StepTasks {
  const { pendingWrites } = scope.from.saved;
  if (pendingWrites.length === 0) return { tasks: planned, done: new Map() };
  const handled = handledBefore(scope, planned, pendingWrites);
  for (const { handler } of handled) tellStart(scopeOf(scope, handler), handler);
  const tasks = [...planned, ...handled.map(({ handler }) => handler)];
  const ids = new Set(tasks.map(({ id }) => id));
  const done = new Map<string, readonly Write[]>();
  for (const [id, channel, value] of pendingWrites) {
    if (ids.has(id) && isTaskOutput(channel)) done.set(id, [...(done.get(id) ?? []), [channel, value]]);
  }
  for (const { task, writes } of handled) done.set(task.id, writes);
  return { tasks, done };
}

/** Streams show the results once more of tasks that had finished, and the start of all if some have yet to run. */
export function tellTakenUp(scope: SuperstepScope, step: StepTasks): void {
  const { tasks, done } = step;
  const { told, untold = 'as cached' } = scope.ports;
  const news = tasks.filter(({ id }) => !told?.has(id));
  const starts = (): void => {
    if (waiting(step).length > 0) for (const task of news) tellStart(scope, task);
  };
  if (untold === 'as finished') starts();
  for (const task of news) {
    const writes = done.get(task.id);
    // Others had failed and were handled.
    if (!writes?.some(([channel]) => isTaskOutput(channel))) continue;
    if (untold === 'as finished') tellEnd(scope, task, { kind: 'finished', task, writes }, 'told');
    else tellReplay(scope, task, writes);
  }
  if (untold === 'as cached') starts();
}

/** Results that the cache has are saved and told as if their tasks had run. */
export async function takeCached(scope: SuperstepScope, step: StepTasks): Promise<StepTasks> {
  const left = waiting(step);
  const cached = await cachedWrites(scope, left);
  for (const task of left) {
    const writes = cached.get(task.id);
    if (writes === undefined) continue;
    await saveTask(scope, { kind: 'finished', task, writes }, step.tasks.length);
    tellReplay(scope, task, writes);
  }
  return { tasks: step.tasks, done: new Map([...step.done, ...cached]) };
}
