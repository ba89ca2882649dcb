// What a caller may ask of a run, in the official SDK's names, and the body it becomes.
import type { Checkpoint } from './wire.js';

export type StreamMode =
  'values' | 'updates' | 'messages' | 'messages-tuple' | 'custom' | 'tools' | 'tasks' | 'checkpoints' | 'debug';

export interface RunCommand {
  /** The answer to what a thread waits for: any JSON but null, or a record of answers by interrupt id. */
  readonly resume?: unknown;
  readonly update?: Readonly<Record<string, unknown>> | readonly (readonly [string, unknown])[];
  readonly goto?: unknown;
}

export interface RunRequest {
  readonly input?: unknown;
  readonly command?: RunCommand;
  readonly config?: {
    readonly tags?: readonly string[];
    readonly recursion_limit?: number;
    readonly configurable?: Readonly<Record<string, unknown>>;
  };
  readonly context?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where to start from, other than the thread's latest state. */
  readonly checkpoint?: Partial<Omit<Checkpoint, 'thread_id'>>;
  readonly checkpointId?: string;
  readonly interruptBefore?: '*' | readonly string[];
  readonly interruptAfter?: '*' | readonly string[];
  /** Default: `values`. */
  readonly streamMode?: StreamMode | readonly StreamMode[];
  readonly streamSubgraphs?: boolean;
  /** Whether tokens too are kept for whoever joins later. Default here: true, so that a broken stream loses nothing. */
  readonly streamResumable?: boolean;
  readonly onDisconnect?: 'continue' | 'cancel';
  readonly multitaskStrategy?: 'reject' | 'enqueue' | 'interrupt' | 'rollback';
  readonly ifNotExists?: 'reject' | 'create';
  /** Seconds before the run may start. */
  readonly afterSeconds?: number;
  /** Of a run without a thread: whether its state is kept. */
  readonly onCompletion?: 'delete' | 'keep';
  readonly durability?: 'sync' | 'async' | 'exit';
  readonly webhook?: string;
}

/** The body of a request to run something. Absent fields stay absent. */
export function runBody(assistantId: string, request: RunRequest): Record<string, unknown> {
  return {
    assistant_id: assistantId,
    input: request.input,
    command: request.command,
    config: request.config,
    context: request.context,
    metadata: request.metadata,
    checkpoint: request.checkpoint,
    checkpoint_id: request.checkpointId,
    interrupt_before: request.interruptBefore,
    interrupt_after: request.interruptAfter,
    stream_mode: request.streamMode,
    stream_subgraphs: request.streamSubgraphs,
    stream_resumable: request.streamResumable ?? true,
    on_disconnect: request.onDisconnect,
    multitask_strategy: request.multitaskStrategy,
    if_not_exists: request.ifNotExists,
    after_seconds: request.afterSeconds,
    on_completion: request.onCompletion,
    durability: request.durability,
    webhook: request.webhook,
  };
}
