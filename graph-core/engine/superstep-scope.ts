// What the tasks of one superstep have in common.
import type { CallbackManager } from '@langchain/core/callbacks/manager';
import type { ChunkMarks, StreamChunk, StreamMode } from '../stream-mode.js';
import type { ExecutableGraph } from './executable-graph.js';
import type { Keys, LiveState } from './live-state.js';
import { namespacePath } from './namespaces.js';
import type { RunOptions, RunState, SuperstepPorts } from './superstep-contract.js';
import type { AnswerForAnyone } from './task-context.js';

export interface SuperstepScope {
  readonly graph: ExecutableGraph;
  readonly from: RunState;
  readonly options: RunOptions;
  readonly ports: SuperstepPorts;
  /** As all tasks see it (S1). */
  readonly state: LiveState;
  readonly step: number;
  /** Checkpoint namespace of the graph; empty at the root. */
  readonly ns: string;
  /** LangChain's callbacks for this superstep's tasks; absent where nobody listens. */
  readonly callbacks?: CallbackManager;
  readonly streams: ChunkWriter;
  /** Of a resumed run. */
  readonly answerForAnyone?: AnswerForAnyone;
  /** Aborts the tasks. */
  readonly signal: AbortSignal;
}

/** Emits chunks of one graph, of the modes that are wanted. */
export interface ChunkWriter {
  readonly wants: (mode: StreamMode) => boolean;
  readonly write: (mode: StreamMode, payload: unknown, marks?: ChunkMarks) => void;
}

export const namespaceOf = ({ config }: Pick<RunOptions, 'config'>): string =>
  String(config.configurable?.['checkpoint_ns'] ?? '');

export const outputKeys = ({ spec }: ExecutableGraph, options: RunOptions): Keys =>
  options.outputKeys ?? spec.streamChannels;

/** `tasks` and `checkpoints` are in `debug` too, so either mode wants them. */
export function chunkWriter(options: RunOptions, step: number, emit: (chunk: StreamChunk) => void): ChunkWriter {
  const ns = namespacePath(namespaceOf(options));
  const modes = new Set(options.streamModes);
  return {
    wants: (mode) => modes.has(mode) || ((mode === 'tasks' || mode === 'checkpoints') && modes.has('debug')),
    write: (mode, payload, marks) => {
      if (modes.has(mode)) emit({ ns, mode, payload, ...marks });
      if ((mode === 'tasks' || mode === 'checkpoints') && modes.has('debug')) {
        emit({ ns, mode: 'debug', payload: debugPayload(mode, payload, step) });
      }
    },
  };
}

function debugPayload(mode: 'tasks' | 'checkpoints', payload: unknown, step: number): object {
  const ended = typeof payload === 'object' && payload !== null && 'result' in payload;
  const type = mode === 'checkpoints' ? 'checkpoint' : ended ? 'task_result' : 'task';
  return { step, type, timestamp: new Date().toISOString(), payload };
}
