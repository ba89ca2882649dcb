// Graphs within graphs.
import type { ExecutableGraph } from './executable-graph.js';
import { isRemote, type RemoteSubgraph } from './foreign-graph.js';
import type { NodeSpec } from './graph-spec.js';

/** A compiled graph, of this or another copy of this module. */
export interface Subgraph extends ExecutableGraph {
  readonly lg_is_pregel: true;
}

export function isSubgraph(value: unknown): value is Subgraph {
  const marked = typeof value === 'object' && value !== null && (value as Partial<Subgraph>).lg_is_pregel === true;
  return marked && !isRemote(value);
}

const candidates = ({ bound, subgraphs }: NodeSpec): readonly unknown[] => (subgraphs?.length ? subgraphs : [bound]);

const subgraphsIn = (node: NodeSpec): readonly Subgraph[] => candidates(node).filter(isSubgraph);

/** The graph that runs elsewhere, of each node that is one. */
export const remotesOf = ({ spec }: ExecutableGraph): ReadonlyMap<string, RemoteSubgraph> =>
  new Map(
    Object.values(spec.nodes).flatMap((node) =>
      candidates(node)
        .filter(isRemote)
        .map((remote) => [node.name, remote] as const),
    ),
  );

/** The graph of each node that is one; of several within a node the first. */
export function subgraphsOf({ spec }: ExecutableGraph): ReadonlyMap<string, Subgraph> {
  const found = new Map<string, Subgraph>();
  for (const node of Object.values(spec.nodes)) {
    const [graph] = subgraphsIn(node);
    if (graph !== undefined) found.set(node.name, graph);
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
  for (const node of Object.values(graph.spec.nodes)) {
    for (const subgraph of subgraphsIn(node)) {
      if (namespace === undefined || namespace === node.name) yield [node.name, subgraph];
      if (namespace === node.name) return;
      const below = namespace?.startsWith(`${node.name}|`) ? namespace.slice(node.name.length + 1) : undefined;
      if (!recurse || (namespace !== undefined && below === undefined)) continue;
      for (const [name, nested] of subgraphsWithin(subgraph, below, recurse)) yield [`${node.name}|${name}`, nested];
    }
  }
}
