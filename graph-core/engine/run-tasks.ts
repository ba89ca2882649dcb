// Runs the tasks of a superstep side by side, and says how it ended. A finished task's writes are saved at once (S2).
import { INTERRUPT } from '../constants.js';
import { isInvalidResume } from '../errors.js';
import { interrupt } from '../interrupt.js';
import { pathKey } from './apply-writes.js';
import { attempts } from './attempts.js';
import { isHidden, type Task } from './plan-tasks.js';
import { NodeRetryRequest } from './retry.js';
import { taskEnd, updatesPayload } from './stream-payloads.js';
import { outputKeys, type SuperstepScope } from './superstep-scope.js';
import { runningTask } from './task-config.js';
import type { Ended, Failure, TaskResult } from './task-result.js';

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
