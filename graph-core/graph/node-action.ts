// What an author may pass to `addNode`, and as options of it.
import type { Runnable, RunnableInterface } from '@langchain/core/runnables';
import type { CommandInstance } from '../command.js';
import type { END } from '../constants.js';
import type { NodeConfig } from '../engine/node-config.js';
import type { NodeError } from '../errors.js';
import type { InferInterruptResumeType } from '../interrupt.js';
import type { Send } from '../send.js';
import type { StateDefinition } from './annotation.js';
import type { NodePolicies, NodePolicyOptions } from './node-policies.js';
import type { NodeRuntime } from './runtime.js';
import type { StateDefinitionInit } from './state-definition.js';

type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Other keys may be there too: those of nodes' own inputs are written, the rest is dropped. A promise has them all, so it
 * is told apart by its `then`.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of any type
type Open<Update> = Update extends object ? Update & { [key: string]: any; then?: never } : Update;

/** An update, nothing, a Command, or a mix of updates and Commands. */
export type NodeResult<Update, SomeCommand = CommandInstance<unknown, unknown, string>> =
  Update | SomeCommand | readonly (Update | SomeCommand)[] | null | undefined | void;

type AnyRunnable<State> = RunnableInterface<State, object | null | undefined>;

/** What a node may return: an update or a Command, now or later, or a Runnable to call in its place. */
export type NodeReturns<State, Update> = MaybePromise<NodeResult<Open<Update>> | AnyRunnable<State>>;

/** A function of the state, or a Runnable; a compiled graph makes the node a subgraph. */
export type NodeAction<State, Update, Context = unknown, InterruptType = unknown, WriterType = unknown> = NodeCall<
  State,
  NodeReturns<State, Update>,
  Context,
  InterruptType,
  WriterType
>;

/** The same by what the function returns. */
export type NodeCall<State, Returns, Context, InterruptType, WriterType> =
  AnyRunnable<State> | ((state: State, config: NodeRuntime<Context, InterruptType, WriterType>) => Returns);

/** A node as `typeof graph.Node` has it: its Commands go to nodes that are there, and update keys that are. */
export type StrictNodeAction<State, Update, Context, Nodes extends string, InterruptType, WriterType> =
  | AnyRunnable<State>
  | ((
      state: State,
      config: NodeRuntime<Context, InterruptType, WriterType>,
    ) => MaybePromise<
      | NodeResult<Update, CommandInstance<InferInterruptResumeType<InterruptType>, Update, Nodes | typeof END>>
      | AnyRunnable<State>
    >);

/** What nodes return as updates, by name: of several records of them one. */
export type MergeReturns<Known, More> = Known & More extends infer All ? { [Key in keyof All]: All[Key] } : never;

type UpdateIn<Result> = Result extends CommandInstance<unknown, unknown, string> | null | undefined | void
  ? never
  : Result extends readonly (infer Item)[]
    ? UpdateIn<Item>
    : Result;

/** The updates in what a node returns; any update of the state where there are none to be seen. */
export type UpdatesIn<Returns, Update> = [UpdateIn<Awaited<Returns>>] extends [never]
  ? Update
  : UpdateIn<Awaited<Returns>>;

/** The same of each of some nodes. */
export type UpdatesOf<Actions, Update> = {
  [Key in keyof Actions]: Actions[Key] extends (...args: never) => infer Returns ? UpdatesIn<Returns, Update> : Update;
};

/** Gets the input of the node that failed; what it returns is taken as if a node had. */
export type NodeErrorHandler<State = unknown, Update = Partial<State>, Nodes extends string = string> = (
  state: State,
  error: NodeError,
  config: NodeConfig,
) => MaybePromise<NodeResult<Update, CommandInstance<unknown, unknown, Nodes | typeof END>>>;

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
  | ((state: State, config: NodeRuntime<Context>) => MaybePromise<RouterResult<Labels>>);
