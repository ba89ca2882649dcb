import type { DeltaReducer } from '../channels/delta.js';
import type { SerializableSchema } from './standard-schema.js';

const BRAND = Symbol.for('langgraph.state.delta_value');

interface DeltaOptions {
  /** Writes after which the whole value is stored again. Default: {@link DeltaChannel}'s. */
  readonly snapshotFrequency?: number;
  /** Merged into the field's JSON schema. */
  readonly jsonSchemaExtra?: Record<string, unknown>;
}

interface DeltaValueInitBase<Value> extends DeltaOptions {
  /** Folds the writes of a superstep into the value so far. */
  readonly reducer: DeltaReducer<Value, Value>;
}

interface DeltaValueInitWithSchema<Value, Input> extends DeltaOptions {
  /** What a write must be, where that differs from the value. */
  readonly inputSchema: SerializableSchema<unknown, Input>;
  readonly reducer: DeltaReducer<Value, Input>;
}

export type DeltaValueInit<Value = unknown, Input = Value> =
  DeltaValueInitWithSchema<Value, Input> | DeltaValueInitBase<Value>;

/**
 * A field of a {@link StateSchema} of which checkpoints store what was written, and now and then the whole value: for
 * values that grow with each superstep.
 */
export class DeltaValue<Value = unknown, Input = Value> {
  readonly [BRAND] = true as const;
  /** For `typeof` only. */
  declare ValueType: Value;
  declare InputType: Input;
  readonly valueSchema: SerializableSchema<unknown, Value>;
  readonly inputSchema: SerializableSchema<unknown, Input | Value>;
  readonly reducer: DeltaReducer<Value, Input>;
  readonly snapshotFrequency?: number;
  readonly jsonSchemaExtra?: Record<string, unknown>;

  constructor(valueSchema: SerializableSchema<unknown, Value>, init: DeltaValueInitWithSchema<Value, Input>);
  constructor(valueSchema: SerializableSchema<Input, Value>, init: DeltaValueInitBase<Value>);
  constructor(valueSchema: SerializableSchema<unknown, Value>, init: DeltaValueInit<Value, Input>) {
    this.valueSchema = valueSchema;
    this.inputSchema = 'inputSchema' in init ? init.inputSchema : valueSchema;
    this.reducer = init.reducer as DeltaReducer<Value, Input>;
    this.snapshotFrequency = init.snapshotFrequency;
    this.jsonSchemaExtra = init.jsonSchemaExtra;
  }

  /** By its brand, so that two copies of this library in one program agree. */
  static isInstance<Value = unknown, Input = Value>(value: DeltaValue<Value, Input>): value is DeltaValue<Value, Input>;
  static isInstance(value: unknown): value is DeltaValue;
  static isInstance(value: unknown): value is DeltaValue {
    return typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === true;
  }
}
