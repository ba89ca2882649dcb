// What one execution knows, and what its messages do to it. Handlers only note things down: the loop in thread.ts acts.
import {
  allHandlersFinished,
  CancellationScope,
  defineQuery,
  defineSignal,
  log,
  setHandler,
} from '@temporalio/workflow';
import type { EventsAnswer, EventsRequest } from '../events/batch.js';
import type { ThreadCalls } from './activity-calls.js';
import { Answers } from './answers.js';
import { EventLog } from './event-log.js';
import {
  APPEND_EVENTS_SIGNAL,
  CANCEL_SIGNAL,
  EVENTS_QUERY,
  RESUME_SIGNAL,
  SNAPSHOT_QUERY,
  SUBMIT_RUN_SIGNAL,
  type RunProgress,
  type RunRef,
  type SettleInput,
  type SettleResult,
  type SubmitRunSignal,
  type SuperstepResult,
  type ThreadInput,
  type ThreadSnapshot,
  type WaitingFor,
} from './messages.js';
import { OperatorView } from './operator-view.js';
import { endedWith, type Ended, type Ending } from './run-ending.js';
import { RunQueue, type QueueDecision } from './run-queue.js';
import { readAppendEvents, readCancel, readResume, readSubmitRun, SIGNAL_SHAPES } from './signal-shapes.js';
import { StopRequest } from './stop-request.js';

export class ThreadState {
  readonly threadId: string;
  readonly run: RunRef;
  readonly queue: RunQueue;
  readonly log: EventLog;
  readonly answers: Answers;
  readonly view: OperatorView;
  readonly stop = new StopRequest();
  readonly #calls: ThreadCalls;
  #state: ThreadSnapshot['state'];
  #progress: RunProgress | undefined;
  #waitingFor: readonly WaitingFor[];
  /** Runs struck from the queue whose settling is under way. */
  #dismissals = 0;

  constructor({ threadId, run, progress, end, paused, ...input }: ThreadInput, calls: ThreadCalls) {
    this.threadId = threadId;
    this.run = run;
    this.queue = new RunQueue({ run, ...input });
    this.log = new EventLog(end ?? progress?.end);
    this.answers = new Answers(input.carried?.resumes);
    this.view = new OperatorView(threadId, run);
    this.#calls = calls;
    this.#progress = progress;
    this.#waitingFor = paused?.waitingFor ?? [];
    if (paused !== undefined) this.#state = 'waiting';
    else this.#state = progress === undefined && run.notBefore !== undefined ? 'delayed' : 'running';
    // A cancel that came in the last moments of the execution before.
    for (const cancel of input.carried?.cancels ?? []) if (cancel.runId === run.runId) this.stop.request(cancel.action);
    this.#show();
  }

  get state(): ThreadSnapshot['state'] {
    return this.#state;
  }

  get progress(): RunProgress | undefined {
    return this.#progress;
  }

  get waitingFor(): readonly WaitingFor[] {
    return this.#waitingFor;
  }

  /** The pause that the run waits at, if it waits. */
  get pause(): number | undefined {
    return this.#state === 'waiting' ? this.#progress?.pauses : undefined;
  }

  /** Nothing is under way that would be lost with this execution. */
  get drained(): boolean {
    return this.#dismissals === 0 && allHandlersFinished();
  }

  get snapshot(): ThreadSnapshot {
    const progress = this.#progress;
    const { run, waitingFor, state } = this;
    return { run, state, waitingFor, queue: this.queue.waiting, ...(progress ? { progress } : {}) };
  }

  /** The run starts, or goes on after a pause. */
  goOn(): void {
    this.#state = 'running';
    this.#waitingFor = [];
    this.#show();
  }

  /** Takes a superstep's result in; returns the run's end, if it is one. */
  apply(result: SuperstepResult): Ended | undefined {
    switch (result.kind) {
      case 'gone':
        this.#state = 'settled';
        return { kind: 'ended', status: 'gone' };
      case 'done':
        this.log.append(result.batches, result.end);
        this.#state = 'settled';
        return { kind: 'ended', status: 'success' };
      case 'drained':
        this.log.append(result.batches, result.end);
        this.#state = 'settled';
        return { kind: 'ended', status: 'interrupted' };
      case 'paused':
        this.#state = 'waiting';
        this.#waitingFor = result.waitingFor;
        break;
      case 'continue':
    }
    this.log.append(result.batches, result.progress.end);
    this.#progress = result.progress;
    this.#show();
    return undefined;
  }

