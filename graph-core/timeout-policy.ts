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

/** Of a timer of Node.js, which fires at once when it is given more: 2³¹ − 1 milliseconds, almost 25 days. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * @param value A policy; a number is a `runTimeout`.
 * @returns undefined if it limits nothing.
 * @throws Error for what is neither, a limit that is not above 0, or an unknown `refreshOn`.
 */
export function timeoutPolicy(value: number | TimeoutPolicy | undefined | null): TimeoutPolicy | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' && typeof value !== 'object') {
    throw new Error(`timeout must be a number of milliseconds or an object, got ${JSON.stringify(value)}`);
  }
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
