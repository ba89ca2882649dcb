// What a run streams while it goes.
import type { CheckpointEnvelope } from './stream/protocol.js';

/**
 * `values`: the whole state after each superstep. `updates`: what each task wrote, as it finishes. `messages`: chat model
 * tokens and messages with where they come from. `custom`: what nodes hand to `config.writer`. `tools`: start, events and
 * end of each tool call. `tasks`: start and end of each task. `checkpoints`: each checkpoint as saved. `debug`: the last
 * two with a time and a step number.
 */
export type StreamMode = 'values' | 'updates' | 'messages' | 'custom' | 'tools' | 'tasks' | 'checkpoints' | 'debug';

export const STREAM_MODES: readonly StreamMode[] = [
  'values',
  'updates',
  'messages',
  'custom',
  'tools',
  'tasks',
  'checkpoints',
  'debug',
];

export interface StreamChunk {
  /** Where in the nesting of graphs it comes from: `[]` at the root, else `["node:taskId", ...]`. */
  readonly ns: readonly string[];
  readonly mode: StreamMode;
  readonly payload: unknown;
  /** Set on a root `values` chunk whose payload is exactly this checkpoint's state, so that a log may refer to it. */
  readonly checkpointId?: string;
  /** Set on a `values` chunk but for questions: the checkpoint that the values are shown with. */
  readonly envelope?: CheckpointEnvelope;
}

/** What comes with a chunk besides its payload. */
export type ChunkMarks = Pick<StreamChunk, 'checkpointId' | 'envelope'>;
