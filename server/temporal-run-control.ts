// RunControl over Temporal. Every call is bounded: a client is answered from the database when Temporal is slow.
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { RunAborts } from '../events/run-aborts.js';
import type { Json, Run } from '../storage/records.js';
import type { Runs } from '../storage/runs.js';
import {
  CANCEL_SIGNAL,
  RESUME_SIGNAL,
  SUBMIT_RUN_SIGNAL,
  THREAD_WORKFLOW,
  restartInput,
  runAttributes,
  startStatus,
  threadWorkflowId,
  type CancelAction,
  type CancelSignal,
  type ResumeSignal,
  type RunRef,
  type StepPolicy,
  type SubmitRunSignal,
  type ThreadInput,
} from '../workflows/messages.js';
import { answerFault } from './resume-answer.js';
import { isSettled, type ResumeOutcome, type RunControl } from './run-control.js';

/** How long a request waits for Temporal before it is answered from the database alone. */
const PATIENCE_MS = 5_000;
/** How long a call goes on behind an answered request: a worker that restarts is back within it, and the sweep is slower. */
const CALL_DEADLINE_MS = 60_000;
/** Waiting runs that a submission names again; those before them were named by the submissions before it. */
const MAX_TOLD_AGAIN = 20;

export interface TemporalRunControlOptions {
  readonly client: Client;
  /** The worker's own connection, where it shares the process: what is started by it begins without being polled for. */
  readonly starter?: Client;
  readonly runs: Runs;
  readonly taskQueue: string;
  readonly policy: StepPolicy;
  /** Where server and worker share a process. */
  readonly aborts?: RunAborts;
  /** A call that failed, or outlived its request; the sweep mends what it leaves behind. */
  readonly report: (error: unknown, about: { readonly runId: string; readonly call: string }) => void;
}

export class TemporalRunControl implements RunControl {
  readonly #options: TemporalRunControlOptions;

  constructor(options: TemporalRunControlOptions) {
    this.#options = options;
  }

  async submit(run: Run, inflight: readonly Run[], firstNodes: readonly string[]): Promise<void> {
    await this.#bounded(run, 'submit', () => this.#submit(run, inflight, firstNodes));
  }

