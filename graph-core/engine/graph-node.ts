// A node of a compiled graph, to look at and to call by itself.
import { RunnableBinding, RunnablePassthrough } from '@langchain/core/runnables';
import type { GraphSpec, NodeSpec } from './graph-spec.js';
import type { RetryPolicy } from './retry.js';

/** `invoke` calls the author's code outside of any run: nothing is written, and no edge leads on. */
export class GraphNode extends RunnableBinding<unknown, unknown> {
  readonly lc_graph_name = 'PregelNode';
  /** What it reads. */
  readonly channels: string | readonly string[];
  readonly triggers: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly ends?: readonly string[];
  readonly retryPolicy?: RetryPolicy;
  readonly subgraphs?: readonly unknown[];

  constructor({ bound, reads, triggers, metadata = {}, tags = [], ends, retryPolicy, subgraphs }: NodeSpec) {
    super({ bound: bound ?? new RunnablePassthrough(), config: { tags: [...tags] } });
    this.channels = reads;
    this.triggers = triggers;
    this.metadata = metadata;
    this.tags = tags;
    this.ends = ends;
    this.retryPolicy = retryPolicy;
    this.subgraphs = subgraphs;
  }
}

const known = new WeakMap<GraphSpec, Readonly<Record<string, GraphNode>>>();

/** The nodes by name, in the order in which they were added. */
export function graphNodes(spec: GraphSpec): Readonly<Record<string, GraphNode>> {
  const nodes =
    known.get(spec) ??
    Object.fromEntries(Object.entries(spec.nodes).map(([name, node]) => [name, new GraphNode(node)]));
  known.set(spec, nodes);
  return nodes;
}
