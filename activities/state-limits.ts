// What may go into a thread's state: values that the checkpoint saver can store and give back, and not too much of them.
import { RunFailure } from './failures.js';

/** A value without a stored form; `path` is like `plan.steps[2].run`, empty for the value itself. */
interface Obstacle {
  readonly path: string;
  readonly found: string;
}

export interface Measured {
  /** About as many as the value takes in JSON. */
  readonly bytes: number;
  readonly obstacle?: Obstacle;
}

/** @throws RunFailure `UNSERIALIZABLE_STATE`, naming node, channel and path */
export function checkStorable(node: string, channel: string, value: unknown): void {
  const { obstacle } = measure(value);
  if (obstacle === undefined) return;
  const place = obstacle.path === '' ? `"${channel}"` : `"${channel}" at ${obstacle.path}`;
  throw new RunFailure(
    'UNSERIALIZABLE_STATE',
    `Node "${node}" wrote ${obstacle.found} to ${place}, which cannot be stored. Write a string, a number or a plain object instead.`,
    node,
  );
}

/** @throws RunFailure `STATE_TOO_LARGE`, naming size, limit and nodes */
export function checkStateSize(bytes: number, maxBytes: number, nodes: readonly string[]): void {
  if (bytes <= maxBytes) return;
  const names = nodes.map((node) => `"${node}"`).join(', ');
  throw new RunFailure(
    'STATE_TOO_LARGE',
    `After node ${names} the thread's state takes ${megabytes(bytes)}; the limit is ${megabytes(maxBytes)} ` +
      '(SUPERSTEP_STATE_LIMIT_MB). Keep large data elsewhere and its address in the state.',
    nodes.length === 1 ? nodes[0] : undefined,
  );
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** One walk, without making the JSON. Follows `toJSON`, as the saver does. */
export function measure(value: unknown): Measured {
  const walk = new Walk();
  const obstacle = walk.visit(value, '');
  return obstacle === undefined ? { bytes: walk.bytes } : { bytes: walk.bytes, obstacle };
}

class Walk {
  bytes = 0;
  readonly #above = new Set<object>();

  visit(value: unknown, path: string): Obstacle | undefined {
    switch (typeof value) {
      case 'string':
        this.bytes += value.length + 2;
        return undefined;
      case 'bigint':
        return { path, found: `a BigInt (${value}n)` };
      case 'function':
        return { path, found: 'a function' };
      case 'symbol':
        return { path, found: 'a symbol' };
      case 'object':
        return value === null ? this.#scalar() : this.#object(value, path);
      case 'number':
      case 'boolean':
      case 'undefined':
        return this.#scalar();
    }
  }

  #scalar(): undefined {
    this.bytes += 8;
    return undefined;
  }

  #object(value: object, path: string): Obstacle | undefined {
    if (ArrayBuffer.isView(value)) {
      this.bytes += value.byteLength;
      return undefined;
    }
    if (this.#above.has(value)) return { path, found: 'a cycle' };
    this.#above.add(value);
    const obstacle = this.#children(value, path);
    this.#above.delete(value);
    return obstacle;
  }

  #children(value: object, path: string): Obstacle | undefined {
    this.bytes += 2;
    if (Array.isArray(value)) return this.#first(value.entries(), (index) => `${path}[${String(index)}]`);
    if (value instanceof Map) return this.#first(value.entries(), (key) => member(path, key));
    if (value instanceof Set)
      return this.#first([...(value as Set<unknown>)].entries(), (index) => `${path}[${String(index)}]`);
    if (value instanceof Error) return this.visit(value.message, member(path, 'message'));
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const plain: unknown = (toJSON as () => unknown).call(value);
      if (plain !== value) return this.visit(plain, path);
    }
    return this.#first(Object.entries(value), (key) => member(path, key));
  }

  #first(items: Iterable<readonly [unknown, unknown]>, place: (key: unknown) => string): Obstacle | undefined {
    for (const [key, item] of items) {
      this.bytes += typeof key === 'string' ? key.length + 4 : 1;
      const obstacle = this.visit(item, place(key));
      if (obstacle !== undefined) return obstacle;
    }
    return undefined;
  }
}

const member = (path: string, key: unknown): string => (path === '' ? String(key) : `${path}.${String(key)}`);
