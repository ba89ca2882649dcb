import type { SerializableSchema } from './standard-schema.js';

const BRAND = Symbol.for('langgraph.state.reduced_value');

interface ReducedValueInitBase<Value> {
  /** Folds one write into the value so far. */
  readonly reducer: (current: Value, next: Value) => Value;
  /** Merged into the field's JSON schema. */
  readonly jsonSchemaExtra?: Record<string, unknown>;
}

interface ReducedValueInitWithSchema<Value, Input> {
  /** What a write must be, where that differs from the value. */
  readonly inputSchema: SerializableSchema<unknown, Input>;
  readonly reducer: (current: Value, next: Input) => Value;
  readonly jsonSchemaExtra?: Record<string, unknown>;
}

export type ReducedValueInit<Value = unknown, Input = Value> =
  ReducedValueInitWithSchema<Value, Input> | ReducedValueInitBase<Value>;

/** A field of a {@link StateSchema} whose writes are folded by a reducer. The value schema's default is where it starts. */
export class ReducedValue<Value = unknown, Input = Value> {
  readonly [BRAND] = true as const;
  /** For `typeof` only. */
  declare ValueType: Value;
  declare InputType: Input;
  readonly valueSchema: SerializableSchema<unknown, Value>;
  readonly inputSchema: SerializableSchema<unknown, Input | Value>;
  readonly reducer: (current: Value, next: Input) => Value;
  readonly jsonSchemaExtra?: Record<string, unknown>;

  constructor(valueSchema: SerializableSchema<unknown, Value>, init: ReducedValueInitWithSchema<Value, Input>);
  constructor(valueSchema: SerializableSchema<Input, Value>, init: ReducedValueInitBase<Value>);
  constructor(valueSchema: SerializableSchema<unknown, Value>, init: ReducedValueInit<Value, Input>) {
    this.valueSchema = valueSchema;
    this.inputSchema = 'inputSchema' in init ? init.inputSchema : valueSchema;
    this.reducer = init.reducer as (current: Value, next: Input) => Value;
    this.jsonSchemaExtra = init.jsonSchemaExtra;
  }

  /** By its brand, so that two copies of this library in one program agree. */
  static isInstance<Value = unknown, Input = Value>(
    value: ReducedValue<Value, Input>,
  ): value is ReducedValue<Value, Input>;
  static isInstance(value: unknown): value is ReducedValue;
  static isInstance(value: unknown): value is ReducedValue {
    return typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === true;
  }
}
