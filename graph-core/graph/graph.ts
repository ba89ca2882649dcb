// The oldest builder: no state, each node hands one value on to the next.
import type { RunnableLike } from '@langchain/core/runnables';
import { EphemeralValue } from '../channels/ephemeral.js';
import { END, START, TASKS } from '../constants.js';
import type { CompileOptions } from '../engine/compiled-graph.js';
import type { GraphSpec, NodeSpec, NodeWriter } from '../engine/graph-spec.js';
import type { StreamMode } from '../stream-mode.js';
import { isSend } from '../send.js';
import { Branch, type PathMap } from './branch.js';
import { CompiledStateGraph } from './compiled-state-graph.js';
import { graphsIn, startNode } from './compile-spec.js';
import type { GraphBuilder } from './graph-builder.js';
import type { StateGraphNode } from './node-action.js';
import { toRunnable } from './node-function.js';
import { validateGraph } from './validate-graph.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- values of any type go from node to node */

type Action = RunnableLike<any, any>;
type NodeOptions = Pick<StateGraphNode, 'metadata' | 'ends' | 'subgraphs'>;
type Entry<Name extends string> = readonly [name: Name, action: Action, options?: NodeOptions];

const CHANGED_AFTER_COMPILE =
  'to a graph that has already been compiled. This will not be reflected in the compiled graph.';

/**
 * A graph whose nodes take what the node before them gave.
 * @deprecated Use a StateGraph.
 */
export class Graph<Nodes extends string = typeof START | typeof END> implements GraphBuilder {
  readonly nodes: Record<string, StateGraphNode> = {};
  readonly edges = new Set<readonly [start: string, end: string]>();
  /** Conditional edges, by source and name. */
  readonly branches: Record<string, Record<string, Branch>> = {};
  readonly schemas = {};
  /** Set by `compile`; later additions only warn. */
  compiled = false;

  get allEdges(): ReadonlySet<readonly [start: string, end: string]> {
    return this.edges;
  }

  addNode<Name extends string>(nodes: Record<Name, Action> | readonly Entry<Name>[]): Graph<Nodes | Name>;
  addNode<Name extends string>(name: Name, action: Action, options?: NodeOptions): Graph<Nodes | Name>;
  /** @throws Error for a name that is taken or reserved, or if there is no node. */
  addNode(nodes: string | object, action?: Action, options?: NodeOptions): unknown {
    const entries =
      typeof nodes === 'string' ? [[nodes, action, options] as unknown as Entry<string>] : entriesOf(nodes);
    if (entries.length === 0) throw new Error('No nodes provided in `addNode`');
    for (const [name, nodeAction, nodeOptions] of entries) this.#addNode(name, nodeAction, nodeOptions);
    return this;
  }

  #addNode(name: string, action: Action, { metadata, ends, subgraphs }: NodeOptions = {}): void {
    const reserved = ['|', ':'].find((character) => name.includes(character));
    if (reserved) throw new Error(`"${reserved}" is a reserved character and is not allowed in node names.`);
    this.#warnIfCompiled('Adding a node');
    if (name in this.nodes) throw new Error(`Node \`${name}\` already present.`);
    if (name === END) throw new Error(`Node \`${name}\` is reserved.`);
    this.nodes[name] = { runnable: toRunnable(name, action), input: {}, metadata, ends, subgraphs };
  }

  /** One from each node: for several, a StateGraph has a state that they meet in. */
  addEdge(start: Nodes | typeof START, end: Nodes | typeof END): this {
    this.#warnIfCompiled('Adding an edge');
    if (start === END) throw new Error('END cannot be a start node');
    if (end === START) throw new Error('START cannot be an end node');
    if ([...this.edges].some(([source]) => source === start)) {
      throw new Error(`Already found path for ${start}. For multiple edges, use StateGraph.`);
    }
    this.edges.add([start, end]);
    return this;
  }

  addConditionalEdges(options: { readonly source: Nodes; readonly path: Action; readonly pathMap?: PathMap }): this;
  addConditionalEdges(source: Nodes, path: Action, pathMap?: PathMap): this;
  /** The router gets what the node gave, and so does the node that it names. */
  addConditionalEdges(
    source: string | { readonly source: string; readonly path: Action; readonly pathMap?: PathMap },
    path?: Action,
    pathMap?: PathMap,
  ): this {
    const edge = typeof source === 'object' ? source : { source, path: path as Action, pathMap };
    this.#warnIfCompiled('Adding an edge');
    const branch = new Branch(edge.path, edge.pathMap);
    const byName = (this.branches[edge.source] ??= {});
    if (byName[branch.name]) {
      throw new Error(`Condition \`${branch.name}\` already present for node \`${edge.source}\``);
    }
    byName[branch.name] = branch;
    return this;
  }

  /** The same as an edge from `START`. */
  setEntryPoint(node: Nodes): this {
    this.#warnIfCompiled('Setting the entry point');
    return this.addEdge(START, node);
  }

  /** The same as an edge to `END`. */
  setFinishPoint(node: Nodes): this {
    this.#warnIfCompiled('Setting a finish point');
    return this.addEdge(node, END);
  }

  /** @throws Error for an edge from or to a node that is not there; UnreachableNodeError. */
  validate(interrupts: readonly string[] = []): void {
    validateGraph(this, interrupts);
    this.compiled = true;
  }

  compile(options: CompileOptions = {}): CompiledValueGraph {
    const { interruptBefore = [], interruptAfter = [] } = options;
    this.validate([interruptBefore, interruptAfter].flatMap((names) => (names === '*' ? [] : names)));
    return new CompiledValueGraph(this, specOf(this), options);
  }

  #warnIfCompiled(change: string): void {
    const preposition = change.startsWith('Adding') ? 'to a' : 'of a';
    // eslint-disable-next-line no-console -- as LangGraph does: the author is at fault, yet nothing breaks
    if (this.compiled) console.warn(`${change} ${CHANGED_AFTER_COMPILE.replace('to a', preposition)}`);
  }
}

