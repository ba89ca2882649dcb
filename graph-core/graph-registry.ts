// The graphs a service serves, by name. Declared here because everyone who runs graphs needs it; built in processes/.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { CompiledGraph } from './engine/compiled-graph.js';

export interface GraphRegistry {
  /** Names of the graphs that loaded, in the config's order. */
  readonly names: readonly string[];
  /** Why a graph of the config did not load, by name. */
  readonly failures: Readonly<Record<string, string>>;
  /**
   * The graph, compiled, without a saver or store of its own. A factory export is called with `config`.
   * @throws GraphError `GRAPH_NOT_FOUND` (unknown name) or `GRAPH_NOT_LOADED` (with the cause).
   */
  get(name: string, config?: RunnableConfig): Promise<CompiledGraph>;
}

export type GraphErrorCode = 'GRAPH_NOT_FOUND' | 'GRAPH_NOT_LOADED';

/** A graph that cannot be had by its name. */
export class GraphError extends Error {
  override readonly name = 'GraphError';

  constructor(
    readonly code: GraphErrorCode,
    message: string,
  ) {
    super(message);
  }
}
