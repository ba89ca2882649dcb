// How a superstep ends, from how its tasks did: with the next checkpoint, or where it was.
import type { CheckpointPendingWrite } from '@langchain/langgraph-checkpoint';
import { NULL_TASK_ID } from '../constants.js';
import { isGraphDrained, isParentCommand } from '../errors.js';
import { applyWrites, type TaskWrites } from './apply-writes.js';
import { Announcement, draftCheckpoint } from './commit.js';
import { deltaPlan, deltasAmong, overwrittenDeltas } from './delta-channels.js';
import { waiting, type DoneWrites, type StepTasks } from './earlier-work.js';
import { includes } from './live-state.js';
import { isCall, isHidden, meetsBreakpoint, planTasks, type Task } from './plan-tasks.js';
import { nextVersionOf } from './saved-state.js';
import { storedWrites } from './stored-writes.js';
import { outputKeys, type SuperstepScope } from './superstep-scope.js';
import type { CheckpointCommit, PlannedTask, RunState, SavedState, SuperstepOutcome } from './superstep-contract.js';
import type { TaskResult } from './task-result.js';

/** Whether nothing of the superstep is left to be done. */
export const isComplete = (scope: SuperstepScope, results: readonly TaskResult[]): boolean =>
  results.every((result) => isDone(result) || leftTheRun(scope, result));

const isDone = ({ kind }: TaskResult): boolean => kind === 'finished' || kind === 'handled';

/** At the root nobody takes a command for the graph around: its task has ended, with what it wrote before. */
const leftTheRun = ({ ns }: SuperstepScope, result: TaskResult): boolean =>
  ns === '' && result.kind === 'bubbled' && isParentCommand(result.error);

/** Plans made to see how the superstep before ended; the same as would be made again. */
const plans = new WeakMap<RunState, readonly Task[]>();

/** The tasks of the superstep. Pure; remembered from the outcome of the one before. */
export const plannedTasks = ({ graph, from, state, step, ns }: SuperstepScope): readonly Task[] =>
  plans.get(from) ?? planTasks(graph, state, { step, ns, updated: from.updated });

/** Every task is done: their writes are applied (S3), and the step after is planned to see what becomes of the run. */
export function completedOutcome(
  scope: SuperstepScope,
  before: StepTasks,
  results: readonly TaskResult[],
): SuperstepOutcome {
  const { graph, from, options, ports, step, ns } = scope;
  const ended = withEnded(before, joinedAmong(before, results), results);
  const nextVersion = nextVersionOf(ports.saver);
  const applied = applyWrites(scope.state, taskWrites(ended), nextVersion, graph.triggered);
  const deltas = deltaPlan(graph.spec, applied.state, from.saved, {
    storage: ports.deltas ?? 'whole',
    updated: applied.updated,
    forced: deltasToStore(scope, ended),
    nextVersion,
  });
  const draft = draftCheckpoint(applied.state, from.saved, { step, source: 'loop' }, options, deltas);
  const state: RunState = { saved: draft.saved, stop: from.stop, updated: applied.updated, replay: from.replay };
  const announcement = announcementOf(scope, draft.saved);
  if (wroteOutput(scope, ended.done)) announcement.values(draft.state, 'saved');

  const next = planTasks(graph, draft.state, { step: step + 1, ns, updated: applied.updated });
  plans.set(state, next);
  const commit = { ...draft.commit, chunks: announcement.chunks };
  if (meetsBreakpoint(draft.state, options.interruptAfter ?? graph.interruptAfter, ended.tasks)) {
    return breakpointOutcome(scope, state, next, commit);
  }
  const hidden = ended.tasks.every(isHidden);
  // The limit counts even where nothing is left to do: LangGraph looks at it before it plans.
  if (step + 1 >= from.stop) return { kind: 'continue', commit, state, next: [], hidden };
  announcement.checkpoint(draft.state, next);
  if (next.length === 0) return { kind: 'done', commit, state };
  if (meetsBreakpoint(draft.state, options.interruptBefore ?? graph.interruptBefore, next)) {
    return breakpointOutcome(scope, state, next, commit);
  }
  return { kind: 'continue', commit, state, next: labels(next), hidden };
}

/**
 * Some tasks ask, and the others have ended: the checkpoint stays (S4).
 * @throws what a task has for the graph around, where none asks.
 */