const entriesOf = (nodes: object): readonly Entry<string>[] =>
  Array.isArray(nodes) ? (nodes as readonly Entry<string>[]) : (Object.entries(nodes) as readonly Entry<string>[]);

/** What {@link Graph.compile} makes. */
export class CompiledValueGraph extends CompiledStateGraph<any, any> {
  override readonly streamMode: StreamMode = 'values';
}

const branchChannel = (source: string, name: string, end: string): string => `branch:${source}:${name}:${end}`;

/** A channel for each node, which those after it read; and one for each way that a router may choose. */
function specOf({ nodes, edges, branches }: Graph<string>): GraphSpec {
  const names = Object.keys(nodes);
  const sources: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  const writers: Record<string, NodeWriter[]> = Object.fromEntries(names.map((name) => [name, [passTo(name)]]));
  for (const [start, end] of edges) {
    if (end !== END) sources[end]?.push(start);
    else if (start === START) throw new Error('Cannot have an edge from START to END');
    else writers[start]?.push(passTo(END));
  }
  const ways: string[] = [];
  for (const [source, byName] of Object.entries(branches)) {
    for (const [name, branch] of Object.entries(byName)) {
      (writers[source] ??= []).push(branchWriter(source, name, branch));
      for (const end of new Set(branch.ends ? Object.values(branch.ends) : names)) {
        if (end === END) continue;
        ways.push(branchChannel(source, name, end));
        sources[end]?.push(branchChannel(source, name, end));
      }
    }
  }
  const specs = names.map((name): [string, NodeSpec] => [name, nodeSpec(name, nodes, sources, writers)]);
  const start = startNode(writers[START] ?? []);
  return {
    channels: Object.fromEntries([START, END, ...names, ...ways].map((name) => [name, new EphemeralValue()])),
    nodes: Object.fromEntries(START in branches ? [[START, start], ...specs] : specs),
    inputChannel: START,
    outputChannels: END,
    streamChannels: names,
  };
}

function nodeSpec(
  name: string,
  nodes: Graph<string>['nodes'],
  sources: Readonly<Record<string, readonly string[]>>,
  writers: Readonly<Record<string, readonly NodeWriter[]>>,
): NodeSpec {
  const { runnable, metadata, ends, subgraphs } = nodes[name] as StateGraphNode;
  const reads = sources[name] ?? [];
  return {
    name,
    triggers: reads,
    reads,
    // Of several that lead here, the first that has something.
    mapInput: (input) => {
      const given = input as Readonly<Record<string, unknown>>;
      const source = reads.find((channel) => channel in given);
      return source === undefined ? undefined : given[source];
    },
    bound: runnable,
    writers: writers[name] ?? [],
    metadata,
    ends,
    subgraphs: subgraphs ?? graphsIn(runnable),
  };
}

const passTo =
  (channel: string): NodeWriter =>
  (output, { write }) =>
    write(channel, output);

const branchWriter =
  (source: string, name: string, branch: Branch): NodeWriter =>
  async (output, { write, config }) => {
    for (const destination of await branch.route(output, config)) {
      if (isSend(destination)) write(TASKS, destination);
      else write(destination === END ? END : branchChannel(source, name, destination), output);
    }
  };
