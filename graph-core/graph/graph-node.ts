// Types of nodes and routers that are written apart from their graph.
import type { CommandInstance } from '../command.js';
import type { END } from '../constants.js';
import type { Send } from '../send.js';
import type { LangGraphRunnableConfig } from './runtime.js';
import type { ExtractStateType, ExtractUpdateType } from './state-definition.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as RunnableConfig's own
type AnyContext = Record<string, any>;

/** Schemas of a node's own input and output, for {@link GraphNode}; its context, and where its Commands go. */
export interface GraphNodeTypes<
  InputSchema = unknown,
  OutputSchema = unknown,
  ContextSchema = unknown,
  Nodes extends string = string,
> {
  InputSchema?: InputSchema;
  OutputSchema?: OutputSchema;
  ContextSchema?: ContextSchema;
  Nodes?: Nodes;
}

/** What a router reads, gets as context, and where it leads, for {@link ConditionalEdgeRouter}. */
export interface ConditionalEdgeRouterTypes<
  InputSchema = unknown,
  ContextSchema = unknown,
  Nodes extends string = string,
> {
  InputSchema?: InputSchema;
  ContextSchema?: ContextSchema;
  Nodes?: Nodes;
}

type BagInput<Bag> = Bag extends { InputSchema: infer Schema } ? ExtractStateType<Schema> : unknown;
type BagOutput<Bag> = Bag extends { OutputSchema: infer Schema } ? ExtractUpdateType<Schema> : Partial<BagInput<Bag>>;
type BagNodes<Bag> = Bag extends { Nodes: infer Nodes extends string } ? Nodes : string;
type BagContext<Bag> = Bag extends { ContextSchema: infer Schema }
  ? ExtractStateType<Schema> extends infer Context extends Record<string, unknown>
    ? Context
    : Record<string, unknown>
  : Record<string, unknown>;

/** An update or a Command, at once or later. */
export type GraphNodeReturnValue<Update, Nodes extends string = string> =
  Update | CommandInstance<unknown, Update, Nodes> | Promise<Update | CommandInstance<unknown, Update, Nodes>>;

/** A node of a graph over `Schema`; or, given {@link GraphNodeTypes}, of its own input and output. */
export type GraphNode<Schema, Context extends AnyContext = AnyContext, Nodes extends string = string> = Schema extends
  { InputSchema: unknown } | { OutputSchema: unknown }
  ? (
      state: BagInput<Schema>,
      config: LangGraphRunnableConfig<BagContext<Schema>>,
    ) => GraphNodeReturnValue<BagOutput<Schema>, BagNodes<Schema>>
  : (
      state: ExtractStateType<Schema>,
      config: LangGraphRunnableConfig<Context>,
    ) => GraphNodeReturnValue<ExtractUpdateType<Schema>, Nodes>;

type Routed<Nodes extends string, State> = Nodes | typeof END | Send<Nodes, State> | (Nodes | Send<Nodes, State>)[];

/** A router of a graph over `Schema`; or, given {@link ConditionalEdgeRouterTypes}, by those. */
export type ConditionalEdgeRouter<
  Schema,
  Context extends AnyContext = AnyContext,
  Nodes extends string = string,
> = Schema extends { InputSchema: unknown } | { ContextSchema: unknown }
  ? (
      state: BagInput<Schema>,
      config: LangGraphRunnableConfig<BagContext<Schema>>,
    ) => Routed<BagNodes<Schema>, BagInput<Schema>> | Promise<Routed<BagNodes<Schema>, BagInput<Schema>>>
  : (
      state: ExtractStateType<Schema>,
      config: LangGraphRunnableConfig<Context>,
    ) => Routed<Nodes, ExtractStateType<Schema>> | Promise<Routed<Nodes, ExtractStateType<Schema>>>;
