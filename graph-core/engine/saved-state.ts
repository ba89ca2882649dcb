// From savers to values and back.
import {
  emptyCheckpoint,
  type BaseCheckpointSaver,
  type CheckpointMetadata,
  type CheckpointTuple,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { INPUT, NULL_TASK_ID } from '../constants.js';
import { applyWrites, type Write } from './apply-writes.js';
import { countUp, type NextVersion } from './checkpoints.js';
import { withDeltas } from './delta-channels.js';
import type { ExecutableGraph } from './executable-graph.js';
import { liveState, type LiveState } from './live-state.js';
import { lastUpdated } from './plan-tasks.js';
import type { RunState, SavedState } from './superstep-contract.js';

/** The step of a thread without checkpoints: its first input is step -1. */
const STEP_BEFORE_INPUT = -2;

/** LangGraph's; supersteps of one invocation. */
export const DEFAULT_RECURSION_LIMIT = 25;

/**
 * The checkpoint that `config` names, or the latest of its namespace.
 * @returns undefined where there is none.
 */
export async function loadSaved(saver: BaseCheckpointSaver, config: RunnableConfig): Promise<SavedState | undefined> {
  const tuple = await saver.getTuple(config);
  if (tuple === undefined) return undefined;
  const saved = savedOf(tuple);
  if (!config.configurable?.['checkpoint_id']) return saved;
  const latest = await saver.getTuple({
    ...config,
    configurable: { ...config.configurable, checkpoint_id: undefined },
  });
  return { ...saved, superseded: latest !== undefined && latest.checkpoint.id !== saved.checkpoint.id };
}

/** The same, ready to make a graph's state of. */
export async function loadState(
  graph: ExecutableGraph,
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
): Promise<SavedState | undefined> {
  const saved = await loadSaved(saver, config);
  return saved && withDeltas(graph, saver, saved);
}

export function savedOf(tuple: CheckpointTuple): SavedState {
  const { config, checkpoint, parentConfig } = tuple;
  const metadata: CheckpointMetadata = tuple.metadata ?? { source: 'loop', step: STEP_BEFORE_INPUT, parents: {} };
  return { config, checkpoint, metadata, parentConfig, pendingWrites: tuple.pendingWrites ?? [] };
}

/**
 * Of a thread that has none: the state its first input is applied to. It is never saved. A checkpoint that was asked for
 * and is not there is still the parent of the first.
 */
export function nothingSaved(config: RunnableConfig): SavedState {
  return {
    config,
    checkpoint: emptyCheckpoint(),
    metadata: { source: 'input', step: STEP_BEFORE_INPUT, parents: {} },
    pendingWrites: [],
  };
}

/**
 * The position of a run that goes on from a checkpoint which its last superstep saved.
 * @param carried What of a position is not in its checkpoint, and has to be kept by whoever drives the run.
 */
export function continueFrom(saved: SavedState, { stop, replay }: Pick<RunState, 'stop' | 'replay'>): RunState {
  return { saved, stop, replay, updated: lastUpdated(saved.checkpoint) };
}

/** Number of the superstep that follows. */
export const nextStep = ({ metadata }: SavedState): number => metadata.step + 1;

export function nextVersionOf(saver: BaseCheckpointSaver | undefined): NextVersion {
  return saver === undefined ? countUp : (current) => saver.getNextVersion(current as never);
}

/** The state of a checkpoint with what a Command wrote to it, which is kept as writes of no task. */
export function stateOf(graph: ExecutableGraph, saved: SavedState, nextVersion?: NextVersion): LiveState {
  const state = liveState(graph.spec, saved.checkpoint);
  const writes = nullWrites(saved);
  if (writes.length === 0) return state;
  return applyWrites(state, [{ name: INPUT, triggers: [], writes }], nextVersion, graph.triggered).state;
}

const nullWrites = ({ pendingWrites }: SavedState): readonly Write[] =>
  pendingWrites.filter(([taskId]) => taskId === NULL_TASK_ID).map(([, channel, value]): Write => [channel, value]);
