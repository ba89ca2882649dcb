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
import { storedWrites } from './stored-writes.js';
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
  const { ports } = scope;
  if (ports.signal.aborted) throw abortError(ports.signal);
  const running = new RunningSuperstep(scope, tasks, siblings);
  try {
    await untilAborted(ports.signal, running.settled());
  } finally {
    running.close();
  }
  throwFailures(scope, running.failed);
  return running.results;
}

/** How a task joins a superstep that runs. */
export interface Joining {
  /** As the task sees the superstep; by default like those that were planned. */
  readonly scope?: SuperstepScope;
  /** Called when its writes are saved, before anything is told of it. */
  readonly onSaved?: (ended: Ended) => void;
}

/**
 * The tasks of a superstep while they run: those planned, as many at a time as `maxConcurrency` allows, and those that
 * join on the way. The superstep ends when none of either runs.
 */
export class RunningSuperstep {
  readonly results: TaskResult[] = [];
  readonly failed: Failure[] = [];
  readonly #scope: SuperstepScope;
  readonly #waiting: Task[];
  /** A failure aborts the others; a task on its own has none. */
  readonly #failing: AbortController | undefined;
  readonly #signal: AbortSignal;
  #siblings: number;
  #running = 0;
  #state: 'running' | 'failing' | 'closed' = 'running';
  #ended = deferred();

  constructor(scope: SuperstepScope, tasks: readonly Task[], siblings: number) {
    this.#scope = scope;
    this.#waiting = [...tasks];
    this.#siblings = siblings;
    this.#failing = tasks.length > 1 ? new AbortController() : undefined;
    this.#signal = this.#failing ? AbortSignal.any([scope.ports.signal, this.#failing.signal]) : scope.ports.signal;
  }

  /** Starts the planned tasks. @throws what failed outside of the tasks: saving. */
  settled(): Promise<void> {
    this.#startWaiting();
    return this.#ended.promise;
  }

  /** Whether tasks may still join: nothing has failed for good, and the superstep has not ended. */
  get open(): boolean {
    return this.#state === 'running';
  }

  /**
   * Runs one more task in this superstep, at once: whoever adds it may be waiting for it, so it takes no turn among those
   * that `maxConcurrency` holds back; but they wait for it. Its writes are saved under its own id.
   */
  add(task: Task, joining: Joining = {}): void {
    this.#siblings += 1;
    this.#start(task, joining);
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

  async #run(task: Task, { scope = this.#scope, onSaved }: Joining = {}): Promise<void> {
    const running = runningTask({ ...scope, signal: this.#signal }, task, interrupt);
    const ended = await attempts(scope, running, this.#signal);
    await save(scope, task, ended, this.#siblings);
    onSaved?.(ended);
    announce(scope, task, ended);
    if (ended.kind === 'failed') this.#fail(ended.failure);
    else this.results.push(ended);
  }

  #fail(failure: Failure): void {
    const final = failure.retryInMs === undefined;
    if (final && this.#state !== 'running') return; // It was aborted by the failure that counts.
    this.failed.push(failure);
    if (!final || isInvalidResume(failure.error)) return;
    this.#state = 'failing';
    this.#failing?.abort(failure.error);
  }
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

async function save({ ports, graph }: SuperstepScope, task: Task, { kind, writes }: Ended, siblings: number): Promise<void> {
  if (writes.length === 0) return;
  const taskPath = pathKey(task.path);
  const saving = ports.saveWrites(task.id, storedWrites(graph.spec, writes) as [string, unknown][], {
    siblings,
    taskPath,
    finished: kind === 'finished',
  });
  if (saving !== undefined) await saving;
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

function announce({ streams, graph, options }: SuperstepScope, task: Task, ended: Ended): void {
  const { writes } = ended;
  if (writes.length === 0 || isHidden(task)) return;
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
