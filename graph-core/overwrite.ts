// `Overwrite`: a write that replaces a reducer's value instead of being folded into it.

/** The form in which an overwrite travels as JSON. */
export interface OverwriteValue<Value> {
  readonly __overwrite__: Value;
}

/** Wraps a state update to put it past the key's reducer. One per key and superstep. */
export class Overwrite<Value> implements OverwriteValue<Value> {
  readonly lg_name = 'Overwrite';
  readonly __overwrite__: Value;

  constructor(value: Value) {
    this.__overwrite__ = value;
  }

  get value(): Value {
    return this.__overwrite__;
  }

  toJSON(): OverwriteValue<Value> {
    return { __overwrite__: this.__overwrite__ };
  }

  static isInstance(value: unknown): value is Overwrite<unknown> {
    return typeof value === 'object' && value !== null && '__overwrite__' in value;
  }
}

/** The replacement in any of the three accepted forms (instance, `__overwrite__`, `type: "__overwrite__"`). */
export function overwriteOf<Value>(write: unknown): { readonly value: Value } | undefined {
  if (typeof write !== 'object' || write === null) return undefined;
  if ('__overwrite__' in write) return { value: write.__overwrite__ as Value };
  if ('type' in write && write.type === '__overwrite__' && 'value' in write) return { value: write.value as Value };
  return undefined;
}
