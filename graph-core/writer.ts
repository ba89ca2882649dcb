// `writer()`: a `custom` chunk from wherever a node's code is.
import { ambientConfig } from './engine/ambient-config.js';
import type { NodeConfig } from './engine/node-config.js';

/**
 * Emits a `custom` chunk of the run that is ambient here. Nothing happens where nobody streams that mode.
 * @throws Error outside a graph.
 */
export function writer<Chunk = unknown>(chunk: Chunk): void {
  const config = ambientConfig<NodeConfig>();
  if (config === undefined) throw new Error('Called writer() outside the context of a graph.');
  config.writer?.(chunk);
}
