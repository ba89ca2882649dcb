// Values as JSON text for clients. Made once, where an entry is made; everything downstream copies the text.
//   Messages are flattened to `{...data, type}`. Errors become `{error, message}`, Maps objects, Sets arrays, bytes base64.
//   Dates, Sends and Commands have a `toJSON` of their own. What JSON would drop or cannot say (functions, symbols, BigInt,
//   cycles) is an error that names its place.

/** A value that has no JSON form. `path` is like `plan.steps[2].run`; empty for the value itself. */
export class WireJsonError extends Error {
  override readonly name = 'WireJsonError';
  readonly path: string;

  constructor(path: string, found: string) {
    super(`${path === '' ? 'The value' : `"${path}"`} is ${found}, which JSON cannot hold.`);
    this.path = path;
  }
}

/** @throws WireJsonError */
export function toWireJson(value: unknown): string {
  try {
    return JSON.stringify(value, replacer) ?? 'null';
  } catch (error) {
    throw firstObstacle(value, '', []) ?? error;
  }
}

function replacer(this: unknown, key: string, value: unknown): unknown {
  // `toJSON` has been applied to `value` already; messages and bytes have one that is not for clients.
  return plain((this as Record<string, unknown>)[key], value);
}

function plain(raw: unknown, value: unknown): unknown {
  if (typeof raw === 'function' || typeof raw === 'symbol') throw new TypeError(`${typeof raw} in a wire value`);
  if (typeof raw !== 'object' || raw === null) return value;
  if (isMessageLike(raw)) {
    const { type, data } = raw.toDict();
    return { ...data, type };
  }
  if (raw instanceof Error) return { error: raw.name, message: raw.message };
  if (raw instanceof Map) return Object.fromEntries(raw as Map<PropertyKey, unknown>);
  if (raw instanceof Set) return [...(raw as Set<unknown>)];
  if (raw instanceof Uint8Array) return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64');
  return value;
}

interface MessageLike {
  toDict(): { readonly type: string; readonly data: object };
}

/** LangChain messages of whatever copy of the library. */
function isMessageLike(value: object): value is MessageLike {
  return typeof (value as Partial<MessageLike>).toDict === 'function';
}

/** Walks as JSON.stringify does; only ever called on a value that it refused. */
function firstObstacle(raw: unknown, path: string, above: readonly unknown[]): WireJsonError | undefined {
  if (typeof raw === 'bigint') return new WireJsonError(path, `a BigInt (${raw}n)`);
  if (typeof raw === 'function') return new WireJsonError(path, 'a function');
  if (typeof raw === 'symbol') return new WireJsonError(path, 'a symbol');
  if (typeof raw !== 'object' || raw === null) return undefined;
  if (above.includes(raw)) return new WireJsonError(path, 'part of a cycle');
  const own = (raw as { toJSON?: unknown }).toJSON;
  const value = plain(raw, typeof own === 'function' ? (own as () => unknown).call(raw) : raw);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = firstObstacle(item, place, [...above, raw]);
    if (found !== undefined) return found;
  }
  return undefined;
}
