// Stream modes that are fed by LangChain's callbacks: `messages` and `tools`. Their handlers ride along with the run's.
import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { CallbackManager, type Callbacks } from '@langchain/core/callbacks/manager';
import { ProtocolMessagesHandler } from '../messages/protocol-messages-handler.js';
import { StreamMessagesHandler } from '../messages/stream-messages-handler.js';
import type { StreamScope } from '../messages/stream-scope.js';
import { StreamToolsHandler } from '../messages/stream-tools-handler.js';
import type { StreamMode } from '../stream-mode.js';
import { namespaceOf } from './superstep-scope.js';
import type { RunOptions, SuperstepPorts } from './superstep-contract.js';

/** Callbacks of the run with those of its streams; each task's chain run carries the step's tag. */
export function stepCallbacks(options: RunOptions, ports: SuperstepPorts, step: number): CallbackManager | undefined {
  const manager = CallbackManager._configureSync(
    withHandlers(options.config.callbacks, streamHandlers(options, ports)),
  );
  if (manager === undefined) return undefined;
  const tagged = manager.copy();
  tagged.addTags([`graph:step:${step}`], false);
  return tagged;
}

/** Inheritable: the models and tools that nodes call have to find them. */
function withHandlers(
  callbacks: Callbacks | undefined,
  handlers: readonly BaseCallbackHandler[],
): Callbacks | undefined {
  if (handlers.length === 0) return callbacks;
  if (callbacks === undefined || Array.isArray(callbacks)) return [...(callbacks ?? []), ...handlers];
  const manager = callbacks.copy();
  for (const handler of handlers) manager.addHandler(handler, true);
  return manager;
}

/** One list for all supersteps that share the ports: what was streamed in one is known in the next. */
const made = new WeakMap<SuperstepPorts, readonly BaseCallbackHandler[]>();

function streamHandlers(options: RunOptions, ports: SuperstepPorts): readonly BaseCallbackHandler[] {
  let handlers = made.get(ports);
  if (handlers === undefined) {
    handlers = newHandlers(options, ports);
    made.set(ports, handlers);
  }
  return handlers;
}

function newHandlers(options: RunOptions, ports: SuperstepPorts): readonly BaseCallbackHandler[] {
  const { streamModes, events = 'in graphs' } = options;
  const emitAs =
    (mode: StreamMode) =>
    (ns: readonly string[], payload: unknown): void =>
      ports.emit({ ns, mode, payload });
  const scope: StreamScope =
    events === 'protocol'
      ? { kind: 'tasks' }
      : { kind: 'graphs', subgraphs: options.streamSubgraphs, parentNs: namespaceOf(options) };
  const handlers: BaseCallbackHandler[] = [];
  if (streamModes.includes('messages')) {
    const Handler = events === 'protocol' ? ProtocolMessagesHandler : StreamMessagesHandler;
    handlers.push(new Handler(emitAs('messages'), scope));
  }
  if (streamModes.includes('tools')) handlers.push(new StreamToolsHandler(emitAs('tools'), scope));
  return handlers;
}
