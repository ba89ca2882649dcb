// The `sweep` activity: brings Temporal in line with the rows. They part when a process dies between the two, when an
// operator ends a workflow from outside, or when Temporal loses its data. It also deletes threads that were temporary, and
// what has expired in the task cache.
import { Context } from '@temporalio/activity';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { Run } from '../storage/records.js';
import {
  CANCEL_SIGNAL,
  FAILURE,
  RESUME_SIGNAL,
  SNAPSHOT_QUERY,
  SUBMIT_RUN_SIGNAL,
  THREAD_WORKFLOW,
  restartInput,
  runAttributes,
  startStatus,
  threadWorkflowId,
  type CancelSignal,
  type ResumeSignal,
  type RunRef,
  type SubmitRunSignal,
  type SweepActivities,
  type ThreadInput,
  type ThreadSnapshot,
} from '../workflows/messages.js';
import type { ActivityDependencies } from './dependencies.js';
import { messageFor, remedyFor, type Remedy, type ThreadExecution } from './lost-run.js';
import { settle } from './settle.js';

/** Of one sweep; the next one comes soon. */
const MAX_RUNS = 500;
const MAX_THREADS = 500;
/** Whoever waits for a stateless run, or comes back to its stream, has this long to get its end. */
const TEMPORARY_THREAD_GRACE_MS = 5 * 60_000;

type Counts = Awaited<ReturnType<SweepActivities['sweep']>>;
const NOTHING: Counts = { restarted: 0, closed: 0, nudged: 0 };

export function sweepActivity(deps: ActivityDependencies): SweepActivities['sweep'] {
  return async () => {
    const { client, info } = Context.current();
    const sweeper = new Sweeper(deps, client, info.taskQueue);
    const untouched = await deps.runs.listOpen({ olderThanMs: deps.settings.sweepAfterMs, limit: MAX_RUNS });
    let counts = NOTHING;
    for (const threadId of new Set(untouched.map((run) => run.threadId))) {
      counts = sum(counts, await sweeper.mend(threadId));
    }
    await deleteTemporaryThreads(deps);
    await deps.taskCache?.deleteExpired();
    return counts;
  };
}

const sum = (a: Counts, b: Counts): Counts => ({
  restarted: a.restarted + b.restarted,
  closed: a.closed + b.closed,
  nudged: a.nudged + b.nudged,
});

async function deleteTemporaryThreads({ runs, threads, cache }: ActivityDependencies): Promise<void> {
  const temporary = await runs.listTemporaryThreads({ olderThanMs: TEMPORARY_THREAD_GRACE_MS, limit: MAX_THREADS });
  for (const threadId of temporary) {
    await threads.delete(threadId);
    cache.forget(threadId);
  }
}

class Sweeper {
  readonly #deps: ActivityDependencies;
  readonly #client: Client;
  readonly #taskQueue: string;

  constructor(deps: ActivityDependencies, client: Client, taskQueue: string) {
    this.#deps = deps;
    this.#client = client;
    this.#taskQueue = taskQueue;
  }

  /** A thread that cannot be mended now must not keep the others from it: the next sweep finds it again. */
  async mend(threadId: string): Promise<Counts> {
    try {
      const execution = await this.#execution(threadId);
      const inflight = await this.#deps.runs.listInflight(threadId);
      const remedies = inflight.map((run) => ({ run, remedy: remedyFor(run, execution) }));
      let counts = NOTHING;
      // Before the thread is started again, so that what an operator has ended is not.
      for (const { run, remedy } of remedies) {
        if (remedy.kind === 'close') counts = sum(counts, await this.#close(run, remedy));
      }
      if (remedies.some(({ remedy }) => remedy.kind === 'start')) counts = sum(counts, await this.#start(threadId));
      for (const { run, remedy } of remedies) if (remedy.kind === 'ask') counts = sum(counts, await this.#tell(run));
      return counts;
    } catch (error) {
      Context.current().log.warn('A thread could not be mended', { threadId, error });
      return NOTHING;
    }
  }

  async #close(run: Run, { outcome, message }: Extract<Remedy, { kind: 'close' }>): Promise<Counts> {
    const end = run.lastStep?.end ?? { seq: -1, frame: -1 };
    const error = { error: FAILURE.runFailed, message };
    const ended = { kind: outcome, error } as const;
    await settle(this.#deps, { threadId: run.threadId, run: refOf(run), end, beyondEnd: 'unknown', outcome: ended });
    return { ...NOTHING, closed: 1 };
  }

  async #execution(threadId: string): Promise<ThreadExecution | undefined> {
    try {
      const { runId, status, typedSearchAttributes } = await this.#handle(threadId).describe();
      return { executionId: runId, status: status.name, attributes: typedSearchAttributes };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  }

  /** With all that is in flight on the thread, in the order in which it was accepted. */
  async #start(threadId: string): Promise<Counts> {
    const inflight = await this.#deps.runs.listInflight(threadId);
    // The one that has begun: a later run goes before one that is not due yet (after_seconds).
    const first = inflight.find(({ segments }) => segments.length > 0) ?? inflight[0];
    if (first === undefined) return NOTHING;
    const rest = inflight.filter((run) => run !== first);
    const resumes: readonly ResumeSignal[] = first.resume === null ? [] : [{ pause: first.resume.pause }];
    const lost = { threadId, run: refOf(first), lastStep: first.lastStep, began: first.segments.length > 0 };
    const input = restartInput(lost, this.#deps.settings.policy, {
      queue: rest.map(refOf),
      carried: { resumes, cancels: first.pause?.cancelled === undefined ? [] : [cancelOf(first)] },
    });
    try {
      await this.#client.workflow.start<(input: ThreadInput) => Promise<void>>(THREAD_WORKFLOW, {
        workflowId: threadWorkflowId(threadId),
        taskQueue: this.#taskQueue,
        args: [input],
        typedSearchAttributes: runAttributes(threadId, input.run, input.paused ? 'waiting' : startStatus(input.run)),
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
      });
      return { ...NOTHING, restarted: 1 };
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return NOTHING;
      throw error;
    }
  }

  async #tell(run: Run): Promise<Counts> {
    const handle = this.#handle(run.threadId);
    switch (messageFor(run, await handle.query<ThreadSnapshot>(SNAPSHOT_QUERY))) {
      case 'submit':
        await handle.signal<[SubmitRunSignal]>(SUBMIT_RUN_SIGNAL, { run: refOf(run) });
        return { ...NOTHING, restarted: 1 };
      case 'resume':
        await handle.signal<[ResumeSignal]>(RESUME_SIGNAL, { pause: run.resume?.pause ?? 0 });
        return { ...NOTHING, nudged: 1 };
      case 'cancel':
        await handle.signal<[CancelSignal]>(CANCEL_SIGNAL, cancelOf(run));
        return { ...NOTHING, nudged: 1 };
      case 'nothing':
        return NOTHING;
    }
  }

  #handle(threadId: string) {
    return this.#client.workflow.getHandle(threadWorkflowId(threadId));
  }
}

const cancelOf = ({ runId, pause }: Run): CancelSignal => ({ runId, action: pause?.cancelled ?? 'interrupt' });

const refOf = (run: Run): RunRef => ({
  runId: run.runId,
  assistantId: run.assistantId,
  graphId: run.graphId,
  strategy: run.multitaskStrategy,
  ...(run.notBefore !== null && { notBefore: run.notBefore.getTime() }),
});
