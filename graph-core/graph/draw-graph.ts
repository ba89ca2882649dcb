// The drawing of a graph: nodes, edges, and where a node's Commands may lead.
import { Graph } from '@langchain/core/runnables/graph';
import type { RunnableIOSchema } from '@langchain/core/runnables';
import { END, START } from '../constants.js';
import type { Breakpoints } from '../engine/executable-graph.js';
import type { GraphBuilder } from './graph-builder.js';

export interface DrawOptions {
  readonly interruptBefore: Breakpoints;
  readonly interruptAfter: Breakpoints;
  /** The drawing to put in place of a node, for the nodes that are graphs. */
  readonly inside: (node: string) => Graph | undefined;
}

interface Line {
  readonly from: string;
  readonly to: string;
  /** What the router answers to take it, where that is not the node's name. */
  readonly label?: string;
  readonly conditional: boolean;
}

type DrawnNode = Graph['nodes'][string];

/** `START` and `END` are no runnables; anything goes through them. */
const ANYTHING = { schema: { $schema: 'https://json-schema.org/draft/2020-12/schema' } } as unknown as RunnableIOSchema;

export function drawGraph(builder: GraphBuilder, options: DrawOptions): Graph {
  const graph = new Graph();
  /** Where lines leave and reach a node; they differ for a drawing within the drawing. */
  const exits = new Map<string, DrawnNode>([[START, graph.addNode(ANYTHING, START)]]);
  const entries = new Map<string, DrawnNode>();

  for (const [name, node] of Object.entries(builder.nodes)) {
    const drawing = trimmed(options.inside(name));
    if (drawing === undefined) {
      const drawn = graph.addNode(node.runnable, escaped(name), {
        ...node.metadata,
        ...marks(name, node.runnable, options),
      });
      exits.set(name, drawn);
      entries.set(name, drawn);
    } else {
      const [entry, exit] = graph.extend(drawing, escaped(name));
      if (entry === undefined) throw new Error(`Could not extend subgraph "${name}" due to missing entrypoint.`);
      entries.set(name, { name, ...entry });
      if (exit !== undefined) exits.set(name, { name, ...exit });
    }
  }

  const lines = linesOf(builder);
  for (const { from, to, label, conditional } of [...lines, ...finalLines(lines)]) {
    if (to === END && !entries.has(END)) entries.set(END, graph.addNode(ANYTHING, END));
    const [source, target] = [exits.get(from), entries.get(to)];
    if (source === undefined) continue;
    if (target === undefined) throw new Error(`End node ${to} not found!`);
    graph.addEdge(source, target, label === to ? undefined : label, conditional);
  }
  return graph;
}

function linesOf({ nodes, allEdges, branches }: GraphBuilder): Line[] {
  const edges = [...allEdges]
    .sort(([a], [b]) => (a < b ? -1 : 0))
    .map(([from, to]) => ({ from, to, conditional: false }));
  const conditional = Object.entries(branches).flatMap(([from, byName]) => {
    // A router without a map may lead to any other node.
    const anywhere = [...Object.keys(nodes).filter((node) => node !== from), END].map((node) => [node, node] as const);
    return Object.values(byName).flatMap(({ ends }) =>
      (ends === undefined ? anywhere : Object.entries(ends)).map(([label, to]) => ({
        from,
        to,
        label,
        conditional: true,
      })),
    );
  });
  const commands = Object.entries(nodes).flatMap(([from, { ends = [] }]) =>
    ends.map((to) => ({ from, to, conditional: true })),
  );
  return [...edges, ...conditional, ...commands];
}

/** A node that an edge leads to and nothing leads away from is one the graph may end with. */
function finalLines(lines: readonly Line[]): Line[] {
  const sources = new Set(lines.map(({ from }) => from));
  const reached = new Set(lines.filter(({ to, conditional }) => !conditional && to !== END).map(({ to }) => to));
  return [...reached]
    .sort()
    .filter((node) => !sources.has(node))
    .map((from) => ({ from, to: END, conditional: false }));
}

function marks(
  name: string,
  runnable: unknown,
  { interruptBefore, interruptAfter }: DrawOptions,
): Record<string, unknown> {
  const stops = [interruptBefore.includes(name) && 'before', interruptAfter.includes(name) && 'after'].filter(Boolean);
  const tools = (runnable as { tools?: unknown }).tools;
  const names = Array.isArray(tools) ? tools.map((tool: { name?: unknown } | undefined) => tool?.name) : [];
  return {
    ...(stops.length > 0 && { __interrupt: stops.join(',') }),
    ...(names.length > 0 && names.every((tool) => typeof tool === 'string') && { __tools: names }),
  };
}

/** Without its own START and END; undefined if what is left is no more than a node. */
function trimmed(drawing: Graph | undefined): Graph | undefined {
  drawing?.trimFirstNode();
  drawing?.trimLastNode();
  return drawing !== undefined && Object.keys(drawing.nodes).length > 1 ? drawing : undefined;
}

/** Mermaid reads this word as its own. */
const escaped = (name: string): string => (name === 'subgraph' ? `"${name}"` : name);
