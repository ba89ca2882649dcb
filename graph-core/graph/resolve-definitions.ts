// The forms in which a state may be given to `new StateGraph()`, brought to one.
import { isInteropZodObject, type InteropZodObject } from '@langchain/core/utils/types';
import { isChannel, type Channel } from '../channels/channel.js';
import { StateGraphInputError } from '../errors.js';
import { StateSchema, type AnyStateSchema } from '../state/state-schema.js';
import { schemaMetaRegistry } from '../zod/meta.js';
import { AnnotationRoot, reducerChannel, type SingleReducer, type StateDefinition } from './annotation.js';
import type { StateDefinitionInit } from './state-definition.js';

/** A declaration that checks values. */
export type CheckingSchema = AnyStateSchema | InteropZodObject;

/** The declarations that check values, and can be told as JSON schema. */
export interface GraphSchemas {
  readonly state?: CheckingSchema;
  /** Absent: a caller may pass some of the state. */
  readonly input?: CheckingSchema;
  readonly output?: CheckingSchema;
  readonly context?: InteropZodObject;
}

export interface ResolvedDefinitions {
  readonly state: StateDefinition;
  readonly input: StateDefinition;
  readonly output: StateDefinition;
  readonly schemas: GraphSchemas;
}

/** @throws StateGraphInputError for anything that is none of the forms. */
export function resolveDefinitions(init: unknown, options: unknown): ResolvedDefinitions {
  if (isGraphInit(init)) return definitions({ ...optionsOf(options, init), ...stateOf(init) });
  if (isStateDefinitionInit(init)) return definitions({ ...optionsOf(options, {}), state: init });
  const reducers = (init as { channels?: unknown } | null | undefined)?.channels;
  if (typeof reducers === 'object' && reducers !== null) {
    const channels = Object.entries(reducers as Record<string, SingleReducer<unknown> | Channel>);
    return definitions({
      state: Object.fromEntries(
        channels.map(([key, value]) => [key, isChannel(value) ? value : reducerChannel(value)]),
      ),
    });
  }
  throw new StateGraphInputError();
}

interface Declarations {
  readonly state: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly context?: unknown;
}

type GraphInit = Partial<Declarations> & { readonly stateSchema?: unknown };

const stateOf = ({ state, stateSchema, input }: GraphInit): Pick<Declarations, 'state'> => ({
  state: state ?? stateSchema ?? input,
});

/** Options are the context alone, or what `init` does not say itself. */
function optionsOf(options: unknown, init: GraphInit): Omit<Declarations, 'state'> {
  const { input, output, context } = init;
  if (isInteropZodObject(options) || AnnotationRoot.isInstance(options)) return { input, output, context: options };
  const more = (options ?? {}) as GraphInit;
  return { input: input ?? more.input, output: output ?? more.output, context: context ?? more.context };
}

function definitions({ state, input, output, context }: Declarations): ResolvedDefinitions {
  const resolved = definitionOf(state);
  const own = checking(state);
  return {
    state: resolved,
    input: input ? definitionOf(input) : resolved,
    output: output ? definitionOf(output) : resolved,
    schemas: {
      state: own,
      input: checking(input),
      output: checking(output) ?? own,
      context: isInteropZodObject(context) ? context : undefined,
    },
  };
}

const checking = (init: unknown): CheckingSchema | undefined =>
  StateSchema.isInstance(init) || isInteropZodObject(init) ? init : undefined;

/** @throws StateGraphInputError */
export function definitionOf(init: unknown): StateDefinition {
  if (StateSchema.isInstance(init)) return init.getChannels();
  if (isInteropZodObject(init)) return schemaMetaRegistry.getChannelsForSchema(init);
  if (AnnotationRoot.isInstance(init)) return init.spec;
  if (isChannelMap(init)) return init;
  throw new StateGraphInputError(
    'Invalid schema type. Expected StateSchema, Zod object, AnnotationRoot, or StateDefinition.',
  );
}

const isStateDefinitionInit = (value: unknown): value is StateDefinitionInit =>
  StateSchema.isInstance(value) || isInteropZodObject(value) || AnnotationRoot.isInstance(value) || isChannelMap(value);

const isChannelMap = (value: unknown): value is StateDefinition =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((entry) => typeof entry === 'function' || isChannel(entry));

function isGraphInit(value: unknown): value is GraphInit {
  if (typeof value !== 'object' || value === null) return false;
  const { state, stateSchema, input, output } = value as GraphInit;
  return (
    [state, stateSchema, input].some(isStateDefinitionInit) &&
    [input, output].every((given) => given === undefined || given === null || isStateDefinitionInit(given))
  );
}
