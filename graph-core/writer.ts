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

/** The chunks of a graph's `writer` option, a `writer<Chunk>`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- without the option, any chunk
export type InferWriterType<Type> = Type extends typeof writer<infer Chunk> ? Chunk : any;
