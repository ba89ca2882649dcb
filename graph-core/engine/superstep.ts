// One superstep: plan the tasks, run them, apply their writes.
//   S1. Tasks of a superstep see the same channel values; a write is visible from the next superstep on.
//   S2. A finished task's writes are saved at once, so a retry runs only the others.
//   S3. Writes are applied in task order, never in finishing order: the same inputs give the same checkpoint.
//   S4. An interrupted superstep leaves the checkpoint as it was; what its finished tasks wrote stays pending.
import type { CheckpointPendingWrite } from '@langchain/langgraph-checkpoint';
import { isTaskOutput, NULL_TASK_ID, RESUME } from '../constants.js';
import { GraphDrained, GraphRecursionError, isGraphDrained, isParentCommand } from '../errors.js';
import { applyWrites, type TaskWrites, type Write } from './apply-writes.js';
import { Announcement, draftCheckpoint } from './commit.js';
import { handledBefore } from './error-handler.js';
import { deltaPlan, deltasAmong, overwrittenDeltas } from './delta-channels.js';
import type { ExecutableGraph } from './executable-graph.js';
import { includes, type LiveState } from './live-state.js';
import { cachedWrites } from './node-cache.js';
import { isCall, isHidden, meetsBreakpoint, planTasks, type Task } from './plan-tasks.js';
import { runTasks } from './run-tasks.js';
import { DEFAULT_RECURSION_LIMIT, nextStep, nextVersionOf, stateOf } from './saved-state.js';
import { storedWrites } from './stored-writes.js';
import { stepCallbacks } from './stream-handlers.js';
import { chunkWriter, namespaceOf, outputKeys, type SuperstepScope } from './superstep-scope.js';
import type {
  CheckpointCommit,
  PlannedTask,
  RunOptions,
  RunState,
  SavedState,
  SuperstepOutcome,
  SuperstepPorts,
} from './superstep-contract.js';
import { saveTask } from './save-task.js';
import { scopeBelow } from './scope-below.js';
import { tellReplay, tellStart } from './task-chunks.js';
import type { AnswerForAnyone } from './task-context.js';
import type { TaskResult } from './task-result.js';

/**
 * @throws GraphRecursionError when this superstep is the first one refused; what a node threw, with its name
 *   (`failedNodeOf`); NodeRetryRequest when `ports.retries` is `caller`; GraphDrained when `ports.control` asks for it;
 *   GraphBubbleUp that a graph around has to handle.
 */
export async function runSuperstep(
  graph: ExecutableGraph,
  from: RunState,
  options: RunOptions,
  ports: SuperstepPorts,
): Promise<SuperstepOutcome> {
  const step = nextStep(from.saved);
  if (step >= from.stop) throw recursionError(options);
  const state = stateOf(graph, from.saved, nextVersionOf(ports.saver));
  const planned = plannedTasks(graph, from, state, options);
  if (planned.length === 0) return { kind: 'done', state: from };

  const scope: SuperstepScope = {
    graph,
    from,
    options,
    ports,
    state,
    step,
    ns: namespaceOf(options),
    callbacks: stepCallbacks(options, ports, step),
    streams: chunkWriter(options, step, (chunk) => ports.emit(chunk)),
    signal: ports.signal,
    answerForAnyone: answerForAnyone(from),
  };
  const handled = handledBefore(scope, planned, from.saved.pendingWrites);
  for (const { task, handler } of handled) tellStart(scopeBelow(scope, task), handler);
  const tasks = handled.length > 0 ? [...planned, ...handled.map(({ handler }) => handler)] : planned;
  const done = finishedBefore(from, tasks);
  for (const { task, writes } of handled) done.set(task.id, writes);
  const waiting = tasks.filter((task) => !done.has(task.id));
  // Of other supersteps the one before has looked.
  const first = from.saved.metadata.source === 'input' && waiting.length > 0;
  if (first && meetsBreakpoint(state, options.interruptBefore ?? graph.interruptBefore, tasks)) {
    return atBreakpoint(scope, from, undefined, tasks);
  }
  if (waiting.length > 0 && ports.control?.drainRequested) throw new GraphDrained(ports.control.drainReason);
  tellReplays(scope, tasks, done);
  if (waiting.length > 0) for (const task of tasks) if (!ports.told?.has(task.id)) tellStart(scope, task);
  if (ports.cache !== undefined) await takeCached(scope, waiting, tasks.length, done);
  const running = waiting.filter((task) => !done.has(task.id));
  const results = running.length > 0 ? await runTasks(scope, running, tasks.length) : [];

  const isDone = ({ kind }: TaskResult): boolean => kind === 'finished' || kind === 'handled';
  for (const result of results) if (isDone(result)) done.set(result.task.id, result.writes);
  const joined = results.map(({ task }) => task).filter((task) => !tasks.includes(task));
  if (results.every((result) => isDone(result) || leftTheRun(scope, result))) {
    for (const { task, writes } of results) done.set(task.id, writes);
    return completedOutcome(scope, [...tasks, ...joined], done);
  }
  const handlers = joined.filter(({ handles }) => handles !== undefined);
  return stoppedOutcome(scope, [...tasks, ...handlers], done, results);
}

