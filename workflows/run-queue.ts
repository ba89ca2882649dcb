// The runs of one thread, in order, and the rules of `multitask_strategy`. Pure: it decides, the workflow acts.
//   Q1. A run id is accepted once: as the present run, in the queue, or among the last 50 accepted.
//   Q2. `interrupt` and `rollback` displace every older run, queued ones too; `enqueue` none. `reject` was decided by the
//       transaction that stored the run and queues like `enqueue`.
//   Q3. A paused run is ended by any new run: to Platform clients it had ended already.
//   Q4. A run with a later start (`after_seconds`) has its place in the queue from that time on: whoever is due goes first.
//   Q5. A cancel may overtake the submission of its run; it is remembered and strikes when the run comes.
import {
  RECENT_RUNS,
  type CancelAction,
  type CancelSignal,
  type RunRef,
  type ThreadInput,
  type ThreadSnapshot,
} from './messages.js';

/** What follows from a message about runs, for the workflow to carry out. */
export interface QueueDecision {
  /** The present run is to be stopped in this way. */
  readonly stop?: CancelAction;
  /** Runs that left the queue without having run, to be settled. */
  readonly dismissed: readonly { readonly run: RunRef; readonly action: CancelAction }[];
}
const NOTHING: QueueDecision = { dismissed: [] };

export class RunQueue {
  readonly #current: RunRef;
  #waiting: readonly RunRef[];
  #recent: readonly string[];
  #earlyCancels: readonly CancelSignal[];

  constructor({ run, queue, recent, carried }: Pick<ThreadInput, 'run' | 'queue' | 'recent' | 'carried'>) {
    this.#current = run;
    this.#waiting = queue;
    this.#recent = remember(recent, run.runId);
    this.#earlyCancels = (carried?.cancels ?? []).filter(({ runId }) => runId !== run.runId);
  }

  get waiting(): readonly RunRef[] {
    return this.#waiting;
  }

  /** What the next execution has to know. */
  get carried(): { readonly recent: readonly string[]; readonly cancels: readonly CancelSignal[] } {
    return { recent: this.#recent, cancels: this.#earlyCancels };
  }

  submit(run: RunRef, state: ThreadSnapshot['state']): QueueDecision {
    if (this.#knows(run.runId)) return NOTHING;
    this.#recent = remember(this.#recent, run.runId);

    const cancelled = this.#earlyCancels.find(({ runId }) => runId === run.runId);
    if (cancelled !== undefined) {
      this.#earlyCancels = this.#earlyCancels.filter((cancel) => cancel !== cancelled);
      return { dismissed: [{ run, action: cancelled.action }] };
    }

    const action = displaces(run);
    const dismissed = action === undefined ? [] : this.#waiting.map((older) => ({ run: older, action }));
    this.#waiting = action === undefined ? [...this.#waiting, run] : [run];
    const stops = action !== undefined && (state === 'running' || state === 'delayed');
    return { dismissed, ...(stops ? { stop: action } : {}) };
  }

  cancel({ runId, action }: CancelSignal): QueueDecision {
    if (runId === this.#current.runId) return { stop: action, dismissed: [] };
    const run = this.#waiting.find((queued) => queued.runId === runId);
    if (run !== undefined) {
      this.#waiting = this.#waiting.filter((queued) => queued !== run);
      return { dismissed: [{ run, action }] };
    }
    if (!this.#recent.includes(runId))
      this.#earlyCancels = [...this.#earlyCancels, { runId, action }].slice(-RECENT_RUNS);
    return NOTHING;
  }

  /** Whether a run that waits is due before the present one, which has not started. */
  get overtakes(): boolean {
    return this.#waiting.some((run) => dueAt(run) < dueAt(this.#current));
  }

  /** The present run, which has not started, goes back to those that wait; returns the run to start in its place. */
  defer(now: number): RunRef {
    this.#waiting = [this.#current, ...this.#waiting];
    return this.shift(now) ?? this.#current;
  }

  /** Takes the next run out of the queue: the first that is due at `now`, or else the one that is due soonest. */
  shift(now: number): RunRef | undefined {
    const soonest = Math.min(...this.#waiting.map(dueAt));
    const next = this.#waiting.find((run) => dueAt(run) <= Math.max(now, soonest));
    this.#waiting = this.#waiting.filter((run) => run !== next);
    return next;
  }

  #knows(runId: string): boolean {
    const waits = this.#waiting.some((queued) => queued.runId === runId);
    return waits || runId === this.#current.runId || this.#recent.includes(runId);
  }
}

/** Milliseconds since the epoch. */
const dueAt = ({ notBefore }: RunRef): number => notBefore ?? 0;

const displaces = ({ strategy }: RunRef): CancelAction | undefined =>
  strategy === 'interrupt' || strategy === 'rollback' ? strategy : undefined;

const remember = (recent: readonly string[], runId: string): readonly string[] =>
  recent.includes(runId) ? recent : [...recent, runId].slice(-RECENT_RUNS);
