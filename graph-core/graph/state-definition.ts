// What may declare a state, and the types of it that nodes and callers see.
import type { InteropZodObject } from '@langchain/core/utils/types';
import type { Channel } from '../channels/channel.js';
import type { AnyStateSchema, StateSchema, StateSchemaFieldsToStateDefinition } from '../state/state-schema.js';
import type { StandardSchema } from '../state/standard-schema.js';
import type { InteropZodToStateDefinition } from '../zod/meta.js';
import type { AnnotationRoot, SingleReducer, StateDefinition, StateType, UpdateType } from './annotation.js';

/** What declares a state: `Annotation.Root(…)`, a StateSchema, a zod object, or channels by key. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a definition's type parameter is invariant
export type StateDefinitionInit = StateDefinition | InteropZodObject | AnyStateSchema | AnnotationRoot<any>;

/** What declares `config.context`. */
export type ContextSchemaInit = StandardSchema | AnnotationRoot<StateDefinition>;

/** The channels by key that a declaration stands for. */
export type ToStateDefinition<Init> =
  Init extends StateSchema<infer Fields>
    ? StateSchemaFieldsToStateDefinition<Fields>
    : Init extends AnnotationRoot<infer Definition>
      ? Definition
      : Init extends InteropZodObject
        ? InteropZodToStateDefinition<Init>
        : Init extends StateDefinition
          ? Init
          : never;

/** What nodes read. `Fallback` where there is no declaration to read it from. */
export type ExtractStateType<Init, Fallback = Init> = [ToStateDefinition<Init>] extends [never]
  ? Fallback
  : StateType<ToStateDefinition<Init>>;

/** What nodes return. */
export type ExtractUpdateType<Init, Fallback = Init> = [ToStateDefinition<Init>] extends [never]
  ? Partial<Fallback>
  : UpdateType<ToStateDefinition<Init>>;

/** Several declarations at once. `input` alone is the state too. */
export interface StateGraphInit<
  State extends StateDefinitionInit = StateDefinitionInit,
  Input extends StateDefinitionInit | undefined = undefined,
  Output extends StateDefinitionInit | undefined = undefined,
  Context extends StateDefinitionInit | undefined = undefined,
  Nodes extends string = string,
  InterruptType = unknown,
  WriterType = unknown,
> {
  readonly state?: State;
  /** The older name of `state`. */
  readonly stateSchema?: State;
  /** Keys that a caller may set. Default: all. */
  readonly input?: Input;
  /** Keys that a caller gets. Default: all. */
  readonly output?: Output;
  /** `config.context`; a zod object is checked at each call. */
  readonly context?: Context;
  /** Types of questions and answers: `interrupt<Question, Answer>`, or a record of them. Types only. */
  readonly interrupt?: InterruptType;
  /** Type of custom chunks: `writer<Chunk>`. Types only. */
  readonly writer?: WriterType;
  /** Names of nodes that are added by a loop or elsewhere. Types only. */
  readonly nodes?: Nodes[];
}

/** The same beside a state that is given by itself. */
export type StateGraphOptions<
  Input extends StateDefinitionInit | undefined = undefined,
  Output extends StateDefinitionInit | undefined = undefined,
  Context extends StateDefinitionInit | undefined = undefined,
  Nodes extends string = string,
  InterruptType = unknown,
  WriterType = unknown,
> = Omit<
  StateGraphInit<StateDefinitionInit, Input, Output, Context, Nodes, InterruptType, WriterType>,
  'state' | 'stateSchema'
>;

type ChannelReducers<Channels extends object> = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each key has an update type of its own
  readonly [Key in keyof Channels]: SingleReducer<Channels[Key], any> | Channel;
};

/** The oldest form: reducers by key, `null` for a key that keeps its last value. */
export interface StateGraphArgs<Channels> {
  readonly channels: Channels extends readonly unknown[]
    ? ChannelReducers<{ __root__: Channels }>
    : Channels extends object
      ? ChannelReducers<Channels>
      : ChannelReducers<{ __root__: Channels }>;
}

/** Older forms: annotations by what they are for. */
export interface StateGraphArgsWithStateSchema<
  State extends StateDefinition,
  Input extends StateDefinition,
  Output extends StateDefinition,
> {
  readonly stateSchema: AnnotationRoot<State>;
  readonly input?: AnnotationRoot<Input>;
  readonly output?: AnnotationRoot<Output>;
}

export interface StateGraphArgsWithInputOutputSchemas<
  Input extends StateDefinition,
  Output extends StateDefinition = Input,
> {
  readonly input: AnnotationRoot<Input>;
  readonly output: AnnotationRoot<Output>;
}
