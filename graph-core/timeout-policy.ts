// How long one attempt of a node may take.
export interface TimeoutPolicy {
  /** Milliseconds that an attempt may take, whatever it does. */
  readonly runTimeout?: number;
  /** Milliseconds that an attempt may go without progress. */
  readonly idleTimeout?: number;
  /**
   * What counts as progress. `auto` (the default): writes, the stream writer, calls of tasks, LangChain's callbacks, and
   * `config.heartbeat()`; `heartbeat`: that alone.
   */
  readonly refreshOn?: 'auto' | 'heartbeat';
}

/**
 * @param value A policy; a number is a `runTimeout`.
 * @returns undefined if it limits nothing.
 * @throws Error for a limit that is not above 0, or an unknown `refreshOn`.
 */
export function timeoutPolicy(value: number | TimeoutPolicy | undefined | null): TimeoutPolicy | undefined {
  if (value === undefined || value === null) return undefined;
  const given: TimeoutPolicy = typeof value === 'number' ? { runTimeout: value } : value;
  const { refreshOn = 'auto' } = given;
  if (!['auto', 'heartbeat'].includes(refreshOn)) throw new Error('refreshOn must be "auto" or "heartbeat"');
  const runTimeout = milliseconds('runTimeout', given.runTimeout);
  const idleTimeout = milliseconds('idleTimeout', given.idleTimeout);
  return runTimeout === undefined && idleTimeout === undefined ? undefined : { runTimeout, idleTimeout, refreshOn };
}

function milliseconds(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value > 0)) throw new Error(`${field} must be greater than 0`);
  return value;
}
