// Checks of names: of a graph's own parts, and of what a caller asks for.
import type { Breakpoints, ExecutableGraph } from './executable-graph.js';
import type { Keys } from './live-state.js';

/** A graph that cannot run as it is built. */
class GraphValidationError extends Error {
  override name = 'GraphValidationError';
}

/** @throws GraphValidationError */
export function validateSpec({ spec, interruptBefore, interruptAfter }: ExecutableGraph): void {
  const read = new Set(Object.values(spec.nodes).flatMap(({ triggers }) => triggers));
  for (const trigger of read) {
    if (!(trigger in spec.channels)) throw new GraphValidationError(`Subscribed channel '${trigger}' not in channels`);
  }
  if (![spec.inputChannel].flat().some((channel) => read.has(channel))) {
    throw new GraphValidationError(
      typeof spec.inputChannel === 'string'
        ? `Input channel ${spec.inputChannel} is not subscribed to by any node`
        : `None of the input channels ${spec.inputChannel.join(',')} are subscribed to by any node`,
    );
  }
  for (const key of [spec.outputChannels, spec.streamChannels].flat()) {
    if (!(key in spec.channels)) throw new GraphValidationError(`Output channel '${key}' not in channels`);
  }
  for (const node of [...named(interruptBefore), ...named(interruptAfter)]) {
    if (!(node in spec.nodes)) throw new GraphValidationError(`Node ${node} not in nodes`);
  }
}

const named = (nodes: Breakpoints): readonly string[] => (nodes === '*' ? [] : nodes);

/** @throws Error for breakpoints that are neither `*` nor a list. */
export function requireBreakpoints(option: string, nodes: Breakpoints | undefined | null): void {
  if (nodes === undefined || nodes === null || typeof nodes === 'string' || Array.isArray(nodes)) return;
  throw new Error(`${option} must be "*" or a list of nodes, got ${JSON.stringify(nodes)}`);
}

/** @throws Error for a key that is no channel of the graph. */
export function requireChannels({ spec }: ExecutableGraph, keys: Keys): void {
  for (const key of [keys].flat()) if (!(key in spec.channels)) throw new Error(`Key ${key} not found in channels`);
}
