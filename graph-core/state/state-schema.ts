// `StateSchema`: a state declared by schemas of any library, and by values that say how their writes add up.
import type { JSONSchema } from '@langchain/core/utils/json_schema';
import type { Channel } from '../channels/channel.js';
import { DeltaChannel } from '../channels/delta.js';
import { LastValue } from '../channels/last-value.js';
import { BinaryOperatorAggregate } from '../channels/reducer.js';
import { UntrackedValueChannel } from '../channels/untracked.js';
import { overwriteOf, type OverwriteValue } from '../overwrite.js';
import { DeltaValue } from './delta-value.js';
import { ReducedValue } from './reduced-value.js';
import {
  getJsonSchemaFromSchema,
  getSchemaDefaultGetter,
  isStandardSchema,
  validateField,
  type SerializableSchema,
  type StandardSchema,
} from './standard-schema.js';
import { UntrackedValue } from './untracked-value.js';

const BRAND = Symbol.for('langgraph.state.state_schema');

export type StateSchemaField<Input = unknown, Output = Input> =
  DeltaValue<Input, Output> | ReducedValue<Input, Output> | UntrackedValue<Output> | SerializableSchema<Input, Output>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a field's type parameters are invariant
export type StateSchemaFields = Record<string, StateSchemaField<any, any>>;

/** A field whose writes are folded: `[value, write]`. */
type Folded<Field> =
  Field extends DeltaValue<infer Value, infer Input>
    ? [Value, Input]
    : Field extends ReducedValue<infer Value, infer Input>
      ? [Value, Input]
      : never;

/** What a field reads as. */
type FieldValue<Field> = [Folded<Field>] extends [never]
  ? Field extends UntrackedValue<infer Value>
    ? Value
    : Field extends SerializableSchema<infer _Input, infer Output>
      ? Output
      : never
  : Folded<Field>[0];

/** What may be written to a field. */
type FieldUpdate<Field> = [Folded<Field>] extends [never]
  ? Field extends UntrackedValue<infer Value>
    ? Value
    : Field extends SerializableSchema<infer Input, infer _Output>
      ? Input
      : never
  : OverwriteValue<Folded<Field>[0]> | Folded<Field>[1];

export type StateSchemaFieldToChannel<Field> = Channel<FieldValue<Field>, FieldUpdate<Field>>;

export type StateSchemaFieldsToStateDefinition<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]: StateSchemaFieldToChannel<Fields[Key]>;
};

export type InferStateSchemaValue<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]: FieldValue<Fields[Key]>;
};

export type InferStateSchemaUpdate<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]?: FieldUpdate<Fields[Key]>;
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a schema's type parameter is invariant
export type AnyStateSchema = StateSchema<any>;

export class StateSchema<Fields extends StateSchemaFields> {
  readonly [BRAND] = true as const;
  /** For `typeof` only, as the next. */
  declare readonly State: InferStateSchemaValue<Fields>;
  declare readonly Update: InferStateSchemaUpdate<Fields>;

  constructor(readonly fields: Fields) {}

  /** @throws Error for a field that is neither a schema nor one of the values. */
  getChannels(): Record<string, Channel> {
    return Object.fromEntries(Object.entries(this.fields).map(([key, field]) => [key, channelOf(key, field)]));
  }

  /** Of the whole state; fields without a default are required. */
  getJsonSchema(): JSONSchema {
    const properties = propertiesOf(this.fields, valueSchemaOf);
    const required = Object.keys(properties).filter(
      (key) => getSchemaDefaultGetter(valueSchemaOf(this.fields[key])) === undefined,
    );
    return { type: 'object', properties, required: required.length > 0 ? required : undefined };
  }

  /** Of an update: no field is required, and folded ones are as their reducer takes them. */
  getInputJsonSchema(): JSONSchema {
    return { type: 'object', properties: propertiesOf(this.fields, inputSchemaOf) };
  }

  getChannelKeys(): string[] {
    return Object.keys(this.fields);
  }

  getAllKeys(): string[] {
    return Object.keys(this.fields);
  }

  /**
   * Checks, and coerces, the keys that `data` has; others pass. An Overwrite is checked by the value's schema.
   * @throws Error `Validation failed for field "k": <issues as JSON>`.
   */
  async validateInput<T>(data: T): Promise<T> {
    if (typeof data !== 'object' || data === null) return data;
    const result: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(data)) result[key] = await this.#validate(key, value);
    return result as T;
  }

  async #validate(key: string, value: unknown): Promise<unknown> {
    const field = this.fields[key] as unknown;
    const overwrite = isFolded(field) ? overwriteOf(value) : undefined;
    if (isFolded(field) && overwrite !== undefined) {
      return { __overwrite__: await validateField(key, field.valueSchema, overwrite.value) };
    }
    const schema = inputSchemaOf(field);
    return schema ? validateField(key, schema, value) : value;
  }

  /** By its brand, so that two copies of this library in one program agree. */
  static isInstance<Fields extends StateSchemaFields>(value: StateSchema<Fields>): value is StateSchema<Fields>;
  static isInstance(value: unknown): value is AnyStateSchema;
  static isInstance(value: unknown): value is AnyStateSchema {
    return typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === true;
  }
}

type FoldedValue = DeltaValue | ReducedValue;

const isFolded = (field: unknown): field is FoldedValue =>
  DeltaValue.isInstance(field) || ReducedValue.isInstance(field);

function channelOf(key: string, field: unknown): Channel {
  if (DeltaValue.isInstance(field)) {
    const { reducer, snapshotFrequency } = field;
    return new DeltaChannel(reducer, {
      snapshotFrequency,
      initialValueFactory: getSchemaDefaultGetter(field.valueSchema),
    });
  }
  if (ReducedValue.isInstance(field)) {
    return new BinaryOperatorAggregate(field.reducer, getSchemaDefaultGetter(field.valueSchema));
  }
  if (UntrackedValue.isInstance(field)) {
    return new UntrackedValueChannel({
      guard: field.guard,
      initialValueFactory: getSchemaDefaultGetter(field.schema),
    });
  }
  if (isStandardSchema(field)) return new LastValue(getSchemaDefaultGetter(field));
  throw new Error(
    `Invalid state field "${key}": must be a schema, ReducedValue, DeltaValue, UntrackedValue, or ManagedValue`,
  );
}

function valueSchemaOf(field: unknown): StandardSchema | undefined {
  if (isFolded(field)) return field.valueSchema;
  if (UntrackedValue.isInstance(field)) return field.schema;
  return isStandardSchema(field) ? field : undefined;
}

const inputSchemaOf = (field: unknown): StandardSchema | undefined =>
  isFolded(field) ? field.inputSchema : valueSchemaOf(field);

/** Fields that cannot be told as JSON schema are left out. */
function propertiesOf(
  fields: StateSchemaFields,
  schemaOf: (field: unknown) => StandardSchema | undefined,
): Record<string, Record<string, unknown>> {
  const properties: Record<string, Record<string, unknown>> = {};
  for (const [key, field] of Object.entries(fields)) {
    const schema = getJsonSchemaFromSchema(schemaOf(field));
    const extra = isFolded(field) ? field.jsonSchemaExtra : undefined;
    if (schema ?? extra) properties[key] = { ...schema, ...extra };
  }
  return properties;
}
