// What a graph with a StateSchema or a zod state checks, and coerces: a caller's input, each write of a node, the context.
import {
  getInteropZodObjectShape,
  interopParse,
  interopZodObjectPartial,
  type InteropZodObject,
} from '@langchain/core/utils/types';
import { overwriteOf } from '../overwrite.js';
import { StateSchema, type AnyStateSchema } from '../state/state-schema.js';
import { schemaMetaRegistry } from '../zod/meta.js';
import type { GraphSchemas } from './resolve-definitions.js';

/** Checks one write. @throws the schema's error, here or by the promise, for a value that does not fit. */
export type ParseUpdate = (key: string, value: unknown) => unknown;

/** Checks a record. @throws the schema's error, here or by the promise, for a value that does not fit. */
export type ParseRecord = (record: unknown) => unknown;

/** By the key's reducer schema where it has one, else by its value's, as an Overwrite is. Other keys pass. */
export function updateParser({ state }: GraphSchemas): ParseUpdate | undefined {
  if (state === undefined) return undefined;
  return StateSchema.isInstance(state) ? schemaUpdates(state) : zodUpdates(state);
}

function schemaUpdates(state: AnyStateSchema): ParseUpdate {
  return async (key, value) => ownOr(await state.validateInput({ [key]: value }), key, value);
}

/** Field by field: an update names some of them, and defaults of the others are not its business. */
function zodUpdates(state: InteropZodObject): ParseUpdate {
  const known = new Set(Object.keys(getInteropZodObjectShape(state)));
  const updates = withReducers(state, 'partial');
  const values = interopZodObjectPartial(state);
  return (key, value) => {
    if (!known.has(key)) return value;
    const overwrite = overwriteOf(value);
    if (overwrite === undefined) return ownOr(parseZod(updates, { [key]: value }), key, value);
    const parsed = parseZod(values, { [key]: overwrite.value });
    return Object.hasOwn(parsed, key) ? { __overwrite__: parsed[key] } : value;
  };
}

const ownOr = (parsed: Record<string, unknown>, key: string, otherwise: unknown): unknown =>
  Object.hasOwn(parsed, key) ? parsed[key] : otherwise;

/** Of an input schema of its own all is required that it requires; of the state a caller may pass some. */
export function inputParser({ state, input }: GraphSchemas): ParseRecord | undefined {
  const schema = input ?? state;
  if (schema === undefined) return undefined;
  if (StateSchema.isInstance(schema)) return (given) => schema.validateInput(given);
  const zod = withReducers(schema, input === undefined ? 'partial' : 'whole');
  return (given) => parseZod(zod, given);
}

/** Only checks: nodes get the context as it was passed, without defaults, as in LangGraph. */
export const contextParser = ({ context }: GraphSchemas): ParseRecord | undefined =>
  context && ((given) => (parseZod(context, given), given));

function withReducers(schema: InteropZodObject, extent: 'partial' | 'whole'): InteropZodObject {
  const extended = schemaMetaRegistry.getExtendedChannelSchemas(schema, { withReducerSchema: true });
  return extent === 'partial' ? interopZodObjectPartial(extended) : extended;
}

const parseZod = (schema: InteropZodObject, value: unknown): Record<string, unknown> =>
  interopParse(schema as never, value);
