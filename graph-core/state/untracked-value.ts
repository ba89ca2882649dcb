import type { SerializableSchema } from './standard-schema.js';

const BRAND = Symbol.for('langgraph.state.untracked_value');

export interface UntrackedValueInit {
  /** Refuse several writes in one superstep. Default `true`; otherwise the last of them is kept. */
  readonly guard?: boolean;
}

/** A field of a {@link StateSchema} that lives in a run's memory only: it is in no checkpoint, and gone after a resume. */
export class UntrackedValue<Value = unknown> {
  readonly [BRAND] = true as const;
  /** For `typeof` only. */
  declare ValueType: Value;
  readonly schema?: SerializableSchema<Value>;
  readonly guard: boolean;

  constructor(schema?: SerializableSchema<Value>, init?: UntrackedValueInit) {
    this.schema = schema;
    this.guard = init?.guard ?? true;
  }

  /** By its brand, so that two copies of this library in one program agree. */
  static isInstance<Value = unknown>(value: UntrackedValue<Value>): value is UntrackedValue<Value>;
  static isInstance(value: unknown): value is UntrackedValue;
  static isInstance(value: unknown): value is UntrackedValue {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
