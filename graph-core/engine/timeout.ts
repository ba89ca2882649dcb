// An attempt of a node under a TimeoutPolicy. Nobody can stop a function that does not look at its signal: it is left to
// run, but what it does once its time is over has no effect.
import type { Callbacks } from '@langchain/core/callbacks/manager';
import { RESUME } from '../constants.js';
import { NodeTimeoutError } from '../errors.js';
import { LONGEST_TIMER_MS, type TimeoutPolicy } from '../timeout-policy.js';
import type { WriterContext } from './graph-spec.js';
import type { NodeConfig } from './node-config.js';
import { ProgressHandler } from './progress-handler.js';
import type { RunningTask } from './task-config.js';
import { withTaskContext, type TaskContext } from './task-context.js';

/** What one attempt of a node is called with. */
export interface Attempt {
  readonly config: NodeConfig;
  readonly writer: Omit<WriterContext, 'config'>;
}

/** @throws NodeTimeoutError; what the node throws. */
export async function withinTimeout(
  running: RunningTask,
  config: NodeConfig,
  policy: TimeoutPolicy,
  call: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  const attempt = new TimedAttempt(running, policy);
  const watch = attempt.watch();
  let late: 'run' | 'idle' | undefined;
  try {
    late = await Promise.race([call(attempt.limited(config)).then(() => undefined), watch.over]);
  } catch (error) {
    if (attempt.passed() === undefined) throw error;
  } finally {
    watch.end();
  }
  // A node that kept the thread busy has kept the watch from going off, too.
  late ??= attempt.passed();
  if (late === undefined) return;
  attempt.close();
  throw new NodeTimeoutError({
    node: running.task.name,
    kind: late,
    elapsed: attempt.elapsed,
    runTimeout: policy.runTimeout,
    idleTimeout: policy.idleTimeout,
  });
}

class TimedAttempt {
  readonly #running: RunningTask;
  readonly #policy: TimeoutPolicy;
  readonly #controller = new AbortController();
  readonly #startedAt = Date.now();
  #progressAt = this.#startedAt;
  #open = true;

  constructor(running: RunningTask, policy: TimeoutPolicy) {
    this.#running = running;
    this.#policy = policy;
  }

  /** Milliseconds so far. */
  get elapsed(): number {
    return Date.now() - this.#startedAt;
  }

  /** The limit that is passed now. */
  passed(): 'run' | 'idle' | undefined {
    const { runTimeout = Infinity, idleTimeout = Infinity } = this.#policy;
    if (this.elapsed >= runTimeout) return 'run';
    return Date.now() - this.#progressAt >= idleTimeout ? 'idle' : undefined;
  }

  /** Goes off when a limit is passed. */
  watch(): { readonly over: Promise<'run' | 'idle'>; readonly end: () => void } {
    const { runTimeout, idleTimeout } = this.#policy;
    let run: NodeJS.Timeout | undefined;
    let idle: NodeJS.Timeout | undefined;
    const over = new Promise<'run' | 'idle'>((resolve) => {
      if (runTimeout !== undefined && runTimeout <= LONGEST_TIMER_MS)
        run = setTimeout(() => resolve('run'), runTimeout);
      if (idleTimeout === undefined) return;
      const look = (): void => {
        const left = this.#progressAt + idleTimeout - Date.now();
        if (left <= 0) resolve('idle');
        else idle = setTimeout(look, Math.min(left, LONGEST_TIMER_MS));
      };
      look();
    });
    return {
      over,
      end: () => {
        clearTimeout(run);
        clearTimeout(idle);
      },
    };
  }

  /** Its time is over: the node is told, and has no effect any more. Answers it took stay taken. */
  close(): void {
    this.#open = false;
    this.#running.writes = this.#running.writes.filter(([channel]) => channel === RESUME);
    this.#controller.abort();
  }

  /** The node's config and writer, with a signal of their own, and with progress noted. */
  limited(config: NodeConfig): Attempt {
    const { context, writer } = this.#running;
    const write = this.#whileOpen(writer.write);
    // A copy for each attempt: one that is over goes on counting its calls where nobody looks.
    const own: TaskContext = { ...context, write, call: (call) => this.#calling(() => context.call(call)) };
    return {
      config: {
        ...config,
        configurable: withTaskContext(config.configurable, own),
        signal: AbortSignal.any([...(config.signal ? [config.signal] : []), this.#controller.signal]),
        writer: config.writer && this.#whileOpen(config.writer),
        heartbeat: () => this.#progress('heartbeat'),
        callbacks: this.#listening(config.callbacks),
      },
      writer: { ...writer, write },
    };
  }

  #progress(by: 'heartbeat' | 'auto'): void {
    if (by === 'heartbeat' || this.#policy.refreshOn !== 'heartbeat') this.#progressAt = Date.now();
  }

  #whileOpen<Args extends unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      if (!this.#open) return;
      this.#progress('auto');
      act(...args);
    };
  }

  async #calling<Result>(call: () => Promise<Result>): Promise<Result> {
    const { name } = this.#running.task;
    if (!this.#open) throw new Error(`Node "${name}" attempt was cancelled after its timeout fired`);
    this.#progress('auto');
    return call();
  }

  #listening(callbacks: Callbacks | undefined): Callbacks | undefined {
    if (this.#policy.idleTimeout === undefined || this.#policy.refreshOn === 'heartbeat') return callbacks;
    const handler = new ProgressHandler(() => this.#progress('auto'));
    if (callbacks === undefined || Array.isArray(callbacks)) return [...(callbacks ?? []), handler];
    const manager = callbacks.copy();
    manager.addHandler(handler, true);
    return manager;
  }
}
