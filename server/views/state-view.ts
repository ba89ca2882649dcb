// A thread's state as clients see it (ThreadState). Values may hold messages and other objects: write it with toWireJson.
import type { StateSnapshot } from '../../graph-core/index.js';

export interface ThreadStateView {
  readonly values: unknown;
  readonly next: readonly string[];
  readonly tasks: readonly TaskView[];
  readonly metadata: unknown;
  readonly created_at: string | null;
  readonly checkpoint: CheckpointView | null;
  readonly parent_checkpoint: CheckpointView | null;
}

interface TaskView {
  readonly id: string;
  readonly name: string;
  readonly path: unknown;
  readonly error: string | null;
  readonly interrupts: readonly unknown[];
  /** Where a subgraph's own state is, when it was not asked for; `state` when it was. */
  readonly checkpoint: object | null;
  readonly state: ThreadStateView | null;
  readonly result: unknown;
}

export interface CheckpointView {
  readonly thread_id: unknown;
  readonly checkpoint_ns: unknown;
  readonly checkpoint_id: unknown;
  readonly checkpoint_map: unknown;
}

/** `checkpoint: null` tells clients that the thread has no state yet. */
export const EMPTY_STATE: ThreadStateView = {
  values: {},
  next: [],
  tasks: [],
  metadata: undefined,
  created_at: null,
  checkpoint: null,
  parent_checkpoint: null,
};

interface ConfigWithCheckpoint {
  readonly configurable?: Readonly<Record<string, unknown>>;
}

export const stateView = (state: StateSnapshot): ThreadStateView => ({
  values: state.values,
  next: state.next,
  tasks: state.tasks.map(taskView),
  metadata: state.metadata,
  created_at: state.createdAt ?? null,
  checkpoint: checkpointView(state.config),
  parent_checkpoint: checkpointView(state.parentConfig),
});

export function checkpointView(config: ConfigWithCheckpoint | undefined): CheckpointView | null {
  const at = config?.configurable;
  if (at?.checkpoint_id === undefined) return null;
  return {
    thread_id: at.thread_id,
    checkpoint_ns: at.checkpoint_ns ?? '',
    checkpoint_id: at.checkpoint_id,
    checkpoint_map: at.checkpoint_map ?? null,
  };
}

type SnapshotTask = StateSnapshot['tasks'][number];

const taskView = (task: SnapshotTask): TaskView => ({
  id: task.id,
  name: task.name,
  path: task.path,
  error: task.error === undefined || task.error === null ? null : messageOf(task.error),
  interrupts: task.interrupts,
  checkpoint: task.state !== undefined && !isSnapshot(task.state) ? (task.state.configurable ?? null) : null,
  state: task.state !== undefined && isSnapshot(task.state) ? stateView(task.state) : null,
  result: task.result ?? null,
});

const isSnapshot = (state: StateSnapshot | ConfigWithCheckpoint): state is StateSnapshot =>
  'values' in state && 'next' in state;

const messageOf = (error: unknown): string => {
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return JSON.stringify(error) ?? 'Error';
};
