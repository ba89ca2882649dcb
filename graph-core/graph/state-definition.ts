// The forms in which a state may be given to `new StateGraph()`, brought to one.
import {
  getInteropZodObjectShape,
  interopParse,
  interopZodObjectPartial,
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

/** What declares a state: `Annotation.Root(…)`, a zod object (its fields keep their last value, and are checked), or channels by key. */
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
  /** Checks, and coerces, what is written to the state. */
  readonly parse?: ParseUpdate;
  /** The same for what a caller passes, as a whole: defaults of keys that are not given come in. */
  readonly parseInput?: (input: unknown) => unknown;
}

/** @throws the schema's error for a value that does not fit. */
export type ParseUpdate = (key: string, value: unknown) => unknown;

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
    parse: isInteropZodObject(state) ? zodParser(state) : undefined,
    parseInput: inputParser(state, input),
  };
}

/** Of an input schema of its own all is required that it requires; of the state a caller may pass some. */
function inputParser(state: unknown, input: unknown): ((input: unknown) => unknown) | undefined {
  if (!isInteropZodObject(input)) return undefined;
  const schema = input === state ? interopZodObjectPartial(input) : input;
  return (given) => interopParse(schema as never, given);
}

/** Field by field: an update names some of them, and defaults of the others are not its business. */
function zodParser(schema: InteropZodObject): ParseUpdate {
  const known = new Set(Object.keys(getInteropZodObjectShape(schema)));
  const partial = interopZodObjectPartial(schema);
  return (key, value) => {
    if (!known.has(key)) return value;
    const parsed = interopParse<Record<string, unknown>>(partial, { [key]: value });
    return Object.hasOwn(parsed, key) ? parsed[key] : value;
  };
}

/** @throws StateGraphInputError */
export function definitionOf(init: unknown): StateDefinition {
  if (AnnotationRoot.isInstance(init)) return init.spec;
  if (isInteropZodObject(init)) {
    const fields = Object.keys(getInteropZodObjectShape(init));
    return Object.fromEntries(fields.map((key) => [key, new LastValue()]));
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
