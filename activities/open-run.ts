// May this superstep run, and with what answer? Asked of the run's row, where the answer is the same for every attempt.
import type { Json, Run } from '../storage/records.js';
import type { SuperstepInput, SuperstepResult } from '../workflows/messages.js';
import type { ActivityDependencies } from './dependencies.js';

export interface OpenRun {
  readonly kind: 'open';
  readonly run: Run;
  /** Set on the superstep after a pause. */
  readonly answer?: Json;
  /** The execution's first superstep: an earlier one, ended from outside, may have left pending writes. */
  readonly firstOfExecution: boolean;
}

export type OpenedRun =
  | OpenRun
  /** Nothing to do: committed before, not to be run, or not answered. */
  | { readonly kind: 'closed'; readonly result: SuperstepResult };

export interface StepAt {
  readonly step: number;
  readonly attempt: number;
  readonly executionId: string;
}

export async function openRun({ runs }: ActivityDependencies, input: SuperstepInput, at: StepAt): Promise<OpenedRun> {
  const { runId } = input.run;
  if (input.resume?.value !== undefined) {
    // An operator's answer, straight to the workflow: it has to win the pause like any other. Lost, the row has another.
    await runs.claimPause(runId, input.resume.value as Json);
  }
  let run = input.progress === undefined ? null : await runs.read(runId);
  const firstOfExecution = run === null || !run.segments.some(({ executionId }) => executionId === at.executionId);
  if (firstOfExecution && run?.state !== 'paused') {
    run = await runs.begin(runId, { executionId: at.executionId, from: input.end, step: at.step, attempt: at.attempt });
  }
  if (run === null) return { kind: 'closed', result: { kind: 'gone' } };
  if ((run.lastStep?.step ?? 0) >= at.step) return { kind: 'closed', result: run.lastStep?.result as SuperstepResult };
  if (run.state === 'paused') return { kind: 'closed', result: stillPaused(run) };
  if (run.state !== 'running') return { kind: 'closed', result: { kind: 'gone' } };
  const answer = run.resume?.pause === input.progress?.pauses ? run.resume?.answer : undefined;
  return { kind: 'open', run, firstOfExecution, ...(answer !== undefined && { answer }) };
}

/** A signal without a usable answer, sent by hand: the pause stands as it was. */
const stillPaused = (run: Run): SuperstepResult =>
  ({ ...(run.lastStep?.result as SuperstepResult), batches: [] }) as SuperstepResult;
