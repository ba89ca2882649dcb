// What the service answers, as it is on the wire: the LangGraph Platform's records and, under /api, ours.

export type RunStatus = 'pending' | 'running' | 'success' | 'error' | 'timeout' | 'interrupted';
export type ThreadStatus = 'idle' | 'busy' | 'interrupted' | 'error';
export type Metadata = Readonly<Record<string, unknown>>;

export interface Assistant {
  readonly assistant_id: string;
  readonly graph_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly context?: unknown;
  readonly metadata: Metadata;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface WireInterrupt {
  readonly id?: string;
  readonly value: unknown;
}

export interface Thread<Values = unknown> {
  readonly thread_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly metadata: Metadata;
  readonly status: ThreadStatus;
  /** null before the first run. */
  readonly values: Values | null;
  /** By task id. */
  readonly interrupts: Readonly<Record<string, readonly WireInterrupt[]>>;
}

export interface Checkpoint {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly checkpoint_map?: Readonly<Record<string, string>> | null;
}

export interface ThreadTask {
  readonly id: string;
  readonly name: string;
  readonly path?: readonly unknown[];
  readonly error: string | null;
  readonly interrupts: readonly WireInterrupt[];
  readonly checkpoint: Partial<Checkpoint> | null;
  readonly state: ThreadState | null;
  readonly result?: unknown;
}

export interface ThreadState<Values = unknown> {
  readonly values: Values;
  /** Nodes of the superstep to come; empty when the graph is done. */
  readonly next: readonly string[];
  readonly tasks: readonly ThreadTask[];
  readonly metadata?: Metadata;
  readonly created_at: string | null;
  /** null: nothing ran on this thread yet. */
  readonly checkpoint: Checkpoint | null;
  readonly parent_checkpoint: Checkpoint | null;
}

export interface Run {
  readonly run_id: string;
  readonly thread_id: string;
  readonly assistant_id: string;
  /** A run that waits for a person reads `success`, and its thread `interrupted`. */
  readonly status: RunStatus;
  readonly metadata: Metadata;
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly multitask_strategy: string;
  readonly created_at: string;
  readonly updated_at: string;
}
