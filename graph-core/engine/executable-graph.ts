// What the engine needs of a compiled graph. CompiledGraph is one; the engine's functions take this, so that it can
// call them.
import type { BaseCache, BaseCheckpointSaver, BaseStore } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { GraphSpec } from './graph-spec.js';
import type { RetryPolicy } from './retry.js';

export interface ExecutableGraph {
  readonly name?: string;
  readonly spec: GraphSpec;
  /** Nodes by the channels that trigger them. */
  readonly triggered: ReadonlyMap<string, readonly string[]>;
  /** `true`: as a subgraph it keeps its state from one call to the next. `false`: it keeps nothing. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  readonly interruptBefore: Breakpoints;
  readonly interruptAfter: Breakpoints;
  /** Of nodes that have none of their own. */
  readonly retryPolicy?: RetryPolicy;
  /** Milliseconds that a superstep may take. */
  readonly stepTimeout?: number;
  /** Where results of nodes with a `cachePolicy` are kept. */
  readonly cache?: BaseCache;
  /** Bound by `withConfig`; a call's own config stands over it. */
  readonly config?: RunnableConfig;
}

/** Nodes before or after which a run stops; `*` are all but hidden ones. */
export type Breakpoints = '*' | readonly string[];

/** @returns nodes by trigger, in the order in which they were added. */
export function triggeredNodes(spec: GraphSpec): ReadonlyMap<string, readonly string[]> {
  const triggered = new Map<string, string[]>();
  for (const node of Object.values(spec.nodes)) {
    for (const trigger of node.triggers) {
      const nodes = triggered.get(trigger);
      if (nodes) nodes.push(node.name);
      else triggered.set(trigger, [node.name]);
    }
  }
  return triggered;
}