/** At the root nobody takes a command for the graph around: its task has ended, with what it wrote before. */
const leftTheRun = ({ ns }: SuperstepScope, result: TaskResult): boolean =>
  ns === '' && result.kind === 'bubbled' && isParentCommand(result.error);

/** Of tasks that had finished when the superstep ran before; not of those that had failed and were handled. */
function tellReplays(scope: SuperstepScope, tasks: readonly Task[], done: Done): void {
  for (const task of tasks) {
    const writes = done.get(task.id);
    if (!writes?.some(([channel]) => isTaskOutput(channel)) || scope.ports.told?.has(task.id)) continue;
    tellReplay(scope, task, writes);
  }
}

/** Tasks whose result is in the cache are done as if they had run. */
async function takeCached(
  scope: SuperstepScope,
  waiting: readonly Task[],
  siblings: number,
  done: Done,
): Promise<void> {
  for (const [taskId, writes] of await cachedWrites(scope, waiting)) {
    const task = waiting.find(({ id }) => id === taskId) as Task;
    done.set(taskId, writes);
    await saveTask(scope, { kind: 'finished', task, writes }, siblings);
    tellReplay(scope, task, writes);
  }
}

/** Writes of finished tasks by task id. */
type Done = Map<string, readonly Write[]>;

/** Plans made for the outcome of the superstep before; the same as would be made again. */
const plans = new WeakMap<RunState, readonly Task[]>();

function plannedTasks(graph: ExecutableGraph, from: RunState, state: LiveState, options: RunOptions): readonly Task[] {
  return (
    plans.get(from) ??
    planTasks(graph, state, { step: nextStep(from.saved), ns: namespaceOf(options), updated: from.updated })
  );
}

function finishedBefore({ saved }: RunState, tasks: readonly Task[]): Done {
  const done: Done = new Map();
  if (saved.pendingWrites.length === 0) return done;
  const planned = new Set(tasks.map((task) => task.id));
  for (const [taskId, channel, value] of saved.pendingWrites) {
    if (planned.has(taskId) && isTaskOutput(channel)) done.set(taskId, [...(done.get(taskId) ?? []), [channel, value]]);
  }
  return done;
}

function answerForAnyone({ saved }: RunState): AnswerForAnyone | undefined {
  const answer = saved.pendingWrites.find(([taskId, channel]) => taskId === NULL_TASK_ID && channel === RESUME);
  return answer && { value: answer[2], taken: false };
}

/** Some tasks have not finished: the checkpoint stays (S4). */
function stoppedOutcome(
  scope: SuperstepScope,
  tasks: readonly Task[],
  done: Done,
  results: readonly TaskResult[],
): SuperstepOutcome {
  const { from, graph } = scope;
  const state: RunState = { ...from, saved: { ...from.saved, pendingWrites: withResults(scope, results) } };
  const interrupted = results.filter((result) => result.kind === 'interrupted');
  // A caller ends with the question of its call; where it does not, the call's own is asked.
  const byCallers = interrupted.filter(({ task }) => !isCall(task));
  const asking = byCallers.length > 0 ? byCallers : interrupted;
  const bubbled = results.filter((result) => result.kind === 'bubbled').filter((result) => !leftTheRun(scope, result));
  const bubble = bubbled.find(({ error }) => isGraphDrained(error)) ?? bubbled[0];
  if (asking.length === 0 && bubble) throw bubble.error;
  const interrupts = asking.flatMap(({ interrupts: own, task }) => own.map((asked) => ({ ...asked, node: task.name })));
  const announcement = announcementOf(scope, from.saved);
  const finished = tasks.filter((task) => done.has(task.id));
  if (wroteOutput(scope, done)) {
    const shown = applyWrites(scope.state, taskWrites(finished, done), undefined, graph.triggered);
    announcement.values(shown.state, false);
  }
  if (interrupts.length === 0) announcement.breakpoint();
  const next = tasks.filter((task) => !done.has(task.id));
  return { kind: 'interrupted', state, interrupts, next: labels(next), chunks: announcement.chunks };
}

