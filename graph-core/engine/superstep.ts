// One superstep: plan the tasks, run them, apply their writes.
//   S1. Tasks of a superstep see the same channel values; a write is visible from the next superstep on.
//   S2. A finished task's writes are saved at once, so a retry runs only the others.
//   S3. Writes are applied in task order, never in finishing order: the same inputs give the same checkpoint.
//   S4. An interrupted superstep leaves the checkpoint as it was; what its finished tasks wrote stays pending.
import { NULL_TASK_ID, RESUME } from '../constants.js';
import { GraphDrained, GraphRecursionError } from '../errors.js';
import { takeCached, takeUp, tellTakenUp, waiting } from './earlier-work.js';
import type { ExecutableGraph } from './executable-graph.js';
import { meetsBreakpoint, type Task } from './plan-tasks.js';
import { runTasks } from './run-tasks.js';
import { DEFAULT_RECURSION_LIMIT, nextStep, nextVersionOf, stateOf } from './saved-state.js';
import { breakpointOutcome, completedOutcome, isComplete, plannedTasks, stoppedOutcome } from './step-outcome.js';
import { stepCallbacks } from './stream-handlers.js';
import { chunkWriter, namespaceOf, type SuperstepScope } from './superstep-scope.js';
import type { RunOptions, RunState, SuperstepOutcome, SuperstepPorts } from './superstep-contract.js';
import type { AnswerForAnyone } from './task-context.js';

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
  if (nextStep(from.saved) >= from.stop) throw recursionError(options);
  const scope = openScope(graph, from, options, ports);
  const planned = plannedTasks(scope);
  if (planned.length === 0) return { kind: 'done', state: from };

  let step = takeUp(scope, planned);
  if (waiting(step).length > 0) {
    if (stopsBefore(scope, step.tasks)) return breakpointOutcome(scope, from, step.tasks);
    if (ports.control?.drainRequested) throw new GraphDrained(ports.control.drainReason);
  }
  tellTakenUp(scope, step);
  if (ports.cache !== undefined) step = await takeCached(scope, step);

  const tasks = waiting(step);
  const results = tasks.length > 0 ? await runTasks(scope, tasks, step.tasks.length) : [];
  return isComplete(scope, results) ? completedOutcome(scope, step, results) : stoppedOutcome(scope, step, results);
}

/** The checkpoint is opened here, once for all tasks (S1). */
function openScope(graph: ExecutableGraph, from: RunState, options: RunOptions, ports: SuperstepPorts): SuperstepScope {
  const step = nextStep(from.saved);
  return {
    graph,
    from,
    options,
    ports,
    state: stateOf(graph, from.saved, nextVersionOf(ports.saver)),
    step,
    ns: namespaceOf(options),
    callbacks: stepCallbacks(options, ports, step),
    streams: chunkWriter(options, step, (chunk) => ports.emit(chunk)),
    signal: ports.signal,
    answerForAnyone: answerForAnyone(from),
  };
}

/** Looked at where a run begins; for later supersteps, the outcome of the one before has said so. */
const stopsBefore = ({ graph, from, options, state }: SuperstepScope, tasks: readonly Task[]): boolean =>
  from.saved.metadata.source === 'input' &&
  meetsBreakpoint(state, options.interruptBefore ?? graph.interruptBefore, tasks);

function answerForAnyone({ saved }: RunState): AnswerForAnyone | undefined {
  const answer = saved.pendingWrites.find(([taskId, channel]) => taskId === NULL_TASK_ID && channel === RESUME);
  return answer && { value: answer[2], taken: false };
}

function recursionError({ config }: RunOptions): GraphRecursionError {
  return new GraphRecursionError(
    `Recursion limit of ${config.recursionLimit ?? DEFAULT_RECURSION_LIMIT} reached without hitting a stop condition. ` +
      'You can increase the limit by setting the "recursionLimit" config key.',
    { lc_error_code: 'GRAPH_RECURSION_LIMIT' },
  );
}
