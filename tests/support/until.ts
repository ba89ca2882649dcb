import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `condition` gives something other than false, undefined or null, and returns that. Errors thrown by it
 * count as "not yet". @throws naming `what` after `withinMs`.
 */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value> | Value,
  { withinMs = 30_000, everyMs = 50 }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<NonNullable<Exclude<Value, false>>> {
  const giveUpAt = Date.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== undefined && value !== null) return value as NonNullable<Exclude<Value, false>>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > giveUpAt) {
      throw new Error(
        `Not within ${withinMs} ms: ${what}. Last: ${last instanceof Error ? last.message : String(last)}`,
      );
    }
    await delay(everyMs);
  }
}
