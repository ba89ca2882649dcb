// Which results of tasks are kept from run to run, and for how long.
export interface CachePolicy {
  /** The part of the key that tells inputs apart; gets a list of one, the input. Default `JSON.stringify`. */
  readonly keyFunc?: (args: unknown[]) => string;
  /** Seconds that an entry lives. Default: for ever. */
  readonly ttl?: number;
}
