// Runs the tasks of a superstep side by side, and says how it ended. A finished task's writes are saved at once (S2).
import { isInvalidResume } from '../errors.js';
import { interrupt } from '../interrupt.js';
import { attempts } from './attempts.js';
import { TaskCalls } from './call-task.js';
import { handledWrites, handlerTask } from './error-handler.js';
import type { JoinableSuperstep, Joining } from './joining.js';
import { isKept, keepWrites } from './node-cache.js';
import { isCall, type Task } from './plan-tasks.js';
import { NodeRetryRequest } from './retry.js';
import { saveTask } from './save-task.js';
import { scopeOf } from './scope-below.js';
import { stepLimit } from './step-limit.js';
import type { SuperstepScope } from './superstep-scope.js';
import { tellEnd, tellStart } from './task-chunks.js';
import { runningTask } from './task-config.js';
import type { Ended, Failure, TaskResult } from './task-result.js';

/**
 * @param siblings All tasks of the superstep, those that need no run included.
 * @returns how each ended, those that joined included.
 * @throws the error of the node that failed, or an AggregateError of several; NodeRetryRequest; the reason of
 *   `ports.signal` as soon as it aborts.
 */
export async function runTasks(
  scope: SuperstepScope,
  tasks: readonly Task[],
  siblings: number,
): Promise<readonly TaskResult[]> {
  const { signal } = scope.ports;
  if (signal.aborted) throw abortError(signal);
  const limit = stepLimit(scope.graph.stepTimeout, signal);
  const running = new RunningSuperstep(
    limit.signal === signal ? scope : underSignal(scope, limit.signal),
    tasks,
    siblings,
  );
  const settled = running.settled();
  try {
    await untilAborted(limit.signal, settled);
  } catch (error) {
    if (limit.signal.aborted) scope.ports.left?.(settled);
    throw limit.passed ? new Error('Abort') : error;
  } finally {
    limit.clear();
    running.close();
  }
  throwFailures(scope, running.failed);
  return running.results;
}

const underSignal = (scope: SuperstepScope, signal: AbortSignal): SuperstepScope => ({
  ...scope,
  signal,
  ports: { ...scope.ports, signal },
});

/**
 * The tasks of a superstep while they run: those planned, as many at a time as `maxConcurrency` allows, and those that
 * join on the way. The superstep ends when none of either runs.
 */
class RunningSuperstep implements JoinableSuperstep {
  readonly results: TaskResult[] = [];
  readonly failed: Failure[] = [];
  readonly #scope: SuperstepScope;
  readonly #waiting: Task[];
  readonly #ports: SuperstepScope['ports'];
  readonly #failing = new AbortController();
  #signal: AbortSignal | undefined;
  readonly #calls = new TaskCalls(this);
  #siblings: number;
  #running = 0;
  #state: 'running' | 'failing' | 'closed' = 'running';
  #ended = deferred();

  constructor(scope: SuperstepScope, tasks: readonly Task[], siblings: number) {
    this.#waiting = [...tasks];
    this.#siblings = siblings;
    // A task on its own has none to be aborted by, and a signal is dear.
    this.#ports = scope.ports;
    this.#scope = tasks.length > 1 ? { ...scope, signal: this.signal } : scope;
  }

  /** Starts the planned tasks. @throws what failed outside of the tasks: saving. */
  settled(): Promise<void> {
    this.#startWaiting();
    return this.#ended.promise;
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([this.#ports.signal, this.#failing.signal]);
    return this.#signal;
  }

  get open(): boolean {
    return this.#state === 'running';
  }

  add(task: Task, joining: Joining = {}): void {
    this.#siblings += 1;
    this.#start(task, joining);
  }

  record(result: TaskResult): void {
    this.#siblings += 1;
    this.results.push(result);
  }

  close(): void {
    this.#state = 'closed';
  }

  #startWaiting(): void {
    const { maxConcurrency = Infinity } = this.#scope.options.config;
    while (this.open && this.#waiting.length > 0 && this.#running < Math.max(maxConcurrency, 1)) {
      this.#start(this.#waiting.shift() as Task);
    }
    if (this.#running === 0) this.#ended.resolve();
  }

  #start(task: Task, joining?: Joining): void {
    this.#running += 1;
    this.#run(task, joining).then(() => {
      this.#running -= 1;
      this.#startWaiting();
    }, this.#ended.reject);
  }

  async #run(task: Task, { scope = scopeOf(this.#scope, task), onSaved }: Joining = {}): Promise<void> {
    if (onSaved) await afterItsCaller();
    const running = runningTask(scope, task, {
      interrupt,
      call: (caller, call) => this.#calls.call(scope, caller, call),
    });
    const ended = this.#handled(scope, await attempts(scope, running, scope.signal));
    await saveTask(scope, ended, this.#siblings);
    if (onSaved) {
      onSaved(ended);
      await afterItsCaller();
    }
    const call = isCall(task);
    tellEnd(scope, task, ended, call ? 'left to its caller' : 'told');
    if (ended.kind === 'failed') this.#fail(ended.failure);
    else if (!call || ended.kind !== 'bubbled') this.results.push(ended);
    if (ended.kind === 'handled') this.add(ended.handler);
    else if (ended.kind === 'finished' && isKept(scope, task)) await keepWrites(scope, task, ended.writes);
  }

  /** A failure for good is handed to the node's handler, unless the superstep fails anyway. Told before its failure is. */
  #handled(scope: SuperstepScope, ended: Ended): Ended {
    if (ended.kind !== 'failed' || ended.failure.retryInMs !== undefined || !this.open) return ended;
    const { task, error } = ended.failure;
    const handler = handlerTask(scope, task, error);
    if (handler === undefined) return ended;
    tellStart(scopeOf(this.#scope, handler), handler);
    return { kind: 'handled', task, handler, writes: handledWrites(task, ended.writes) };
  }

  #fail(failure: Failure): void {
    const final = failure.retryInMs === undefined;
    // After a failure that counts, others are taken to follow from it. A call is a piece of its own work.
    if (final && this.#state !== 'running' && !this.#failsByItself(failure)) return;
    this.failed.push(failure);
    if (!final || isInvalidResume(failure.error)) return;
    this.#state = 'failing';
    this.#failing.abort();
  }

  #failsByItself({ task, error }: Failure): boolean {
    const known = this.failed.some((failure) => failure.error === error);
    return isCall(task) && !known && (error as Partial<Error> | null | undefined)?.name !== 'AbortError';
  }
}

/** The signal's reason where it is an error, by its looks: it may be of another realm. An AbortError by default. */
function abortError({ reason }: { readonly reason: unknown }): Error {
  if (typeof reason === 'object' && reason !== null && 'message' in reason) return reason as Error;
  return new Error(typeof reason === 'string' ? reason : 'Aborted');
}

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

function deferred(): {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Lets whoever calls a task, or waited for it, do first what it does at once. */
async function afterItsCaller(): Promise<void> {
  await Promise.resolve();
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
