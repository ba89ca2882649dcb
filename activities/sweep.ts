// The `sweep` activity: brings Temporal in line with the rows. They part when a process dies between the two, when an
// operator ends a workflow from outside, or when Temporal loses its data. It also deletes threads that were temporary.
import { Context } from '@temporalio/activity';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { Run } from '../storage/records.js';
import {
  FAILURE,
  RESUME_SIGNAL,
  SNAPSHOT_QUERY,
  SUBMIT_RUN_UPDATE,
  THREAD_WORKFLOW,
  restartInput,
  runAttributes,
  startStatus,
  threadWorkflowId,
  type ResumeSignal,
  type RunRef,
  type SubmitAnswer,
  type SweepActivities,
  type ThreadInput,
  type ThreadSnapshot,
} from '../workflows/messages.js';
import type { ActivityDependencies } from './dependencies.js';
import { messageFor, remedyFor, type ThreadExecution } from './lost-run.js';
import { settle } from './settle.js';

/** Of one sweep; the next one comes soon. */
const MAX_RUNS = 500;
const MAX_THREADS = 500;
/** Whoever waits for a stateless run, or comes back to its stream, has this long to get its end. */
const TEMPORARY_THREAD_GRACE_MS = 5 * 60_000;

type Done = 'restarted' | 'closed' | 'nudged' | 'nothing';

export function sweepActivity(deps: ActivityDependencies): SweepActivities['sweep'] {
  return async () => {
    const { client, info } = Context.current();
    const sweeper = new Sweeper(deps, client, info.taskQueue);
    const runs = await deps.runs.listOpen({ olderThanMs: deps.settings.sweepAfterMs, limit: MAX_RUNS });
    const done = { restarted: 0, closed: 0, nudged: 0, nothing: 0 };
    for (const run of runs) {
      Context.current().heartbeat();
      done[await sweeper.mend(run)] += 1;
    }
    await deleteTemporaryThreads(deps);
    return { restarted: done.restarted, closed: done.closed, nudged: done.nudged };
  };
}

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

  /** A run that cannot be mended now must not keep the others from it: the next sweep finds it again. */
  async mend(run: Run): Promise<Done> {
    try {
      const remedy = remedyFor(run, await this.#execution(run.threadId));
      switch (remedy.kind) {
        case 'none':
          return 'nothing';
        case 'close': {
          const error = { error: FAILURE.runFailed, message: remedy.message };
          const outcome = { kind: remedy.outcome, error } as const;
          const end = run.lastStep?.end ?? { seq: -1, frame: -1 };
          await settle(this.#deps, { threadId: run.threadId, run: refOf(run), end, beyondEnd: 'unknown', outcome });
          return 'closed';
        }
        case 'start':
          return await this.#start(run.threadId);
        case 'ask':
          return await this.#tell(run);
      }
    } catch (error) {
      Context.current().log.warn('A run could not be mended', { runId: run.runId, error });
      return 'nothing';
    }
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
  async #start(threadId: string): Promise<Done> {
    const [first, ...rest] = await this.#deps.runs.listInflight(threadId);
    if (first === undefined) return 'nothing';
    const resumes: readonly ResumeSignal[] = first.resume === null ? [] : [{ pause: first.resume.pause }];
    const lost = { threadId, run: refOf(first), lastStep: first.lastStep, began: first.segments.length > 0 };
    const input = restartInput(lost, this.#deps.settings.policy, {
      queue: rest.map(refOf),
      carried: { resumes, cancels: [] },
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
      return 'restarted';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'nothing';
      throw error;
    }
  }

  async #tell(run: Run): Promise<Done> {
    const handle = this.#handle(run.threadId);
    switch (messageFor(run, await handle.query<ThreadSnapshot>(SNAPSHOT_QUERY))) {
      case 'submit':
        await handle.executeUpdate<SubmitAnswer, [RunRef]>(SUBMIT_RUN_UPDATE, {
          updateId: run.runId,
          args: [refOf(run)],
        });
        return 'restarted';
      case 'resume':
        await handle.signal<[ResumeSignal]>(RESUME_SIGNAL, { pause: run.resume?.pause ?? 0 });
        return 'nudged';
      case 'nothing':
        return 'nothing';
    }
  }

  #handle(threadId: string) {
    return this.#client.workflow.getHandle(threadWorkflowId(threadId));
  }
}

const refOf = (run: Run): RunRef => ({
  runId: run.runId,
  assistantId: run.assistantId,
  graphId: run.graphId,
  strategy: run.multitaskStrategy,
  ...(run.notBefore !== null && { notBefore: run.notBefore.getTime() }),
});
