// Servers that start beside each other: where one fails, none is left running, which would keep Jest from ending.

interface Stoppable {
  stop(): Promise<void>;
}

/** Waits for all, also where one fails. @throws what the first of them failed with. */
export async function allStarted(starts: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(starts);
  await Promise.all(starts);
}

/** Like {@link allStarted}, and stops those that did start where another one failed. */
export async function startedTogether<One extends Stoppable, Other extends Stoppable>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  const settled = await Promise.allSettled<Stoppable>([one, other]);
  const failed = settled.some(({ status }) => status === 'rejected');
  for (const result of settled) if (failed && result.status === 'fulfilled') await result.value.stop();
  return Promise.all([one, other]);
}