function completedOutcome(scope: SuperstepScope, tasks: readonly Task[], done: Done): SuperstepOutcome {
  const { graph, from, options, ports, step } = scope;
  const applied = applyWrites(scope.state, taskWrites(tasks, done), nextVersionOf(ports.saver), graph.triggered);
  const deltas = deltaPlan(graph.spec, applied.state, from.saved, {
    storage: ports.deltas ?? 'whole',
    updated: applied.updated,
    forced: deltasToStore(scope, tasks, done),
    nextVersion: nextVersionOf(ports.saver),
  });
  const draft = draftCheckpoint(applied.state, from.saved, { step, source: 'loop' }, options, deltas);
  const state: RunState = { saved: draft.saved, stop: from.stop, updated: applied.updated, replay: from.replay };
  const announcement = announcementOf(scope, draft.saved);
  if (wroteOutput(scope, done)) announcement.values(draft.state, true);

  const next = planTasks(graph, draft.state, { step: step + 1, ns: scope.ns, updated: applied.updated });
  plans.set(state, next);
  const commit = { ...draft.commit, chunks: announcement.chunks };
  if (meetsBreakpoint(draft.state, options.interruptAfter ?? graph.interruptAfter, tasks)) {
    return atBreakpoint(scope, state, commit, next);
  }
  const hidden = tasks.every(isHidden);
  // The limit counts even where nothing is left to do: LangGraph looks at it before it plans.
  if (step + 1 >= from.stop) return { kind: 'continue', commit, state, next: [], hidden };
  announcement.checkpoint(draft.state, next);
  if (next.length === 0) return { kind: 'done', commit, state };
  if (meetsBreakpoint(draft.state, options.interruptBefore ?? graph.interruptBefore, next)) {
    return atBreakpoint(scope, state, commit, next);
  }
  return { kind: 'continue', commit, state, next: labels(next), hidden };
}

/** Those replaced as a whole, and those with writes of tasks that are not of this superstep any more. */
function deltasToStore({ graph, from }: SuperstepScope, tasks: readonly Task[], done: Done): ReadonlySet<string> {
  const replaced = overwrittenDeltas(
    graph.spec,
    [...done.values()].flatMap((writes) => [...writes]),
  );
  const planned = new Set([NULL_TASK_ID, ...tasks.map(({ id }) => id)]);
  const left = from.saved.pendingWrites.filter(([taskId]) => !planned.has(taskId)).map(([, channel]) => channel);
  return new Set([...replaced, ...deltasAmong(graph.spec, left)]);
}

function atBreakpoint(
  scope: SuperstepScope,
  state: RunState,
  commit: CheckpointCommit | undefined,
  next: readonly Task[],
): SuperstepOutcome {
  const announcement = announcementOf(scope, state.saved);
  announcement.breakpoint();
  return { kind: 'interrupted', commit, state, interrupts: [], next: labels(next), chunks: announcement.chunks };
}

const announcementOf = ({ graph, options, ports }: SuperstepScope, saved: SavedState): Announcement =>
  new Announcement(graph, options, saved, ports.saver ? 'saved' : 'passing');

function wroteOutput({ graph, options }: SuperstepScope, done: Done): boolean {
  const keys = outputKeys(graph, options);
  for (const writes of done.values()) if (writes.some(([channel]) => includes(keys, channel))) return true;
  return false;
}

const taskWrites = (tasks: readonly Task[], done: Done): readonly TaskWrites[] =>
  tasks.map(({ id, name, path, triggers }) => ({ name, path, triggers, writes: done.get(id) ?? [] }));

function withResults(
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

function recursionError({ config }: RunOptions): GraphRecursionError {
  return new GraphRecursionError(
    `Recursion limit of ${config.recursionLimit ?? DEFAULT_RECURSION_LIMIT} reached without hitting a stop condition. ` +
      'You can increase the limit by setting the "recursionLimit" config key.',
    { lc_error_code: 'GRAPH_RECURSION_LIMIT' },
  );
}
