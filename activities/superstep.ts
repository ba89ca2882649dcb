// The `superstep` activity: one visible superstep of a run's graph, exactly one checkpoint however often it is attempted.
//   A1. The row says whether the step is committed; a retry that finds it returns what was committed, ids included.
//   A2. What the step changes (checkpoint, run, thread, its part of the log) is one transaction.
//   A3. `values`, `checkpoints`, pauses and ends are announced after that transaction, never before.
// Dead before the commit: the next attempt runs the tasks whose writes are not saved. Dead after it: A1.
import { runSuperstep, type SuperstepPorts } from '../graph-core/index.js';
import type { Run } from '../storage/records.js';
import type { SuperstepInput, SuperstepResult, ThreadActivities } from '../workflows/messages.js';
import { AttemptBudget } from './attempt-budget.js';
import { uncarry } from './carried-values.js';
import { beginningOf, commitBeginning, commitOutcome } from './commit-step.js';
import type { ActivityDependencies } from './dependencies.js';
import { untilDrained } from './drained-step.js';
import { messageIdsOf } from './message-ids.js';
import { openRun, type OpenRun } from './open-run.js';
import { boundTo, runOptions } from './run-options.js';
import { memoryOf } from './run-memory.js';
import { RunSaver } from './run-saver.js';
import { begun, continued, resumed, stateAt, stateToResume, type StepStart } from './state-at.js';
import { checkStorable } from './state-limits.js';
import { SuperstepAttempt } from './superstep-attempt.js';
import { TaskWrites } from './task-writes.js';

export function superstepActivity(deps: ActivityDependencies): ThreadActivities['superstep'] {
  const budget = new AttemptBudget(deps.runs, deps.settings.stepAttempts);
  return async (input) => {
    const attempt = new SuperstepAttempt(deps, budget, input);
    try {
      const latest = input.progress === undefined ? latestOf(deps, input.threadId) : undefined;
      const opened = await openRun(deps, input, attempt);
      return opened.kind === 'closed' ? opened.result : await superstep(deps, budget, attempt, input, opened, latest);
    } catch (error) {
      throw await attempt.failure(error);
    } finally {
      attempt.end();
    }
  };
}

/**
 * A run's first superstep starts from it, as a rule; so it is read while the row is asked. Nobody else changes it meanwhile:
 * the run is accepted, and the thread's earlier ones are over.
 */
function latestOf({ saver }: ActivityDependencies, threadId: string): ReturnType<typeof saver.getTuple> {
  const latest = saver.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: '' } });
  latest.catch(() => undefined); // Whoever awaits it learns of it.
  return latest;
}

async function superstep(
  deps: ActivityDependencies,
  budget: AttemptBudget,
  attempt: SuperstepAttempt,
  input: SuperstepInput,
  opened: OpenRun,
  latest: ReturnType<typeof latestOf> | undefined,
): Promise<SuperstepResult> {
  const { run, answer } = opened;
  const progress = input.progress ?? beginningOf(run);
  const nodes = progress?.next ?? input.run.firstNodes ?? [];
  const ledger = await budget.open(run, attempt, nodes);

  const asked = runOptions(run, progress === undefined ? 'checkpoint' : 'latest');
  const graph = await deps.graphs.get(run.graphId, asked.config);
  const options = boundTo(graph, asked);
  const fresh = attempt.attempt === 1 && !opened.firstOfExecution && answer === undefined;
  const saved =
    progress &&
    (answer === undefined
      ? await uncarry(
          deps,
          graph,
          await stateAt(deps, graph, run.threadId, progress, fresh ? 'none' : 'read'),
          progress,
        )
      : await stateToResume(deps, graph, run.threadId, progress));
  if (attempt.attempt > 1) await attempt.recover();
  const writer = attempt.begin(run, ledger, saved && attempt.step > 1 ? messageIdsOf(saved.checkpoint) : [], nodes);

  const { saver: allRuns, steps } = deps;
  const beforeSave = () => writer.reportsKept();
  const unread = progress === undefined ? latest : undefined;
  const saver = new RunSaver({ saver: allRuns, steps, run, at: attempt, beforeSave, latest: unread });
  const writes = new TaskWrites(saver, attempt.nodeOf, () => writer.leaveToCommit());
  const ports = {
    saver,
    ...memoryOf(deps, graph, run),
    saveWrites: writes.save,
    deltas: 'replayed',
    emit: attempt.emit,
    signal: attempt.signal,
    control: attempt.control,
    retries: 'caller',
    ...(ledger && { failedAttempts: ledger.nodeFailures }),
    checkWrite: checkStorable,
    attempt: attempt.attempt,
    told: attempt.toldBefore,
    // What finished in an attempt that died before it could say so was told by nobody; what a pause lies before, is known.
    untold:
      attempt.attempt > 1 && answer === undefined && (attempt.step > 1 || hasInput(run)) ? 'as finished' : 'as cached',
    left: (stopped) => {
      // Not the run or the worker was stopped, but the superstep took too long.
      if (!attempt.signal.aborted) writes.close();
      attempt.left(stopped);
    },
  } satisfies SuperstepPorts;

  const at = {
    deps,
    graph,
    run,
    step: attempt.step,
    attempt: attempt.attempt,
    pauses: progress?.pauses ?? 0,
    writer,
    writes,
  };
  let start: StepStart;
  if (progress === undefined || saved === undefined) start = await begun(graph, run, options, ports);
  else if (answer !== undefined) start = await resumed(graph, saved, answer, run, options, ports);
  else start = continued(graph, saved, progress);
  attempt.open(start.opening);
  const context = { ...at, nodes: start.next?.map(({ node }) => node) ?? nodes };
  if (start.outcome !== undefined) return commitOutcome(context, start, start.outcome, attempt.heldChunks);

  if (progress === undefined) start = await commitBeginning(context, start, input.end);
  writes.startFrom(start.state);
  attempt.replays(start.state.saved.pendingWrites.map(([taskId]) => taskId));
  const step = { deps, graph, run, start, nodes: context.nodes, control: attempt.control };
  const outcome = await untilDrained(step, () => runSuperstep(graph, start.state, options, ports));
  return commitOutcome(context, start, outcome, attempt.heldChunks);
}

/** Otherwise the run may go on from a superstep that an earlier run has left half done. */
const hasInput = ({ kwargs }: Run): boolean => kwargs.input !== undefined && kwargs.input !== null;
