// The state that a superstep starts from: the checkpoint that the workflow names, or for a run's first superstep the
// thread's, with the run's input applied.
import {
  beginRun,
  checkContext,
  checkInput,
  continueFrom,
  isResumeMap,
  loadState,
  readValues,
  runSuperstep,
  savedOf,
  START,
  type CheckpointCommit,
  type CompiledGraph,
  type PlannedTask,
  type RunOptions,
  type RunState,
  type SavedState,
  type StreamChunk,
  type SuperstepOutcome,
  type SuperstepPorts,
  withDeltas,
} from '../graph-core/index.js';
import type { Json, Pause, Run, StepCommit } from '../storage/records.js';
import type { RunProgress } from '../workflows/messages.js';
import type { ActivityDependencies } from './dependencies.js';
import { RunFailure } from './failures.js';
import { answerInput, runInput } from './run-options.js';
import { TaskWrites } from './task-writes.js';

export interface StepStart {
  readonly state: RunState;
  /** Not saved yet. */
  readonly commits: readonly CheckpointCommit[];
  readonly pendingWrites: StepCommit['pendingWrites'];
  /** To be streamed before anything of the superstep. */
  readonly opening: readonly StreamChunk[];
  /** The tasks of the superstep, where beginning has planned them. */
  readonly next?: readonly PlannedTask[];
  /** Present when START was the last superstep: no node runs, or a breakpoint comes first. */
  readonly outcome?: SuperstepOutcome;
}

export async function stateAt(
  { cache, saver }: ActivityDependencies,
  graph: CompiledGraph,
  threadId: string,
  progress: RunProgress,
  pendingWrites: 'none' | 'read',
): Promise<SavedState> {
  const configurable = { thread_id: threadId, checkpoint_ns: '', checkpoint_id: progress.checkpointId };
  const tuple = await cache.get({ configurable }, { pendingWrites });
  if (tuple === undefined) throw checkpointMissing(threadId, progress);
  return withDeltas(graph, saver, savedOf(tuple));
}

/**
 * Where a paused run goes on: the thread's latest checkpoint, which is another than the run stopped at when somebody
 * has edited the state meanwhile.
 */
export async function stateToResume(
  { saver }: ActivityDependencies,
  graph: CompiledGraph,
  threadId: string,
  progress: RunProgress,
): Promise<SavedState> {
  const saved = await loadState(graph, saver, { configurable: { thread_id: threadId, checkpoint_ns: '' } });
  if (saved === undefined) throw checkpointMissing(threadId, progress);
  return saved;
}

const checkpointMissing = (threadId: string, { checkpointId }: RunProgress): RunFailure =>
  new RunFailure(
    'CHECKPOINT_MISSING',
    `Checkpoint ${checkpointId} of thread ${threadId} is gone; was the thread deleted?`,
  );

export function continued(graph: CompiledGraph, saved: SavedState, progress: RunProgress): StepStart {
  const state = continueFrom(saved, progress);
  if (progress.step > 1) return { state, commits: [], pendingWrites: [], opening: [] };
  // An earlier attempt has saved the run's beginning, which is why there is progress.
  const payload = readValues(graph, saved);
  const opening = [{ ns: [], mode: 'values', payload, checkpointId: saved.checkpoint.id }] as const;
  return { state, commits: [], pendingWrites: [], opening };
}

/** The run was paused and has its answer. Repeating it is harmless: nothing is saved before the superstep's commit. */
export async function resumed(
  graph: CompiledGraph,
  saved: SavedState,
  answer: Json,
  run: Run,
  options: RunOptions,
  ports: SuperstepPorts,
): Promise<StepStart> {
  const asked = run.pause?.interrupts ?? [];
  const input = await checkInput(graph, answerInput(answerTo(asked, answer), asked.length));
  const { state, commits, pendingWrites, chunks } = beginRun(graph, saved, input, options, ports);
  return { state, commits, pendingWrites, opening: chunks };
}

/**
 * The only question's answer by itself: an edit of the state gives the tasks of the new checkpoint, and with them their
 * questions, other ids than the ones the answer names. Of several questions, those that have new ids are asked again.
 */
function answerTo(asked: Pause['interrupts'], answer: Json): Json {
  const [only] = asked;
  if (only === undefined || asked.length > 1 || !isResumeMap(answer)) return answer;
  return answer[only.id] ?? answer;
}

export async function begun(
  graph: CompiledGraph,
  run: Run,
  options: RunOptions,
  ports: SuperstepPorts & { readonly saver: NonNullable<SuperstepPorts['saver']> },
): Promise<StepStart> {
  const input = await checkInput(graph, runInput(run));
  await checkContext(graph, options.config);
  const saved = await loadState(graph, ports.saver, options.config);
  const { commits, state, chunks: opening, ...begun } = beginRun(graph, saved, input, options, ports);
  // A functional graph has no START: its one superstep is worth an activity from the first.
  if (input.kind !== 'input' || !(START in graph.spec.nodes)) return { ...begun, state, commits, opening };
  // START maps the input to channels: a superstep of its own to the engine, not worth an activity.
  const writes = new TaskWrites(ports.saver, () => START);
  writes.startFrom(state);
  const outcome = await runSuperstep(graph, state, options, { ...ports, saveWrites: writes.save });
  const pendingWrites = [...begun.pendingWrites, ...writes.toCommit];
  if (outcome.kind !== 'continue' || !outcome.hidden) return { state, commits, pendingWrites, opening, outcome };
  return { state: outcome.state, commits: [...commits, outcome.commit], pendingWrites, opening, next: outcome.next };
}
