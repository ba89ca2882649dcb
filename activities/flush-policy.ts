// How often a long superstep sends its log to the workflow. Each flush costs the history about four events (the signal
// and a workflow task), and a step may make 2,000.

/** Where readers can only poll the log. */
const POLLED_FLUSH_INTERVAL_MS = 500;
/** Where a live bus serves the tail and the log is for those who come later. */
const LIVE_FLUSH_INTERVAL_MS = 5_000;
/** Of one superstep, four history events each: 1,800 in all. Past it batches wait for the step's end. */
export const MAX_FLUSHES_PER_STEP = 450;
/** An interval is at least the step's age divided by this: 25 s at full pace, then about 400 flushes in a day. */
const FLUSHES_PER_AGE = 50;

/** Milliseconds from one flush to the next for a superstep of this age; infinite when it has used up its flushes. */
export function flushIntervalMs(step: {
  readonly live: boolean;
  readonly ageMs: number;
  readonly flushes: number;
}): number {
  if (step.flushes >= MAX_FLUSHES_PER_STEP) return Infinity;
  const base = step.live ? LIVE_FLUSH_INTERVAL_MS : POLLED_FLUSH_INTERVAL_MS;
  return Math.max(base, step.ageMs / FLUSHES_PER_AGE);
}
