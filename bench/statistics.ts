export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of each of `count` calls, one after the other. */
export async function repeat(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push(await timed(work));
  return times;
}

/** Calls a second when `concurrency` callers share `count` calls. */
export async function throughput(count: number, concurrency: number, work: () => Promise<unknown>): Promise<number> {
  let left = count;
  const caller = async () => {
    while (left-- > 0) await work();
  };
  const ms = await timed(() => Promise.all(Array.from({ length: concurrency }, caller)));
  return (count * 1_000) / ms;
}

export const wallClock = (): number => performance.timeOrigin + performance.now();
