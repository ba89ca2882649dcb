// The builder: an author adds nodes and edges to a state, then compiles.
import type { RunnableLike } from '@langchain/core/runnables';
import type { Channel } from '../channels/channel.js';
import { END, START } from '../constants.js';
import type { TransformerFactory } from '../stream/protocol.js';
import type { StateDefinition } from './annotation.js';
import { Branch, type PathMap } from './branch.js';
import type {
  AnyNodeEntry,
  CompileOptions,
  ContextInit,
  GraphInit,
  NodeList,
  NodeRecord,
  Prettify,
} from './builder-types.js';
import { CompiledStateGraph } from './compiled-state-graph.js';
import { compileSpec } from './compile-spec.js';
import { addErrorHandler, nodesWithDefaults, type NodeDefaults } from './error-handler-node.js';
import type {
  AddNodeOptions,
  AddNodeOptionsWithInput,
  MergeReturns,
  NodeCall,
  NodeErrorHandler,
  NodeReturns,
  Router,
  StateGraphNode,
  StrictNodeAction,
  UpdatesIn,
  UpdatesOf,
} from './node-action.js';
import { toRunnable } from './node-function.js';
import { nodePolicies, type NodePolicyOptions } from './node-policies.js';
import {
  definitionOf,
  resolveDefinitions,
  type GraphSchemas,
  type ResolvedDefinitions,
} from './resolve-definitions.js';
import type {
  ExtractStateType,
  ExtractUpdateType,
  StateDefinitionInit,
  StateGraphArgs,
  StateGraphOptions,
} from './state-definition.js';
import { shareChannels } from './shared-channels.js';
import { checkNodeName, validateGraph } from './validate-graph.js';

/** The builder once it has more nodes; what else its type says stays. */
type Grown<
  Kept extends readonly [
    init: unknown,
    state: unknown,
    update: unknown,
    input: StateDefinitionInit,
    output: StateDefinitionInit,
    context: StateDefinitionInit,
    interruptType: unknown,
    writerType: unknown,
  ],
  Nodes extends string,
  NodeReturn,
> = StateGraph<Kept[0], Kept[1], Kept[2], Nodes, Kept[3], Kept[4], Kept[5], NodeReturn, Kept[6], Kept[7]>;

/**
 * A graph over a shared state.
 *
 * @typeParam Init What declares the state.
 * @typeParam State What nodes read.
 * @typeParam Update What nodes return.
 * @typeParam Nodes Names of the nodes so far; edges accept these only.
 * @typeParam Input Declares what callers pass.
 * @typeParam Output Declares what callers get.
 * @typeParam Context Declares `config.context`.
 * @typeParam NodeReturn What each node returns, by its name.
 * @typeParam InterruptType The `interrupt` option: questions and answers.
 * @typeParam WriterType The `writer` option: custom chunks.
 */
export class StateGraph<
  Init,
  State = ExtractStateType<Init>,
  Update = ExtractUpdateType<Init, State>,
  Nodes extends string = typeof START,
  Input extends StateDefinitionInit = Init extends StateDefinitionInit ? Init : StateDefinition,
  Output extends StateDefinitionInit = Init extends StateDefinitionInit ? Init : StateDefinition,
  Context extends StateDefinitionInit = StateDefinition,
  NodeReturn = unknown,
  InterruptType = unknown,
  WriterType = unknown,
