// What one execution hands to the next by continue-as-new. Search attributes travel in the command: no event of their own.
import { makeContinueAsNewFunc } from '@temporalio/workflow';
import { runAttributes, startStatus, type RunRef, type ThreadInput } from './messages.js';
import type { ThreadState } from './thread-state.js';

type Thread = (input: ThreadInput) => Promise<void>;

/** The same run goes on where it is, with all that was received and not acted upon. */
export function continueRun(input: ThreadInput, state: ThreadState): Promise<never> {
  const { run, progress, queue, answers, waitingFor, pause, stop } = state;
  const { recent, cancels } = queue.carried;
  const ofThisRun = stop.action === undefined ? [] : [{ runId: run.runId, action: stop.action }];
  const next = makeContinueAsNewFunc<Thread>({
    typedSearchAttributes: runAttributes(input.threadId, run, pause === undefined ? 'running' : 'waiting'),
  });
  return next({
    threadId: input.threadId,
    run,
    queue: queue.waiting,
    recent,
    policy: input.policy,
    end: state.log.end,
    ...(progress ? { progress } : {}),
    ...(pause === undefined ? {} : { paused: { waitingFor } }),
    carried: { resumes: answers.unread, cancels: [...cancels, ...ofThisRun] },
  });
}

/** The next run of the queue begins. Answers stay behind: they were for the run that has ended. */
export function startNext(input: ThreadInput, state: ThreadState, run: RunRef): Promise<never> {
  const { recent, cancels } = state.queue.carried;
  const next = makeContinueAsNewFunc<Thread>({
    typedSearchAttributes: runAttributes(input.threadId, run, startStatus(run)),
  });
  return next({
    threadId: input.threadId,
    run,
    queue: state.queue.waiting,
    recent,
    policy: input.policy,
    carried: { resumes: [], cancels },
  });
}
