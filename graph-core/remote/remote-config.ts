// Of a call's config, what can be sent to a server.
import type { RunnableConfig } from '@langchain/core/runnables';
import { shownOf } from '../engine/call-options.js';

/** As the protocol has it. */
export interface RequestConfig {
  readonly tags: readonly string[];
  readonly metadata: Record<string, unknown>;
  readonly configurable: Record<string, unknown>;
  readonly recursion_limit: number | undefined;
}

/** They place the call in the process that makes it; the thread's id is part of the address. */
const LOCAL: ReadonlySet<string> = new Set([
  'callbacks',
  'checkpoint_map',
  'checkpoint_id',
  'checkpoint_ns',
  'thread_id',
]);

const isInternal = (key: string): boolean => key.startsWith('__pregel_') || key.startsWith('__superstep_');

export function requestConfig({ tags, metadata, configurable = {}, recursionLimit }: RunnableConfig): RequestConfig {
  const given = Object.entries(configurable).filter(([key]) => !LOCAL.has(key) && !isInternal(key));
  return {
    tags: tags ?? [],
    metadata: sendable({ ...shownOf(configurable), ...metadata }) as Record<string, unknown>,
    configurable: sendable(Object.fromEntries(given)) as Record<string, unknown>,
    recursion_limit: recursionLimit,
  };
}

/** A copy without functions, in which JSON finds nothing that it cannot write. */
function sendable(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[Circular]';
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value;
  const within = [...above, value];
  if (Array.isArray(value)) return value.map((entry) => sendable(entry, within));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, sendable(entry, within)]));
}