> {
  /** The type of a node of this graph, for `typeof graph.Node`. */
  declare readonly Node: StrictNodeAction<State, Update, ExtractStateType<Context>, Nodes, InterruptType, WriterType>;

  /** By state key, over all schemas. */
  readonly channels: Record<string, Channel> = {};
  readonly nodes: Record<string, StateGraphNode> = {};
  readonly edges = new Set<readonly [start: string, end: string]>();
  /** Barrier edges: the end runs once all the starts have run. */
  readonly waitingEdges = new Set<readonly [starts: readonly string[], end: string]>();
  /** Conditional edges, by source and name. */
  readonly branches: Record<string, Record<string, Branch>> = {};
  /** Set by `compile`; later additions only warn. */
  compiled = false;

  readonly #definitions: ResolvedDefinitions;
  readonly #known = new Set<StateDefinition>();
  #defaults: NodeDefaults = {};

  constructor(
    state: Init extends StateDefinitionInit ? Init : never,
    options?: ContextInit<Context> | StateGraphOptions<Input, Output, Context, Nodes, InterruptType, WriterType>,
  );
  constructor(
    init: GraphInit<Init, Input, Output, Context, Nodes, InterruptType, WriterType> &
      ({ readonly state: unknown } | { readonly stateSchema: unknown }),
    options?: ContextInit<Context> | StateGraphOptions<Input, Output, Context, Nodes, InterruptType, WriterType>,
  );
  constructor(
    init: Omit<
      GraphInit<never, Input, Output, Context, Nodes, InterruptType, WriterType>,
      'input' | 'state' | 'stateSchema'
    > & { readonly input: Init extends StateDefinitionInit ? Init : never },
    options?: ContextInit<Context>,
  );
  /** @deprecated Declare the state with `Annotation.Root`. */
  constructor(init: StateGraphArgs<State>, options?: ContextInit<Context>);
  /** @throws StateGraphInputError for anything else. */
  constructor(init: unknown, options?: unknown) {
    this.#definitions = resolveDefinitions(init, options);
    const { state, input, output } = this.#definitions;
    for (const definition of [state, input, output]) this.#declare(definition);
  }

  /** The declarations that check values. */
  get schemas(): GraphSchemas {
    return this.#definitions.schemas;
  }

  /** All edges but the conditional ones; a barrier edge is one for each of its starts. */
  get allEdges(): Set<readonly [start: string, end: string]> {
    const barriers = [...this.waitingEdges].flatMap(([starts, end]) => starts.map((start) => [start, end] as const));
    return new Set([...this.edges, ...barriers]);
  }

  addNode<Actions extends NodeRecord<State, Update, Context, InterruptType, WriterType>>(
    nodes: Actions,
  ): Grown<
    [Init, State, Update, Input, Output, Context, InterruptType, WriterType],
    Nodes | (keyof Actions & string),
    MergeReturns<NodeReturn, UpdatesOf<Actions, Update>>
  >;
  addNode<Key extends string, NodeInput = State>(
    nodes: NodeList<Key, NodeInput, Update, Context, Nodes, InterruptType, WriterType>,
  ): Grown<
    [Init, State, Update, Input, Output, Context, InterruptType, WriterType],
    Nodes | Key,
    MergeReturns<NodeReturn, Record<Key, Update>>
  >;
  addNode<
    Key extends string,
    InputSchema extends StateDefinitionInit,
    Returns extends NodeReturns<ExtractStateType<InputSchema>, Update>,
  >(
    key: Key,
    action: NodeCall<ExtractStateType<InputSchema>, Returns, ExtractStateType<Context>, InterruptType, WriterType>,
    options: AddNodeOptionsWithInput<InputSchema, Nodes | Key, ExtractStateType<InputSchema>, Update>,
  ): Grown<
    [Init, State, Update, Input, Output, Context, InterruptType, WriterType],
    Nodes | Key,
    MergeReturns<NodeReturn, Record<Key, UpdatesIn<Returns, Update>>>
  >;
  addNode<
    Key extends string,
    NodeInput = State,
    Returns extends NodeReturns<NodeInput, Update> = NodeReturns<NodeInput, Update>,
  >(
    key: Key,
    action: NodeCall<NodeInput, Returns, ExtractStateType<Context>, InterruptType, WriterType>,
    options?: AddNodeOptions<Nodes | Key, NodeInput, Update>,
  ): Grown<
    [Init, State, Update, Input, Output, Context, InterruptType, WriterType],
    Nodes | Key,
    MergeReturns<NodeReturn, Record<Key, UpdatesIn<Returns, Update>>>
  >;
  /** @throws Error for a name that is taken, reserved or a state key, or if there is no node. */
  addNode(nodes: string | object, action?: unknown, options?: object): unknown {
    const entries =
      typeof nodes === 'string' ? [[nodes, action, options] as unknown as AnyNodeEntry] : entriesOf(nodes);
    if (entries.length === 0) throw new Error('No nodes provided in `addNode`');
    for (const [key, action, nodeOptions] of entries) this.#addNode(key, action, nodeOptions ?? undefined);
    return this;
  }

  /**
   * An edge from one node to the next, or a barrier edge from several: the end runs once all of them have run since it
   * last did, in whatever superstep each was.
   */
  addEdge(start: typeof START | Nodes | readonly Nodes[], end: Nodes | typeof END): this {
    this.#warnIfCompiled('Adding an edge to');
    if (typeof start === 'string') {
      if (start === END) throw new Error('END cannot be a start node');
      if (end === START) throw new Error('START cannot be an end node');
      this.edges.add([start, end]);
      return this;
    }
    for (const one of start as readonly string[]) {
      if (one === END) throw new Error('END cannot be a start node');
      this.#requireNode(one);
    }
    if (end === END) throw new Error('END cannot be an end node');
    this.#requireNode(end);
    this.waitingEdges.add([start, end]);
    return this;
  }

  addConditionalEdges(options: {
    readonly source: typeof START | Nodes;
    readonly path: Router<State, string, ExtractStateType<Context>>;
    readonly pathMap?: Readonly<Record<string, Nodes | typeof END>> | readonly (Nodes | typeof END)[];
  }): this;
  addConditionalEdges(
    source: typeof START | Nodes,
    path: Router<State, string, ExtractStateType<Context>>,
    pathMap?: Readonly<Record<string, Nodes | typeof END>> | readonly (Nodes | typeof END)[],
  ): this;
  addConditionalEdges(
    source: string | { readonly source: string; readonly path: unknown; readonly pathMap?: PathMap },
    path?: unknown,
    pathMap?: PathMap,
  ): this {
    const edge = typeof source === 'object' ? source : { source, path, pathMap };
    this.#warnIfCompiled('Adding an edge to');
    const branch = new Branch(edge.path as RunnableLike<never, unknown>, edge.pathMap);
    const byName = (this.branches[edge.source] ??= {});
    if (byName[branch.name]) {
      throw new Error(`Condition \`${branch.name}\` already present for node \`${edge.source}\``);
    }
    byName[branch.name] = branch;
    return this;
  }

  /** Nodes that follow each other. Nothing leads to the first yet. */
  addSequence<Key extends string, NodeInput = State>(
    nodes: NodeList<Key, NodeInput, Update, Context, Nodes, InterruptType, WriterType>,
  ): Grown<
    [Init, State, Update, Input, Output, Context, InterruptType, WriterType],
    Nodes | Key,
    MergeReturns<NodeReturn, Record<Key, Update>>
  >;
  addSequence<Actions extends NodeRecord<State, Update, Context, InterruptType, WriterType>>(
    nodes: Actions,
  ): Grown<
    [Init, State, Update, Input, Output, Context, InterruptType, WriterType],
    Nodes | (keyof Actions & string),
    MergeReturns<NodeReturn, UpdatesOf<Actions, Update>>
  >;
  addSequence(nodes: object): unknown {
    const entries = entriesOf(nodes);
    if (entries.length === 0) throw new Error('Sequence requires at least one node.');
    let previous: string | undefined;
    for (const [key, action, options] of entries) {
      if (key in this.nodes) throw new Error(`Node names must be unique: node with the name "${key}" already exists.`);
      this.#addNode(key, action, options ?? undefined);
      if (previous !== undefined) this.addEdge(previous as Nodes, key as Nodes);
      previous = key;
    }
    return this;
  }

  /** The same as an edge from `START`. */
  setEntryPoint(node: Nodes): this {
    this.#warnIfCompiled('Setting the entry point of');
    return this.addEdge(START, node);
  }

  /** The same as an edge to `END`. */
  setFinishPoint(node: Nodes): this {
    this.#warnIfCompiled('Setting a finish point of');
    return this.addEdge(node, END);
  }

  /** @throws what {@link validateGraph} throws. */
  validate(interrupts: readonly string[] = []): void {
    this.#validate(this.nodes, interrupts);
  }

  #validate(nodes: Readonly<Record<string, StateGraphNode>>, interrupts: readonly string[]): void {
    validateGraph({ nodes, edges: this.allEdges, branches: this.branches }, interrupts);
    this.compiled = true;
  }

  /**
   * Policies of nodes that have none of their own, whenever those are added; a later call stands over an earlier one,
   * field by field. Graphs in nodes have their own. `retryPolicy` and `timeout` are for error handlers too.
   */
  setNodeDefaults(defaults: NodePolicyOptions & { readonly errorHandler?: NodeErrorHandler<State, Update> }): this {
    const { errorHandler } = defaults;
    const given = {
      ...nodePolicies(defaults),
      errorHandler: errorHandler as NodeErrorHandler<never, unknown> | undefined,
    };
    const kept = Object.entries(given).filter(([, value]) => value !== undefined);
    this.#defaults = { ...this.#defaults, ...Object.fromEntries(kept) };
    return this;
  }

  /** A graph that runs. Changes to the builder do not reach it. */
  compile<const Transformers extends readonly TransformerFactory[] = []>(
    options: CompileOptions<Nodes, Transformers> = {},
  ): CompiledStateGraph<
    Prettify<State>,
    Prettify<Update>,
    Nodes,
    Input,
    Output,
    Context,
    NodeReturn,
    InterruptType,
    WriterType,
    Transformers
  > {
    const { interruptBefore = [], interruptAfter = [] } = options;
    const { channels, edges, waitingEdges, branches } = this;
    const { state, input, output, schemas } = this.#definitions;
    const nodes = nodesWithDefaults(this.nodes, this.#defaults, state);
    this.#validate(
      nodes,
      [interruptBefore, interruptAfter].flatMap((names) => (names === '*' ? [] : names)),
    );
    return new CompiledStateGraph(
      this,
      compileSpec({ channels, nodes, edges, waitingEdges, branches, input, output, schemas }),
      options,
    );
  }

  #addNode(
    key: string,
    action: unknown,
    options: Partial<AddNodeOptionsWithInput<StateDefinitionInit, string, never>> = {},
  ): void {
    checkNodeName(key, this);
    this.#warnIfCompiled('Adding a node to');
    const { metadata, ends, subgraphs, defer, errorHandler } = options;
    const input = options.input === undefined ? this.#definitions.state : definitionOf(options.input);
    this.#declare(input);
    const policies = nodePolicies(options);
    const handler = errorHandler && addErrorHandler(this.nodes, key, errorHandler, input);
    this.nodes[key] = {
      ...policies,
      runnable: toRunnable(key, action),
      input,
      metadata,
      ends,
      subgraphs,
      defer,
      errorHandlerNode: handler,
    };
  }

  #declare(definition: StateDefinition): void {
    if (this.#known.has(definition)) return;
    this.#known.add(definition);
    shareChannels(this.channels, definition);
  }

  #requireNode(node: string): void {
    if (!Object.hasOwn(this.nodes, node)) throw new Error(`Need to add a node named "${node}" first`);
  }

  #warnIfCompiled(change: string): void {
    if (!this.compiled) return;
    // eslint-disable-next-line no-console -- as LangGraph does: the author is at fault, yet nothing breaks
    console.warn(`${change} a graph that has already been compiled. This will not be reflected in the compiled graph.`);
  }
}

const entriesOf = (nodes: object): readonly AnyNodeEntry[] =>
  Array.isArray(nodes) ? (nodes as readonly AnyNodeEntry[]) : Object.entries(nodes);
