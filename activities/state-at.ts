// The state that a superstep starts from: the checkpoint that the workflow names, or for a run's first superstep the
// thread's, with the run's input applied.
import {
  beginRun,
  continueFrom,
  loadSaved,
  readValues,
  runSuperstep,
  savedOf,
  type CheckpointCommit,
  type CompiledGraph,
  type PlannedTask,
  type RunOptions,
  type RunState,
  type SavedState,
  type SuperstepOutcome,
  type SuperstepPorts,
} from '../graph-core/index.js';
import type { Json, Run, StepCommit } from '../storage/records.js';
import type { RunProgress } from '../workflows/messages.js';
import type { ActivityDependencies } from './dependencies.js';
import { RunFailure } from './failures.js';
import { answerInput, runInput } from './run-options.js';

export interface StepStart {
  readonly state: RunState;
  /** Not saved yet. */
  readonly commits: readonly CheckpointCommit[];
  readonly pendingWrites: StepCommit['pendingWrites'];
  /** The tasks of the superstep, where beginning has planned them. */
  readonly next?: readonly PlannedTask[];
  /** Present when START was the last superstep: no node runs, or a breakpoint comes first. */
  readonly outcome?: SuperstepOutcome;
}

export async function stateAt(
  { cache }: ActivityDependencies,
  threadId: string,
  progress: RunProgress,
  pendingWrites: 'none' | 'read',
): Promise<SavedState> {
  const configurable = { thread_id: threadId, checkpoint_ns: '', checkpoint_id: progress.checkpointId };
  const tuple = await cache.get({ configurable }, { pendingWrites });
  if (tuple === undefined) {
    throw new RunFailure(
      'CHECKPOINT_MISSING',
      `Checkpoint ${progress.checkpointId} of thread ${threadId} is gone; was the thread deleted?`,
    );
  }
  return savedOf(tuple);
}

export function continued(
  graph: CompiledGraph,
  saved: SavedState,
  { step, stop }: RunProgress,
  { emit }: Pick<SuperstepPorts, 'emit'>,
): StepStart {
  // An earlier attempt has saved the run's beginning; whether anybody heard of it is not known.
  if (step === 1)
    emit({ ns: [], mode: 'values', payload: readValues(graph, saved), checkpointId: saved.checkpoint.id });
  return { state: continueFrom(saved, stop), commits: [], pendingWrites: [] };
}

/** The run was paused and has its answer. Repeating it is harmless: nothing is saved before the superstep's commit. */
export function resumed(
  graph: CompiledGraph,
  saved: SavedState,
  answer: Json,
  run: Run,
  options: RunOptions,
  ports: SuperstepPorts,
): StepStart {
  const begun = beginRun(graph, saved, answerInput(answer, run.pause?.interrupts.length ?? 0), options, ports);
  for (const chunk of begun.chunks) ports.emit(chunk);
  return { state: begun.state, commits: begun.commits, pendingWrites: begun.pendingWrites };
}

export async function begun(
  graph: CompiledGraph,
  run: Run,
  options: RunOptions,
  ports: SuperstepPorts & { readonly saver: NonNullable<SuperstepPorts['saver']> },
): Promise<StepStart> {
  const input = runInput(run);
  const saved = await loadSaved(ports.saver, options.config);
  const { commits, pendingWrites, state, chunks } = beginRun(graph, saved, input, options, ports);
  for (const chunk of chunks) ports.emit(chunk);
  if (input.kind !== 'input') return { state, commits, pendingWrites };
  // START maps the input to channels: a superstep of its own to the engine, not worth an activity.
  const outcome = await runSuperstep(graph, state, options, { ...ports, saveWrites: () => undefined });
  if (outcome.kind !== 'continue' || !outcome.hidden) return { state, commits, pendingWrites, outcome };
  return { state: outcome.state, commits: [...commits, outcome.commit], pendingWrites, next: outcome.next };
}
