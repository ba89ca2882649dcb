// The `thread` workflow. One execution is one run, or a stretch of one; the next run of the queue is the next execution.
//   T1. Its id is the thread's lock: whoever runs a superstep of the thread was called from here.
//   T2. It knows nothing of the graph. Activities decide; it orders them, waits for people, and keeps the log.
//   T3. A waiting run is a condition: no timer, no activity, nothing in memory once it is evicted from the cache.
//   T4. No await between the last drain and the end of an execution: a message that was accepted is acted upon or carried.
import { CancellationScope, CancelledFailure, condition, patched, workflowInfo } from '@temporalio/workflow';
import { threadCalls, type ThreadCalls } from './activity-calls.js';
import { continueRun, startNext } from './next-execution.js';
import { endingOf, failedRow, supersededBy, type Ended, type Ending } from './run-ending.js';
import { receiveMessages, ThreadState } from './thread-state.js';
import type { ResumeSignal, ThreadInput } from './messages.js';

/** A cold query, and every query of a closed execution, replays it at about 1 ms an event (measured). */
const HISTORY_EVENTS_PER_EXECUTION = 1_000;

/** Without the signal by then, whoever aborted the nodes has died before sending it. */
const LATE_CANCEL_TIMEOUT = '10s';

export async function thread(input: ThreadInput): Promise<void> {
  const calls = threadCalls(input.policy);
  const state = new ThreadState(input, calls);
  receiveMessages(state);
  const root = CancellationScope.current();
  root.cancelRequested.catch(() => state.stop.request('interrupt')); // "Request Cancellation" in the Temporal UI
  await CancellationScope.nonCancellable(async () => {
    const ended = await runUntil(state, calls);
    while (!state.drained) await condition(() => state.drained);
    // T4: nothing waits from here on.
    if (ended === 'history is long') return continueRun(input, state);
    if (ended === 'not due') return startNext(input, state, state.queue.defer(Date.now()));
    state.view.show(ended.status);
    const next = state.queue.shift(Date.now());
    if (next !== undefined) return startNext(input, state, next);
    if (ended.error !== undefined) throw failedRow(ended.error);
    if (root.consideredCancelled) throw new CancelledFailure('The workflow was cancelled, which interrupted the run.');
  });
}

/** The present run, superstep by superstep. */
async function runUntil(state: ThreadState, calls: ThreadCalls): Promise<Ended | 'history is long' | 'not due'> {
  if ((await untilStartTime(state)) === 'not due') return 'not due';
  for (;;) {
    const { pause } = state;
    const resume = pause === undefined ? undefined : await untilAnswered(state, calls, pause);
    const ended = resume?.kind === 'ended' ? resume : await superstep(state, calls, resume?.answer);
    if (ended !== undefined) return ended;
    if (historyIsLong()) return 'history is long';
  }
}

/** `after_seconds`: the only timer. A cancel cuts it short; a run that is due before this one takes its turn. */
async function untilStartTime(state: ThreadState): Promise<'due' | 'not due'> {
  if (state.state !== 'delayed') return 'due';
  const { queue, stop, run } = state;
  // Executions that began before it waited, and all later runs of their thread behind them. To go with 0.2.
  const lets = patched('due-runs-first') ? () => queue.overtakes : () => false;
  const stopped = () => stop.action !== undefined;
  const waitMs = (run.notBefore ?? 0) - Date.now();
  const summary = 'start of the run (after_seconds)';
  if (waitMs > 0) await condition(() => stopped() || lets(), waitMs, { summary });
  if (!stopped() && lets() && Date.now() < (run.notBefore ?? 0)) return 'not due';
  state.goOn();
  return 'due';
}

/** Returns the run's end, if this superstep was the last. */
async function superstep(state: ThreadState, calls: ThreadCalls, resume?: ResumeSignal): Promise<Ended | undefined> {
  const { threadId, run, progress, log, stop } = state;
  if (stop.action !== undefined) return settle(state, calls, stop.ending());
  try {
    const input = { threadId, run, end: log.end, ...(progress ? { progress } : {}), ...(resume ? { resume } : {}) };
    return state.apply(await stop.cancellable(() => calls.superstep(input)));
  } catch (failure) {
    const ending = endingOf(failure);
    // Where server and worker share a process, a cancel reaches the nodes before its signal reaches us.
    if (ending.outcome.kind === 'interrupted' && stop.action === undefined)
      await condition(() => stop.action !== undefined, LATE_CANCEL_TIMEOUT);
    return settle(state, calls, stop.action === undefined ? ending : stop.ending(ending));
  }
}

/** Until a person answers, somebody stops the run, or a new run takes the thread. */
async function untilAnswered(
  state: ThreadState,
  calls: ThreadCalls,
  pause: number,
): Promise<{ readonly kind: 'answered'; readonly answer?: ResumeSignal } | Ended> {
  const { answers, queue, stop } = state;
  const answeredOrStopped = () => answers.has(pause) || stop.action !== undefined;
  await condition(() => answeredOrStopped() || queue.waiting.length > 0);
  if (!answeredOrStopped()) {
    const ended = await settle(state, calls, supersededBy(queue.waiting));
    if (ended !== undefined) return ended;
    // The answer had been accepted before the new run came; its signal is on the way.
    await condition(answeredOrStopped);
  }
  const answer = answers.take(pause);
  state.goOn(); // a stop is found by the superstep
  return { kind: 'answered', ...(answer ? { answer } : {}) };
}

/** Ends the run other than by its last superstep. Undefined: it goes on (only where it was to be superseded). */
async function settle(state: ThreadState, calls: ThreadCalls, ending: Ending): Promise<Ended | undefined> {
  const { threadId, run } = state;
  const { end, beyondEnd, outcome } = state.settling(ending);
  const result = await calls.settle({ threadId, run, end, beyondEnd, outcome });
  return state.settled(result, ending);
}

function historyIsLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength >= HISTORY_EVENTS_PER_EXECUTION || continueAsNewSuggested;
}
