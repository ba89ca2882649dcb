// The forms of what `new StateGraph()`, `addNode`, `addSequence` and `compile` accept.
import type { CompileOptions as EngineOptions } from '../engine/compiled-graph.js';
import type { TransformerFactory } from '../stream/protocol.js';
import type { AnnotationRoot } from './annotation.js';
import type { AddNodeOptions, AddNodeOptionsWithInput, NodeAction } from './node-action.js';
import type { ExtractStateType, StateDefinitionInit, StateGraphInit, ToStateDefinition } from './state-definition.js';

export interface CompileOptions<
  Nodes extends string = string,
  Transformers extends readonly TransformerFactory[] = readonly TransformerFactory[],
> extends Omit<EngineOptions<Transformers>, 'interruptBefore' | 'interruptAfter'> {
  /** Breakpoints; `"*"` is every node. */
  readonly interruptBefore?: readonly Nodes[] | '*';
  readonly interruptAfter?: readonly Nodes[] | '*';
}

/** Declared with the rest of a graph, or each alone. */
export type GraphInit<
  Init,
  Input extends StateDefinitionInit,
  Output extends StateDefinitionInit,
  Context extends StateDefinitionInit,
  Nodes extends string,
  InterruptType,
  WriterType,
> = StateGraphInit<
  Init extends StateDefinitionInit ? Init : never,
  Input,
  Output,
  Context,
  Nodes,
  InterruptType,
  WriterType
>;

/** A context alone, as the second argument. */
export type ContextInit<Context extends StateDefinitionInit> = Context | AnnotationRoot<ToStateDefinition<Context>>;

type NodeEntry<Key extends string, Action, Options> = readonly [key: Key, action: Action, options?: Options];

export type AnyNodeEntry = NodeEntry<string, unknown, AddNodeOptionsWithInput<StateDefinitionInit, string, never>>;

/** Nodes by name. */
export type NodeRecord<State, Update, Context, InterruptType, WriterType> = Record<
  string,
  NodeAction<State, Update, ExtractStateType<Context>, InterruptType, WriterType>
>;

/** Nodes in order, each with its name and options. */
export type NodeList<
  Key extends string,
  NodeInput,
  Update,
  Context,
  Nodes extends string,
  InterruptType,
  WriterType,
> = readonly NodeEntry<
  Key,
  NodeAction<NodeInput, Update, ExtractStateType<Context>, InterruptType, WriterType>,
  AddNodeOptions<Nodes | Key, NodeInput, Update>
>[];

/** The same type, shown as its keys. */
export type Prettify<Type> = { [Key in keyof Type]: Type[Key] } & {};
