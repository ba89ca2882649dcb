// The nodes of a run's first superstep, where the graph's shape alone tells: operators read them in the first label.
import { CompiledStateGraph, START, type GraphRegistry } from '../graph-core/index.js';
import type { Run } from '../storage/records.js';

/** By compiled graph, which never changes. */
const known = new WeakMap<object, readonly string[]>();

/** Empty where a command, a checkpoint or a condition decides. */
export async function knownFirstNodes(graphs: GraphRegistry, { graphId, kwargs }: Run): Promise<readonly string[]> {
  if (kwargs.command || kwargs.checkpoint || kwargs.input === undefined || kwargs.input === null) return [];
  // A factory that fails here fails in the worker, where the failure is the run's; a label is worth no error.
  const graph: unknown = await graphs.get(graphId, kwargs.config).catch(() => undefined);
  if (!(graph instanceof CompiledStateGraph)) return [];
  const nodes = known.get(graph) ?? fromStart(graph.getGraph().edges);
  known.set(graph, nodes);
  return nodes;
}

function fromStart(
  edges: readonly { readonly source: string; readonly target: string; readonly conditional?: boolean }[],
): readonly string[] {
  const first = edges.filter(({ source }) => source === START);
  return first.some(({ conditional }) => conditional) ? [] : first.map(({ target }) => target);
}
