// Runs the tasks of a superstep side by side, and says how it ended. A finished task's writes are saved at once (S2).
import { Command } from '../command.js';
import { ERROR, INTERRUPT, NO_WRITES, RESUME } from '../constants.js';
import {
  isGraphBubbleUp,
  isGraphInterrupt,
  isInvalidResume,
  isParentCommand,
  markFailedNode,
  ParentCommand,
  type Interrupt,
} from '../errors.js';
import { interrupt } from '../interrupt.js';
import { pathKey, type Write } from './apply-writes.js';
import { callNode, runWriters } from './call-node.js';
import { parentNamespace } from './namespaces.js';
import { isHidden, type Task } from './plan-tasks.js';
import { NodeRetryRequest, retryDelayMs } from './retry.js';
import { taskEnd, updatesPayload } from './stream-payloads.js';
import { outputKeys, type SuperstepScope } from './superstep-scope.js';
import { runningTask, type RunningTask } from './task-config.js';

/** How a task ended; a failed one is not among these, it ends the superstep. `writes` are those that were saved. */
export type TaskResult = { readonly task: Task; readonly writes: readonly Write[] } & (
  | { readonly kind: 'finished' }
  /** Without interrupts: a breakpoint in a graph below. */
  | { readonly kind: 'interrupted'; readonly interrupts: readonly Interrupt[] }
  /** Hands a command to the graph around this one. */
  | { readonly kind: 'bubbled'; readonly error: unknown }
);

interface Failure {
  readonly task: Task;
  readonly error: unknown;
  readonly failures: number;
  readonly startedAt: number;
  /** Present: another attempt is granted, after this many milliseconds. */
  readonly retryInMs?: number;
}

/**
 * @param siblings All tasks of the superstep, those that need no run included.
 * @throws the error of the node that failed, or an AggregateError of several; NodeRetryRequest; the reason of
 *   `ports.signal` as soon as it aborts.
 */
export async function runTasks(
  scope: SuperstepScope,
  tasks: readonly Task[],
  siblings: number,
): Promise<readonly TaskResult[]> {
  const { ports, options } = scope;
  if (ports.signal.aborted) throw abortError(ports.signal);
  // A failure aborts the others; a task on its own has none.
  const failing = tasks.length > 1 ? new AbortController() : undefined;
  const signal = failing ? AbortSignal.any([ports.signal, failing.signal]) : ports.signal;
  const results: TaskResult[] = [];
  const failed: Failure[] = [];

  const run = async (task: Task): Promise<void> => {
    const running = runningTask({ ...scope, signal }, task, interrupt);
    const ended = await attempts(scope, running, signal);
    await commit(scope, ended, siblings);
    if (ended.kind !== 'failed') {
      results.push(ended);
    } else if (ended.failure.retryInMs !== undefined) {
      failed.push(ended.failure);
    } else if (!signal.aborted || !failed.some((failure) => failure.retryInMs === undefined)) {
      failed.push(ended.failure);
      if (!isInvalidResume(ended.failure.error)) failing?.abort(ended.failure.error);
    }
  };
  await untilAborted(
    ports.signal,
    pool(tasks, options.config.maxConcurrency, run, () => failing?.signal.aborted === true),
  );
  throwFailures(scope, failed);
  return results;
}

async function pool(
  tasks: readonly Task[],
  maxConcurrency: number | undefined,
  run: (task: Task) => Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  const queue = tasks[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const task of queue) {
      if (stopped()) return;
      await run(task);
    }
  };
  const lanes = Math.min(maxConcurrency ?? tasks.length, tasks.length);
  await Promise.all(Array.from({ length: Math.max(lanes, 1) }, lane));
}

/** The signal's reason where it is an error, by its looks: it may be of another realm. An AbortError by default. */
const abortError = ({ reason }: AbortSignal): Error =>
  typeof reason === 'object' && reason !== null && 'message' in reason ? (reason as Error) : new Error('Aborted');

/** The tasks go on until they notice; nobody waits for them. */
async function untilAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(abortError(signal));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    if (abort) signal.removeEventListener('abort', abort);
  }
}

type Ended = TaskResult | { readonly kind: 'failed'; readonly writes: readonly Write[]; readonly failure: Failure };

/** Calls the node until it ends or its policy grants no further attempt here. */
async function attempts(scope: SuperstepScope, running: RunningTask, signal: AbortSignal): Promise<Ended> {
  const { task } = running;
  const policy = task.node.retryPolicy ?? scope.graph.retryPolicy;
  const startedAt = Date.now();
  let failures = scope.ports.failedAttempts?.[task.id] ?? 0;
  for (;;) {
    running.writes = [];
    running.context.answers.restart();
    running.context.subgraphCalls = 0;
    const attempt = { nodeAttempt: failures + 1, nodeFirstAttemptTime: startedAt };
    try {
      await call(running, attempt);
      return { kind: 'finished', task, writes: running.writes.length > 0 ? running.writes : [[NO_WRITES, null]] };
    } catch (error) {
      if (isGraphInterrupt(error)) return asked(scope, running, error.interrupts);
      if (isGraphBubbleUp(error)) return { kind: 'bubbled', task, writes: running.writes, error };
      failures += 1;
      markFailedNode(error, task.name);
      const delayMs = policy && !signal.aborted ? retryDelayMs(policy, failures, error) : undefined;
      const failure = { task, error, failures, startedAt };
      if (delayMs === undefined) return failedFor(running, failure);
      if (scope.ports.retries === 'caller') {
        return { kind: 'failed', writes: [], failure: { ...failure, retryInMs: delayMs } };
      }
      if (policy?.logWarning ?? true) warn(task, delayMs, failures, error);
      await sleep(delayMs, signal);
      if (signal.aborted) return failedFor(running, failure);
    }
  }
}

