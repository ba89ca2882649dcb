// The forms in which a state may be given to `new StateGraph()`, brought to one.
import {
  getInteropZodDefaultGetter,
  getInteropZodObjectShape,
  isInteropZodObject,
  type InferInteropZodInput,
  type InferInteropZodOutput,
  type InteropZodObject,
} from '@langchain/core/utils/types';
import { isChannel, type Channel } from '../channels/channel.js';
import { LastValue } from '../channels/last-value.js';
import { StateGraphInputError } from '../errors.js';
import {
  AnnotationRoot,
  reducerChannel,
  type SingleReducer,
  type StateDefinition,
  type StateType,
  type UpdateType,
} from './annotation.js';

/** What declares a state: `Annotation.Root(…)`, a zod object (its fields keep their last value), or channels by key. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a definition's type parameter is invariant
export type StateInit = StateDefinition | AnnotationRoot<any> | InteropZodObject;

/** The channels by key that a declaration stands for. */
export type DefinitionOf<Init> =
  Init extends AnnotationRoot<infer Definition>
    ? Definition
    : Init extends InteropZodObject
      ? {
          [Key in keyof InferInteropZodOutput<Init>]: Channel<
            InferInteropZodOutput<Init>[Key],
            UpdateOfField<Init, Key>
          >;
        }
      : Init extends StateDefinition
        ? Init
        : never;

type UpdateOfField<Init, Key> = Key extends keyof InferInteropZodInput<Init> ? InferInteropZodInput<Init>[Key] : never;

/** `Fallback` where there is no declaration to read the type from. */
export type StateOf<Init, Fallback = Init> = [DefinitionOf<Init>] extends [never]
  ? Fallback
  : DefinitionOf<Init> extends StateDefinition
    ? StateType<DefinitionOf<Init>>
    : Fallback;

export type UpdateOf<Init, Fallback = Init> = [DefinitionOf<Init>] extends [never]
  ? Partial<Fallback>
  : DefinitionOf<Init> extends StateDefinition
    ? UpdateType<DefinitionOf<Init>>
    : Partial<Fallback>;

/** Several declarations at once. `input` alone is the state too. */
export interface StateGraphInit<
  State extends StateInit = StateInit,
  Input extends StateInit = StateInit,
  Output extends StateInit = StateInit,
  Context extends StateInit = StateInit,
> {
  readonly state?: State;
  /** The older name of `state`. */
  readonly stateSchema?: State;
  /** Keys that a caller may set. Default: all. */
  readonly input?: Input;
  /** Keys that a caller gets. Default: all. */
  readonly output?: Output;
  /** Type of `config.context`. */
  readonly context?: Context;
}

/** The oldest form: reducers by key, `null` for a key that keeps its last value. */
export interface StateGraphArgs<State> {
  readonly channels: State extends object
    ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each key has an update type of its own
      { readonly [Key in keyof State]: SingleReducer<State[Key], any> | Channel }
    : SingleReducer<State>;
}

export interface ResolvedDefinitions {
  readonly state: StateDefinition;
  readonly input: StateDefinition;
  readonly output: StateDefinition;
}

/** @throws StateGraphInputError for anything that is none of the forms. */
export function resolveDefinitions(init: unknown, options: unknown): ResolvedDefinitions {
  if (isStateInit(init)) {
    const { input, output } = isStateInit(options) ? {} : ((options ?? {}) as StateGraphInit);
    return definitions(init, input, output);
  }
  if (isGraphInit(init)) {
    const { input, output } = { ...(isStateInit(options) ? {} : (options as StateGraphInit | undefined)), ...init };
    return definitions(init.state ?? init.stateSchema ?? init.input, input, output);
  }
  const reducers = (init as { channels?: unknown } | null | undefined)?.channels;
  if (typeof reducers === 'object' && reducers !== null) {
    const channels = Object.entries(reducers as Record<string, SingleReducer<unknown> | Channel>);
    return definitions(
      Object.fromEntries(channels.map(([key, value]) => [key, isChannel(value) ? value : reducerChannel(value)])),
    );
  }
  throw new StateGraphInputError();
}

function definitions(state: unknown, input: unknown = state, output: unknown = state): ResolvedDefinitions {
  const resolved = definitionOf(state);
  return {
    state: resolved,
    input: input === state ? resolved : definitionOf(input),
    output: output === state ? resolved : definitionOf(output),
  };
}

/** @throws StateGraphInputError */
export function definitionOf(init: unknown): StateDefinition {
  if (AnnotationRoot.isInstance(init)) return init.spec;
  if (isInteropZodObject(init)) {
    const fields = Object.entries(getInteropZodObjectShape(init));
    return Object.fromEntries(
      fields.map(([key, field]) => [key, new LastValue(getInteropZodDefaultGetter(field as never))]),
    );
  }
  if (isChannelMap(init)) return init;
  throw new StateGraphInputError(
    'Invalid schema type. Expected StateSchema, Zod object, AnnotationRoot, or StateDefinition.',
  );
}

const isStateInit = (value: unknown): value is StateInit =>
  AnnotationRoot.isInstance(value) || isInteropZodObject(value) || isChannelMap(value);

const isChannelMap = (value: unknown): value is StateDefinition =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((entry) => typeof entry === 'function' || isChannel(entry));

const isGraphInit = (value: unknown): value is StateGraphInit =>
  typeof value === 'object' &&
  value !== null &&
  (['state', 'stateSchema', 'input'] as const).some((key) => isStateInit((value as StateGraphInit)[key]));