  /** What the `settle` activity is to be told. */
  settling({ outcome, stoppedAt }: Ending): Pick<SettleInput, 'end' | 'beyondEnd' | 'outcome'> {
    this.#state = 'settling';
    if (typeof stoppedAt === 'object') this.log.append([], stoppedAt);
    return { outcome, end: this.log.end, beyondEnd: stoppedAt === 'unknown' ? 'unknown' : 'nothing' };
  }

  /** Undefined: the run goes on, because an answer was accepted before it could be superseded. */
  settled(result: SettleResult, { outcome }: Ending): Ended | undefined {
    if (result.kind === 'answered') {
      this.#state = 'waiting';
      return undefined;
    }
    this.log.append(result.batches, result.end);
    this.#state = 'settled';
    return endedWith(outcome);
  }

  submit({ run, earlier = [] }: SubmitRunSignal): void {
    for (const each of [...earlier, run]) this.carryOut(this.queue.submit(each, this.#state));
  }

  /** What the queue's rules say is to be done, at once. */
  carryOut({ stop, dismissed }: QueueDecision): void {
    if (stop !== undefined) this.stop.request(stop);
    for (const { run, action } of dismissed)
      void this.#dismiss(run, action === 'rollback' ? 'rolled_back' : 'interrupted');
  }

  /** `settle` is retried until it succeeds, so this never rejects. */
  async #dismiss(run: RunRef, kind: 'interrupted' | 'rolled_back'): Promise<void> {
    const nothingLogged = { end: { seq: -1, frame: -1 }, beyondEnd: 'nothing' } as const;
    this.#dismissals += 1;
    await CancellationScope.nonCancellable(() =>
      this.#calls.settle({ threadId: this.threadId, run, outcome: { kind }, ...nothingLogged }),
    );
    this.#dismissals -= 1;
  }

  #show(): void {
    if (this.pause !== undefined) this.view.waits(this.pause, this.#waitingFor, this.#progress?.next ?? []);
    else this.view.runs(this.#state === 'delayed' ? 'pending' : 'running');
  }
}

const submitRun = defineSignal<[unknown]>(SUBMIT_RUN_SIGNAL);
const resume = defineSignal<[unknown]>(RESUME_SIGNAL);
const cancel = defineSignal<[unknown]>(CANCEL_SIGNAL);
const appendEvents = defineSignal<[unknown]>(APPEND_EVENTS_SIGNAL);
const snapshot = defineQuery<ThreadSnapshot>(SNAPSHOT_QUERY);
const events = defineQuery<EventsAnswer, [EventsRequest]>(EVENTS_QUERY);

/** Call it before the first await: messages that came with the start of the execution are handled first. */
export function receiveMessages(thread: ThreadState): void {
  setHandler(
    submitRun,
    (argument) => {
      const submission = readSubmitRun(argument);
      if (submission === undefined) ignore(SUBMIT_RUN_SIGNAL);
      else thread.submit(submission);
    },
    { description: 'Queues a run on this thread; its row is there.' },
  );
  setHandler(
    cancel,
    (argument) => {
      const request = readCancel(argument, thread.run.runId);
      if (request === undefined) ignore(CANCEL_SIGNAL);
      else thread.carryOut(thread.queue.cancel(request));
    },
    { description: `Stops the present run or a queued one: ${SIGNAL_SHAPES.cancel}.` },
  );
  setHandler(
    resume,
    (argument) => {
      const answer = readResume(argument);
      if (answer === undefined) ignore(RESUME_SIGNAL);
      else thread.answers.receive(answer, thread.pause);
    },
    { description: 'Answers what the run waits for: {"value": …}.' },
  );
  setHandler(
    appendEvents,
    (argument) => {
      const part = readAppendEvents(argument);
      if (part === undefined) ignore(APPEND_EVENTS_SIGNAL);
      else if (part.runId === thread.run.runId) thread.log.append([part.batch]);
    },
    { description: 'A part of the event log; sent by the superstep activity.' },
  );
  setHandler(snapshot, () => thread.snapshot, { description: 'The present run, where it stands, and the queue.' });
  setHandler(events, (request) => thread.log.read(request), { description: 'The event log of this execution.' });
}

/** In the worker's log, with the workflow's id. */
function ignore(signal: keyof typeof SIGNAL_SHAPES): void {
  log.warn(`The signal "${signal}" was ignored: it expects ${SIGNAL_SHAPES[signal]}.`, { signal });
}
