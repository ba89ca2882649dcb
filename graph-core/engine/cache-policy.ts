// Which results of tasks are kept from run to run, and for how long.
export interface CachePolicy {
  /** The part of the key that tells inputs apart; gets a list of one, the input. Default `JSON.stringify`. */
  readonly keyFunc?: (args: unknown[]) => string;
  /** Seconds that an entry lives. Default: for ever. */
  readonly ttl?: number;
}

/**
 * @param value `true` is a policy with everything by default.
 * @throws Error for what is no policy.
 */
export function cachePolicy(value: CachePolicy | boolean | undefined | null): CachePolicy | false | undefined {
  if (value === undefined || value === null || value === false) return value ?? undefined;
  if (value === true) return {};
  if (typeof value !== 'object') throw new Error(`cachePolicy must be a boolean or an object, got ${String(value)}`);
  const { keyFunc, ttl } = value;
  if (keyFunc && typeof keyFunc !== 'function') {
    throw new Error('cachePolicy.keyFunc must be a function that takes the input and returns a text');
  }
  if (Number.isNaN(Number(ttl ?? 0)))
    throw new Error(`cachePolicy.ttl must be a number of seconds, got ${String(ttl)}`);
  return value;
}
