// Graphs within graphs.
import type { ExecutableGraph } from './executable-graph.js';

/** A compiled graph, of this or another copy of this module. */
export interface Subgraph extends ExecutableGraph {
  readonly lg_is_pregel: true;
}

export function isSubgraph(value: unknown): value is Subgraph {
  return typeof value === 'object' && value !== null && (value as Partial<Subgraph>).lg_is_pregel === true;
}

/** The graph of each node that is one; of several within a node the first. */
export function subgraphsOf({ spec }: ExecutableGraph): ReadonlyMap<string, Subgraph> {
  const found = new Map<string, Subgraph>();
  for (const { name, bound, subgraphs } of Object.values(spec.nodes)) {
    const graph = (subgraphs?.length ? subgraphs : [bound]).find(isSubgraph);
    if (graph !== undefined) found.set(name, graph);
  }
  return found;
}

/**
 * Graphs that are nodes, by node; with `recurse` those within them too, as `outer|inner`.
 * @param namespace only the one with this name.
 */
export function* subgraphsWithin(
  graph: ExecutableGraph,
  namespace?: string,
  recurse = false,
): Generator<[name: string, graph: Subgraph]> {
  for (const [node, subgraph] of subgraphsOf(graph)) {
    if (namespace === undefined || namespace === node) yield [node, subgraph];
    const inner = namespace?.startsWith(`${node}|`) ? namespace.slice(node.length + 1) : undefined;
    if (!recurse || (namespace !== undefined && inner === undefined)) continue;
    for (const [name, nested] of subgraphsWithin(subgraph, inner, recurse)) yield [`${node}|${name}`, nested];
  }
}
