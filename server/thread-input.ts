// The workflow input that takes up a run where its row says it is.
import type { Run } from '../storage/records.js';
import type { RunRef, StepPolicy, SuperstepResult, ThreadInput } from '../workflows/messages.js';

export const runRef = (run: Run): RunRef => ({
  runId: run.runId,
  assistantId: run.assistantId,
  graphId: run.graphId,
  strategy: run.multitaskStrategy,
  ...(run.notBefore !== null && { notBefore: run.notBefore.getTime() }),
});

/** From the last committed superstep; from the beginning where there is none. */
export function threadInputOf(run: Run, policy: StepPolicy): ThreadInput {
  const last = run.lastStep?.result as SuperstepResult | undefined;
  return {
    threadId: run.threadId,
    run: runRef(run),
    queue: [],
    recent: [],
    policy,
    ...((last?.kind === 'continue' || last?.kind === 'paused') && { progress: last.progress }),
    ...(last?.kind === 'paused' && { paused: { waitingFor: last.waitingFor } }),
  };
}
