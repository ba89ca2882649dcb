// A checkpoint as callers of `getState` see it.
import type { CheckpointMetadata, CheckpointPendingWrite } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { ERROR, INTERRUPT, SCHEDULED } from '../constants.js';
import { InvalidUpdateError } from '../errors.js';
import { applyWrites, type TaskWrites, type Write } from './apply-writes.js';
import type { ExecutableGraph } from './executable-graph.js';
import { liveState, readChannels, type Keys, type LiveState } from './live-state.js';
import { planTasks, type Task } from './plan-tasks.js';
import { nextStep, stateOf } from './saved-state.js';
import type { StateSnapshot, TaskSnapshot } from './snapshot.js';
import { taskSnapshot } from './stream-payloads.js';
import type { SavedState } from './superstep-contract.js';

export interface SnapshotOptions {
  /** What finished tasks of the unfinished superstep wrote counts as done: for the latest state, not for one of the past. */
  readonly pendingWrites: 'applied' | 'left';
  /** What to show as the state of a task that is a graph. */
  readonly subgraphState: (task: Task) => TaskSnapshot['state'];
}

/** The values of a checkpoint; `keys` are the graph's state by default. */
export function readValues(
  { spec }: ExecutableGraph,
  { checkpoint }: Pick<SavedState, 'checkpoint'>,
  keys: Keys = spec.streamChannels,
): unknown {
  return readChannels(liveState(spec, checkpoint).channels, keys);
}

export function noState(config: RunnableConfig): StateSnapshot {
  return { values: {}, next: [], config, tasks: [] };
}

/** Tasks that follow a checkpoint. */
export function tasksAfter(graph: ExecutableGraph, saved: SavedState, state = stateOf(graph, saved)): readonly Task[] {
  const ns = String(saved.config.configurable?.['checkpoint_ns'] ?? '');
  return planTasks(graph, state, { step: nextStep(saved), ns });
}

export function stateSnapshot(graph: ExecutableGraph, saved: SavedState, options: SnapshotOptions): StateSnapshot {
  const state = stateOf(graph, saved);
  const tasks = tasksAfter(graph, saved, state);
  const { shown, done } =
    options.pendingWrites === 'applied' ? withFinished(graph, state, tasks, saved) : { shown: state, done: NO_TASKS };
  const keys = graph.spec.streamChannels;
  const threadId = saved.config.configurable?.['thread_id'] as string | undefined;
  return {
    values: readChannels(shown.channels, keys),
    next: tasks.filter((task) => !done.has(task)).map((task) => task.name),
    tasks: tasks.map((task) => taskSnapshot(task, saved.pendingWrites, options.subgraphState(task), keys)),
    metadata: threadId === undefined ? saved.metadata : { ...saved.metadata, thread_id: threadId },
    config: withCheckpointMap(saved.config, saved.metadata),
    createdAt: saved.checkpoint.ts,
    parentConfig: saved.parentConfig,
  };
}

const NO_TASKS: ReadonlySet<Task> = new Set();

/** Where the writes of finished tasks do not fit together, which is why their superstep failed, the state is shown without. */
function withFinished(
  graph: ExecutableGraph,
  state: LiveState,
  tasks: readonly Task[],
  { pendingWrites }: SavedState,
): { readonly shown: LiveState; readonly done: ReadonlySet<Task> } {
  const finished = tasksWithWrites(tasks, pendingWrites);
  if (finished.length === 0) return { shown: state, done: NO_TASKS };
  try {
    const { state: shown } = applyWrites(state, finished.map(taskWrites), undefined, graph.triggered);
    return { shown, done: new Set(finished.map(({ task }) => task)) };
  } catch (error) {
    if (error instanceof InvalidUpdateError) return { shown: state, done: NO_TASKS };
    throw error;
  }
}

export interface TaskWithWrites {
  readonly task: Task;
  readonly writes: readonly Write[];
}

/** The tasks that left something other than an error or a question. */
export function tasksWithWrites(
  tasks: readonly Task[],
  pendingWrites: readonly CheckpointPendingWrite[],
): readonly TaskWithWrites[] {
  return tasks
    .map((task) => ({
      task,
      writes: pendingWrites
        .filter(([taskId, channel]) => taskId === task.id && !NOT_APPLIED.has(channel))
        .map(([, channel, value]): Write => [channel, value]),
    }))
    .filter(({ writes }) => writes.length > 0);
}

const NOT_APPLIED: ReadonlySet<string> = new Set([ERROR, INTERRUPT, SCHEDULED]);

export const taskWrites = ({ task: { name, path, triggers }, writes }: TaskWithWrites): TaskWrites => ({
  name,
  path,
  triggers,
  writes,
});

/** A nested graph's config leads back to its parents' checkpoints too. */
export function withCheckpointMap(config: RunnableConfig, metadata: CheckpointMetadata | undefined): RunnableConfig {
  const parents = metadata?.parents ?? {};
  if (Object.keys(parents).length === 0) return config;
  const { checkpoint_ns, checkpoint_id } = (config.configurable ?? {}) as Record<string, string>;
  return {
    ...config,
    configurable: { ...config.configurable, checkpoint_map: { ...parents, [checkpoint_ns ?? '']: checkpoint_id } },
  };
}