/** The question, and the answers that led up to it. A question that cannot be stored is a failure of the node. */
function asked(scope: SuperstepScope, running: RunningTask, interrupts: readonly Interrupt[]): Ended {
  const { task } = running;
  if (interrupts.length === 0) return { kind: 'interrupted', task, writes: [], interrupts };
  try {
    scope.ports.checkWrite?.(task.name, INTERRUPT, interrupts);
  } catch (error) {
    markFailedNode(error, task.name);
    return failedFor(running, { task, error, failures: 1, startedAt: Date.now() });
  }
  return { kind: 'interrupted', task, interrupts, writes: [[INTERRUPT, interrupts], ...answersOf(running)] };
}

/** What it wrote is not kept: the task will run again, and savers keep the first write of each. */
const failedFor = (running: RunningTask, failure: Failure): Ended => ({
  kind: 'failed',
  failure,
  writes: [...answersOf(running), [ERROR, errorNote(failure.error)]],
});

const answersOf = ({ writes }: RunningTask): readonly Write[] =>
  writes.filter(([channel]) => channel === RESUME).slice(-1);

async function call(running: RunningTask, attempt: object): Promise<void> {
  const { task, writer } = running;
  const config = {
    ...running.config,
    executionInfo: { ...running.config.executionInfo, ...attempt },
  } as RunningTask['config'];
  try {
    await callNode(task.node, task.input, config, writer);
  } catch (error) {
    if (!isParentCommand(error)) throw error;
    const { command } = error;
    if (command.graph === task.checkpointNs) return runWriters(task.node, takenCommand(command), { ...writer, config });
    // A new error: the one caught may be thrown again by its own graph.
    throw command.graph === Command.PARENT
      ? new ParentCommand(new Command({ ...command, graph: parentNamespace(task.checkpointNs) }))
      : error;
  }
}

/** For the writers it is a command like any other. */
const takenCommand = (command: Command): Command => new Command({ ...command, graph: undefined });

/** Saves what the task leaves behind, then tells of it. */
async function commit(scope: SuperstepScope, ended: Ended, siblings: number): Promise<void> {
  const { writes } = ended;
  if (writes.length === 0) return;
  const task = ended.kind === 'failed' ? ended.failure.task : ended.task;
  const saving = scope.ports.saveWrites(task.id, writes as [string, unknown][], {
    siblings,
    taskPath: pathKey(task.path),
    finished: ended.kind === 'finished',
  });
  if (saving !== undefined) await saving;
  announce(scope, task, ended);
}

function errorNote(error: unknown): { readonly message?: string; readonly name?: string } {
  const { message, name } = (error ?? {}) as Partial<Error>;
  return { message: message ?? String(error), name };
}

function announce({ streams, graph, options }: SuperstepScope, task: Task, ended: Ended): void {
  const { writes } = ended;
  if (isHidden(task)) return;
  if (ended.kind === 'interrupted') {
    streams.write('updates', { [INTERRUPT]: ended.interrupts });
    streams.write('values', { [INTERRUPT]: ended.interrupts });
  } else if (ended.kind !== 'failed' && streams.wants('updates')) {
    streams.write('updates', updatesPayload(task, writes, outputKeys(graph, options), false));
  }
  if (streams.wants('tasks')) streams.write('tasks', taskEnd(task, writes, graph.spec.streamChannels));
}

function throwFailures({ step, ports }: SuperstepScope, failed: readonly Failure[]): void {
  const final = failed.filter((failure) => failure.retryInMs === undefined);
  if (final.length === 1) throw (final[0] as Failure).error;
  if (final.length > 1) {
    const errors = final.map(({ error }) => error);
    throw new AggregateError(
      errors,
      `Multiple errors occurred during superstep ${step}. See the "errors" field of this exception for more details.`,
    );
  }
  const [slowest] = [...failed].sort((a, b) => (b.retryInMs ?? 0) - (a.retryInMs ?? 0));
  if (slowest === undefined) return;
  const failedAttempts = { ...ports.failedAttempts };
  for (const { task, failures } of failed) failedAttempts[task.id] = failures;
  throw new NodeRetryRequest({
    taskId: slowest.task.id,
    node: slowest.task.name,
    failures: slowest.failures,
    delayMs: slowest.retryInMs ?? 0,
    firstAttemptAt: slowest.startedAt,
    cause: slowest.error,
    failedAttempts,
  });
}

function warn({ name }: Task, delayMs: number, failures: number, error: unknown): void {
  // eslint-disable-next-line no-console -- the policy's `logWarning` asks for it
  console.warn(`Retrying task "${name}" after ${delayMs.toFixed(2)}ms (attempt ${failures}) after ${String(error)}`);
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
