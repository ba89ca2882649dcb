// Calls of `task()` functions: tasks that a running task starts within its superstep. A call's id follows from the
// caller's place and the number of the call, so whenever the caller runs again its nth call meets the nth result.
import { uuid5 } from '@langchain/langgraph-checkpoint';
import { isTaskOutput, PUSH, RETURN } from '../constants.js';
import { GraphInterrupt } from '../errors.js';
import type { Write } from './apply-writes.js';
import type { JoinableSuperstep } from './joining.js';
import { nodeNamespace, taskNamespace } from './namespaces.js';
import { cachedWrites } from './node-cache.js';
import { meetsBreakpoint, type Task } from './plan-tasks.js';
import { saveTask } from './save-task.js';
import { scopeBelow } from './scope-below.js';
import type { SuperstepScope } from './superstep-scope.js';
import type { TaskCall } from './task-call.js';
import { tellReplay, tellStart } from './task-chunks.js';
import type { RunningTask } from './task-config.js';
import type { Ended } from './task-result.js';

/** With its caller. */
const SIBLINGS_OF_A_CALL = 2;

/** The calls made in one superstep. */
export class TaskCalls {
  readonly #superstep: JoinableSuperstep;
  /** By task id. A caller that is retried meets the calls of its attempt before, also those that still run. */
  readonly #results = new Map<string, Promise<unknown>>();

  constructor(superstep: JoinableSuperstep) {
    this.#superstep = superstep;
  }

  /**
   * Runs the task beside those of the superstep, or finds the result it left when the superstep ran before.
   * @param scope As the caller sees the superstep.
   * @returns by a promise, which nobody has to await: a failure fails the run even where the caller catches it.
   */
  call(scope: SuperstepScope, caller: RunningTask, call: TaskCall): Promise<unknown> {
    const task = calledTask(scope, caller, call);
    caller.context.calls += 1;
    const known = this.#results.get(task.id);
    if (known !== undefined) return known;
    const below = calleeScope(scope, caller, this.#superstep.signal);
    const result = this.#start(below, caller, task);
    result.catch(() => undefined);
    this.#results.set(task.id, result);
    return result;
  }

  #start(scope: SuperstepScope, caller: RunningTask, task: Task): Promise<unknown> {
    const { graph, options, state, from } = scope;
    if (!this.#superstep.open || caller.failedCall !== undefined) {
      return Promise.reject(calledTooLate(task));
    }
    if (
      meetsBreakpoint(state, options.interruptAfter ?? graph.interruptAfter, [caller.task]) ||
      meetsBreakpoint(state, options.interruptBefore ?? graph.interruptBefore, [task])
    ) {
      // As in LangGraph: the caller goes on without a result, and the run stops where the superstep ends.
      this.#superstep.record({ kind: 'interrupted', task, writes: [], interrupts: [] });
      return Promise.resolve();
    }
    const told = scope.ports.told?.has(task.id) === true;
    if (!told) tellStart(scope, task);
    const saved = from.saved.pendingWrites
      .filter(([taskId, channel]) => taskId === task.id && isTaskOutput(channel))
      .map(([, channel, value]): Write => [channel, value]);
    if (saved.length > 0) {
      if (!told) tellReplay(scope, task, saved);
      this.#superstep.record({ kind: 'finished', task, writes: saved });
      return Promise.resolve(returned(saved));
    }
    return task.node.cachePolicy ? this.#cachedOrRun(scope, caller, task) : this.#run(scope, caller, task);
  }

  async #cachedOrRun(scope: SuperstepScope, caller: RunningTask, task: Task): Promise<unknown> {
    const writes = (await cachedWrites(scope, [task])).get(task.id);
    if (writes === undefined) return this.#run(scope, caller, task);
    const result = { kind: 'finished', task, writes } as const;
    await saveTask(scope, result, SIBLINGS_OF_A_CALL);
    tellReplay(scope, task, writes);
    this.#superstep.record(result);
    return returned(writes);
  }

  #run(scope: SuperstepScope, caller: RunningTask, task: Task): Promise<unknown> {
    if (!this.#superstep.open) return Promise.reject(calledTooLate(task));
    return new Promise((resolve, reject) => {
      this.#superstep.add(task, { scope, onSaved: (ended) => settle(ended, caller, { resolve, reject }) });
    });
  }
}

function calledTask({ state, step }: SuperstepScope, { task: caller, context }: RunningTask, call: TaskCall): Task {
  const { name, bound, args, retryPolicy, cachePolicy, timeout } = call;
  const place = context.calls;
  const ns = caller.checkpointNs;
  const origin = [nodeNamespace(ns, name), String(step), name, PUSH, caller.path, place];
  const id = uuid5(JSON.stringify(origin), state.checkpoint.id);
  return {
    id,
    name,
    node: {
      name,
      triggers: [PUSH],
      reads: [],
      bound,
      writers: [(output, { write }) => write(RETURN, output)],
      retryPolicy,
      cachePolicy,
      timeout,
    },
    path: [PUSH, caller.path, place, true],
    triggers: [PUSH],
    input: args,
    checkpointNs: taskNamespace(ns, name, id),
  };
}

/**
 * The superstep as a call sees it: below its caller, with the caller's tags and metadata. Its retries are waited out here
 * also where those of nodes are left to `ports.retries: caller`: the caller is in the middle of its work and would have to
 * do it again.
 */
function calleeScope(scope: SuperstepScope, { task }: RunningTask, signal: AbortSignal): SuperstepScope {
  const { ports, answerForAnyone } = scope;
  return {
    ...scopeBelow(scope, task),
    // The policy of the graph is for its nodes.
    graph: scope.graph.retryPolicy ? { ...scope.graph, retryPolicy: undefined } : scope.graph,
    ports: { ...ports, retries: 'inline', failedAttempts: undefined },
    signal,
    answerForAnyone: answerForAnyone?.taken ? undefined : answerForAnyone,
  };
}

function settle(
  ended: Ended,
  caller: RunningTask,
  { resolve, reject }: { resolve: (value: unknown) => void; reject: (error: unknown) => void },
): void {
  switch (ended.kind) {
    case 'finished':
      return resolve(returned(ended.writes));
    case 'interrupted':
      return reject(new GraphInterrupt(ended.interrupts));
    case 'bubbled':
      return reject(ended.error);
    case 'handled':
      throw new Error(`Task "${ended.task.name}" has a handler, which calls have not.`);
    case 'failed':
      caller.failedCall ??= ended.failure;
      return reject(ended.failure.error);
  }
}

const calledTooLate = ({ name }: Task): Error =>
  new Error(`Task "${name}" was called when the superstep of its caller had failed or ended.`);

const returned = (writes: readonly Write[]): unknown => writes.find(([channel]) => channel === RETURN)?.[1];
