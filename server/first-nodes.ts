// The nodes of a run's first superstep, where the graph's shape alone tells: operators read them in the first label.
import { CompiledStateGraph, START } from '../graph-core/index.js';
import type { RunKwargs } from '../storage/records.js';

/** By compiled graph, which never changes. */
const known = new WeakMap<object, readonly string[]>();

/** Empty where a command, a checkpoint or a condition decides, or the graph is not known. */
export function firstNodesOf(graph: unknown, { command, checkpoint, input }: RunKwargs): readonly string[] {
  if (command || checkpoint || input === undefined || input === null) return [];
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