  async resume(run: Run, answer: Exclude<Json, null>): Promise<ResumeOutcome> {
    const waiting = run.pause?.interrupts.map(({ id }) => id) ?? [];
    const fault = run.state === 'paused' ? answerFault(answer, waiting) : undefined;
    if (fault) return fault;

    const claim = await this.#options.runs.claimPause(run.runId, answer);
    switch (claim.kind) {
      case 'not_paused':
        return claim.state === null
          ? { kind: 'missing' }
          : { kind: 'not_paused', state: claim.state, answered: run.state === 'paused' };
      case 'cancelled':
        return claim;
      case 'unknown_interrupt':
        return { kind: 'unknown_interrupt', unknown: claim.ids, waiting };
      case 'claimed': {
        const signal: ResumeSignal = { pause: claim.pause.number };
        await this.#bounded(run, 'resume', () =>
          this.#signal(claim.run, RESUME_SIGNAL, signal, { resumes: [signal], cancels: [] }),
        );
        return { kind: 'resumed', run: claim.run };
      }
    }
  }

  async cancel(run: Run, action: CancelAction): Promise<void> {
    if (isSettled(run.state)) return;
    const signal: CancelSignal = { runId: run.runId, action };
    // At once where the worker is this process; the signal, which follows, is the truth.
    this.#options.aborts?.abort(run.runId);
    // Before the signal: an answer that comes from now on is refused, and none is dropped.
    if (run.state === 'paused') await this.#options.runs.cancelPause(run.runId, action);
    const cancelled = run.state === 'pending' ? await this.#options.runs.cancelPending(run.runId) : null;
    if (cancelled !== null && action === 'rollback') await this.#options.runs.delete(run.threadId, run.runId);
    await this.#bounded(run, 'cancel', async () => {
      // A queued run that is settled in the database only has to leave the queue: no workflow, nothing to leave.
      if (cancelled !== null) await this.#signalIfOpen(run, CANCEL_SIGNAL, signal);
      else await this.#signal(run, CANCEL_SIGNAL, signal, { resumes: [], cancels: [signal] });
    });
  }

  /**
   * Race-free, and safe to repeat, because a run id is accepted once. A plain start is the quickest where the thread is
   * idle. A thread whose run has just settled still has a workflow for some 80 ms: signal-with-start lets Temporal decide
   * which of the two it meets, and waits for neither. An execution cannot close over a signal that it has not seen. Runs
   * that wait already are told of again: the server that accepted one may have died before Temporal heard of it, and the
   * sweep would come too late for its turn.
   */
  async #submit(run: Run, inflight: readonly Run[], firstNodes: readonly string[]): Promise<void> {
    const { client } = this.#options;
    const input = this.#newInput(run, firstNodes);
    if (inflight.length === 0 && (await this.#startIdle(input)) === 'started') return;
    const earlier = inflight.filter(({ state }) => state === 'pending').slice(-MAX_TOLD_AGAIN);
    // Where none of them is known, the oldest is the first to run.
    const first = earlier.length === inflight.length && earlier[0] ? this.#newInput(earlier[0], []) : input;
    await client.workflow.signalWithStart<(input: ThreadInput) => Promise<void>, [SubmitRunSignal]>(THREAD_WORKFLOW, {
      ...this.#startOptions(first),
      signal: SUBMIT_RUN_SIGNAL,
      signalArgs: [{ run: input.run, earlier: earlier.map(runRef) }],
    });
  }

  async #startIdle(input: ThreadInput): Promise<'started' | 'open'> {
    const { client, starter = client } = this.#options;
    try {
      await starter.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
        starter.workflow.start(THREAD_WORKFLOW, {
          ...this.#startOptions(input),
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
          requestEagerStart: starter !== client,
        }),
      );
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'open';
      throw error;
    }
  }

  /** Signals the thread's workflow; where there is none, starts it where the run's row says it was, with the message. */
  async #signal<Arg>(
    run: Run,
    name: string,
    argument: Arg,
    carried: NonNullable<ThreadInput['carried']>,
  ): Promise<void> {
    if (await this.#signalIfOpen(run, name, argument)) return;
    try {
      await this.#options.client.workflow.start(THREAD_WORKFLOW, {
        ...this.#startOptions(this.#restartInput(run, carried)),
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await this.#signalIfOpen(run, name, argument);
    }
  }

  async #signalIfOpen<Arg>(run: Run, name: string, argument: Arg): Promise<boolean> {
    try {
      await this.#options.client.workflow.getHandle(threadWorkflowId(run.threadId)).signal<[Arg]>(name, argument);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  #newInput(run: Run, firstNodes: readonly string[]): ThreadInput {
    const ref = { ...runRef(run), ...(firstNodes.length > 0 && { firstNodes }) };
    return { threadId: run.threadId, run: ref, queue: [], recent: [], policy: this.#options.policy };
  }

  #restartInput(run: Run, carried: NonNullable<ThreadInput['carried']>): ThreadInput {
    const { threadId, lastStep, segments } = run;
    const lost = { threadId, run: runRef(run), lastStep, began: segments.length > 0 };
    return restartInput(lost, this.#options.policy, { carried });
  }

  #startOptions(input: ThreadInput): WorkflowStartOptions<(input: ThreadInput) => Promise<void>> {
    return {
      workflowId: threadWorkflowId(input.threadId),
      taskQueue: this.#options.taskQueue,
      args: [input],
      typedSearchAttributes: runAttributes(
        input.threadId,
        input.run,
        input.paused ? 'waiting' : startStatus(input.run),
      ),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    };
  }

  /** Returns when the call has succeeded, has failed in a way the sweep mends, or has taken longer than a client should wait. */
  async #bounded(run: Run, call: string, attempt: () => Promise<void>): Promise<void> {
    const { client, report } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    const done = client
      .withDeadline(Date.now() + CALL_DEADLINE_MS, attempt)
      .catch((error: unknown) => report(error, { runId: run.runId, call }));
    await Promise.race([done, patience]);
    clearTimeout(timer);
  }
}

const runRef = (run: Run): RunRef => ({
  runId: run.runId,
  assistantId: run.assistantId,
  graphId: run.graphId,
  strategy: run.multitaskStrategy,
  ...(run.notBefore !== null && { notBefore: run.notBefore.getTime() }),
});