export function stoppedOutcome(
  scope: SuperstepScope,
  before: StepTasks,
  results: readonly TaskResult[],
): SuperstepOutcome {
  const { from, graph } = scope;
  const asking = askingAmong(results);
  if (asking.length === 0) throw bubbledFrom(scope, results);
  const interrupts = asking.flatMap(({ interrupts: own, task }) => own.map((asked) => ({ ...asked, node: task.name })));

  // Calls are no tasks to come: their callers run again.
  const handlers = joinedAmong(before, results).filter(({ handles }) => handles !== undefined);
  const after = withEnded(before, handlers, results.filter(isDone));
  const announcement = announcementOf(scope, from.saved);
  if (wroteOutput(scope, after.done)) {
    const shown = applyWrites(scope.state, taskWrites(after), undefined, graph.triggered);
    announcement.values(shown.state, 'ahead');
  }
  if (interrupts.length === 0) announcement.breakpoint();
  const state: RunState = { ...from, saved: { ...from.saved, pendingWrites: pendingAfter(scope, results) } };
  return { kind: 'interrupted', state, interrupts, next: labels(waiting(after)), chunks: announcement.chunks };
}

function askingAmong(results: readonly TaskResult[]) {
  const interrupted = results.filter((result) => result.kind === 'interrupted');
  // A caller ends with the question of its call; where it does not, the call's own is asked.
  const byCallers = interrupted.filter(({ task }) => !isCall(task));
  return byCallers.length > 0 ? byCallers : interrupted;
}

function bubbledFrom(scope: SuperstepScope, results: readonly TaskResult[]): unknown {
  const bubbled = results.filter((result) => result.kind === 'bubbled').filter((result) => !leftTheRun(scope, result));
  return (bubbled.find(({ error }) => isGraphDrained(error)) ?? bubbled.at(-1))?.error;
}

/** Tasks that were not there when the superstep began: calls, and handlers. */
function joinedAmong({ tasks }: StepTasks, results: readonly TaskResult[]): readonly Task[] {
  const known = new Set(tasks);
  return results.map(({ task }) => task).filter((task) => !known.has(task));
}

const withEnded = ({ tasks, done }: StepTasks, joined: readonly Task[], ended: readonly TaskResult[]): StepTasks => ({
  tasks: [...tasks, ...joined],
  done: new Map([...done, ...ended.map(({ task, writes }) => [task.id, writes] as const)]),
});

/** Those replaced as a whole, and those with writes of tasks that are not of this superstep any more. */
function deltasToStore({ graph, from }: SuperstepScope, { tasks, done }: StepTasks): ReadonlySet<string> {
  const replaced = overwrittenDeltas(graph.spec, [...done.values()].flat());
  const planned = new Set([NULL_TASK_ID, ...tasks.map(({ id }) => id)]);
  const left = from.saved.pendingWrites.filter(([taskId]) => !planned.has(taskId)).map(([, channel]) => channel);
  return new Set([...replaced, ...deltasAmong(graph.spec, left)]);
}

export function breakpointOutcome(
  scope: SuperstepScope,
  state: RunState,
  next: readonly Task[],
  commit?: CheckpointCommit,
): SuperstepOutcome {
  const announcement = announcementOf(scope, state.saved);
  announcement.breakpoint();
  return { kind: 'interrupted', commit, state, interrupts: [], next: labels(next), chunks: announcement.chunks };
}

const announcementOf = ({ graph, options, ports }: SuperstepScope, saved: SavedState): Announcement =>
  new Announcement(graph, options, saved, ports.saver ? 'saved' : 'passing');

function wroteOutput({ graph, options }: SuperstepScope, done: DoneWrites): boolean {
  const keys = outputKeys(graph, options);
  for (const writes of done.values()) if (writes.some(([channel]) => includes(keys, channel))) return true;
  return false;
}

const taskWrites = ({ tasks, done }: StepTasks): readonly TaskWrites[] =>
  tasks.map(({ id, name, path, triggers }) => ({ name, path, triggers, writes: done.get(id) ?? [] }));

/** The checkpoint's pending writes with what these tasks left. */
function pendingAfter(
  { from: { saved }, graph: { spec } }: SuperstepScope,
  results: readonly TaskResult[],
): readonly CheckpointPendingWrite[] {
  const known = new Set(results.filter(({ writes }) => writes.length > 0).map(({ task }) => task.id));
  return [
    ...saved.pendingWrites.filter(([taskId]) => !known.has(taskId)),
    ...results.flatMap(({ task, writes }) =>
      storedWrites(spec, writes).map(([channel, value]): CheckpointPendingWrite => [task.id, channel, value]),
    ),
  ];
}

const labels = (tasks: readonly Task[]): readonly PlannedTask[] => tasks.map(({ id, name }) => ({ id, node: name }));
