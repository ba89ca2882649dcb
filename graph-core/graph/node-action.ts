// What an author may pass to `addNode`, and as options of it.
import type { Runnable, RunnableInterface } from '@langchain/core/runnables';
import type { CommandInstance } from '../command.js';
import type { NodeConfig } from '../engine/node-config.js';
import type { NodeError } from '../errors.js';
import type { Send } from '../send.js';
import type { StateDefinition } from './annotation.js';
import type { NodePolicies, NodePolicyOptions } from './node-policies.js';
import type { StateDefinitionInit } from './state-definition.js';

type MaybePromise<Value> = Value | Promise<Value>;

/** An update of known keys (others are dropped), nothing, a Command, or a mix of updates and Commands. */
export type NodeResult<Update> =
  | Update
  | CommandInstance<unknown, unknown, string>
  | readonly (Update | CommandInstance<unknown, unknown, string>)[]
  | null
  | undefined
  | void;

/** A function of the state, or a Runnable; a compiled graph makes the node a subgraph. */
export type NodeAction<State, Update, Context = unknown> =
  | RunnableInterface<State, object | null | undefined>
  | ((
      state: State,
      config: NodeConfig<Record<string, unknown>, Context>,
    ) => MaybePromise<NodeResult<Update> | RunnableInterface<State, object | null | undefined>>);

/** Gets the input of the node that failed; what it returns is taken as if a node had. */
export type NodeErrorHandler<State = unknown, Update = unknown> = (
  state: State,
  error: NodeError,
  config: NodeConfig,
) => MaybePromise<NodeResult<Update>>;

export interface AddNodeOptions<
  Nodes extends string = string,
  HandlerState = unknown,
  Update = unknown,
> extends NodePolicyOptions {
  /** Shown in the drawing, and in the node's `config.metadata`. */
  readonly metadata?: Record<string, unknown>;
  /** Nodes that its Commands go to: for the check that each node is reachable, and the drawing. */
  readonly ends?: readonly (Nodes | '__end__')[];
  /** Graphs that a function calls; those it is made of are found by themselves. */
  readonly subgraphs?: readonly RunnableInterface[];
  /** Runs it only when the run would otherwise be done. */
  readonly defer?: boolean;
  /** Called in its place, in the same superstep, when it has failed and is not retried. */
  readonly errorHandler?: NodeErrorHandler<HandlerState, Update>;
}

export interface AddNodeOptionsWithInput<
  Input extends StateDefinitionInit,
  Nodes extends string = string,
  HandlerState = unknown,
  Update = unknown,
> extends AddNodeOptions<Nodes, HandlerState, Update> {
  /** The state as this node sees it; keys of its own are added to the graph's state. */
  readonly input: Input;
}

/** A node as added. */
export interface StateGraphNode extends NodePolicies {
  readonly runnable: Runnable;
  readonly input: StateDefinition;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly ends?: readonly string[];
  readonly subgraphs?: readonly unknown[];
  readonly defer?: boolean;
  /** The node that runs when this one has failed for good. */
  readonly errorHandlerNode?: string;
  /** It is such a node. */
  readonly isErrorHandler?: boolean;
}

/** A router's answer: nodes, labels of its map, or tasks of their own. */
type RouterResult<Nodes extends string> = Nodes | Send | readonly (Nodes | Send)[];

/** Decides where a conditional edge leads, from the state after its node's own update. */
export type Router<State, Labels extends string = string, Context = unknown> =
  | RunnableInterface<State, RouterResult<Labels>>
  | ((state: State, config: NodeConfig<Record<string, unknown>, Context>) => MaybePromise<RouterResult<Labels>>);
