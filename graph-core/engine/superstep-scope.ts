// What the tasks of one superstep have in common.
import { CallbackManager, type Callbacks } from '@langchain/core/callbacks/manager';
import { StreamMessagesHandler } from '../messages/stream-messages-handler.js';
import type { StreamChunk, StreamMode } from '../stream-mode.js';
import type { ExecutableGraph } from './executable-graph.js';
import type { Keys, LiveState } from './live-state.js';
import { namespacePath } from './namespaces.js';
import type { RunOptions, RunState, SuperstepPorts } from './superstep-contract.js';

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
  /** Aborts the tasks. */
  readonly signal: AbortSignal;
}

/** Emits chunks of one graph, of the modes that are wanted. */
export interface ChunkWriter {
  readonly wants: (mode: StreamMode) => boolean;
  readonly write: (mode: StreamMode, payload: unknown, checkpointId?: string) => void;
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
    write: (mode, payload, checkpointId) => {
      if (modes.has(mode))
        emit(checkpointId === undefined ? { ns, mode, payload } : { ns, mode, payload, checkpointId });
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

/** Callbacks of the run with those of the `messages` stream; each task's chain run carries the tag. */
export function stepCallbacks(options: RunOptions, ports: SuperstepPorts, step: number): CallbackManager | undefined {
  const manager = CallbackManager._configureSync(withMessages(options, ports))?.copy();
  manager?.addTags([`graph:step:${step}`], false);
  return manager;
}

/** Inheritable: the models that nodes call have to find it. */
function withMessages(options: RunOptions, ports: SuperstepPorts): Callbacks | undefined {
  const { callbacks } = options.config;
  if (!options.streamModes.includes('messages')) return callbacks;
  const handler = messagesHandler(options, ports);
  if (callbacks === undefined || Array.isArray(callbacks)) return [...(callbacks ?? []), handler];
  const manager = callbacks.copy();
  manager.addHandler(handler, true);
  return manager;
}

/** One for all supersteps that share the ports: what was streamed in one is known in the next. */
const handlers = new WeakMap<SuperstepPorts, StreamMessagesHandler>();

function messagesHandler(options: RunOptions, ports: SuperstepPorts): StreamMessagesHandler {
  let handler = handlers.get(ports);
  if (handler === undefined) {
    handler = new StreamMessagesHandler((ns, payload) => ports.emit({ ns, mode: 'messages', payload }), {
      subgraphs: options.streamSubgraphs,
      parentNs: namespaceOf(options),
    });
    handlers.set(ports, handler);
  }
  return handler;
}
