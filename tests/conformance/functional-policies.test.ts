// Policies of `task()` and `entrypoint()`: cache, timeout, drain.
import { InMemoryCache } from '@langchain/langgraph-checkpoint';
import { program, saver, thread } from './harness.js';

const SHORT = 20;
const LONG = 60_000;
const all = { streamMode: ['values', 'updates', 'tasks'] };
const never = (): Promise<string> => new Promise(() => undefined);

/** Without what the clock says. */
const timeless = (error: unknown): unknown => {
  const { name, message } = error as Error;
  return [name, message.replace(/elapsed: \d+ms/, 'elapsed')];
};

program('a cached task is not run again for the same arguments', async (lg, t) => {
  const runs: unknown[] = [];
  const double = lg.task({ name: 'double', cachePolicy: {} }, async (n: number) => {
    runs.push(n);
    return 2 * n;
  });
  const flow = lg.entrypoint({ name: 'flow', checkpointer: saver(), cache: new InMemoryCache() }, async (n: number) => {
    return [await double(n), await double(n + 1)];
  });
  for (const [id, input] of [
    ['1', 1],
    ['2', 1],
    ['3', 2],
  ] as const)
    await t.stream(flow, input, { ...thread(id), ...all });
  t.note('runs', runs);
  await t.outcome('clear', () => flow.clearCache());
  await t.invoke(flow, 1, thread('4'));
  t.note('runs', runs);
});

program('a task and a node of the same name have entries of their own', async (lg, t) => {
  const cache = new InMemoryCache();
  const keys: unknown[] = [];
  const set = cache.set.bind(cache);
  cache.set = (pairs) => {
    keys.push(...pairs);
    return set(pairs);
  };
  const work = lg.task(
    { name: 'work', cachePolicy: { ttl: 60, keyFunc: (args) => JSON.stringify(args) } },
    async (n: number) => n,
  );
  const flow = lg.entrypoint({ name: 'flow', cache, checkpointer: saver() }, async (n: number) => work(n));
  await t.invoke(flow, 1, thread());
  t.note('keys', keys);
});

program('a task times out, and the run fails with it', async (lg, t) => {
  const slow = lg.task({ name: 'slow', timeout: SHORT }, never);
  const flow = lg.entrypoint({ name: 'flow', checkpointer: saver() }, async (_input: string) => slow());
  try {
    await flow.invoke('in', thread());
  } catch (error) {
    t.note('error', timeless(error));
  }
});

program('a task that is in time, and one whose retry is', async (lg, t) => {
  let attempts = 0;
  const quick = lg.task({ name: 'quick', timeout: LONG }, async () => 'quick');
  const retried = lg.task(
    { name: 'retried', timeout: 500, retry: { initialInterval: 1, jitter: false, logWarning: false } },
    async () => ((attempts += 1) < 2 ? never() : 'in time'),
  );
  const flow = lg.entrypoint({ name: 'flow', checkpointer: saver() }, async (_input: string) => [
    await quick(),
    await retried(),
  ]);
  await t.stream(flow, 'in', { ...thread(), ...all });
  t.note('attempts', attempts);
});

program('an entrypoint times out', async (lg, t) => {
  const flow = lg.entrypoint({ name: 'flow', timeout: SHORT, checkpointer: saver() }, (_input: string) => never());
  try {
    await flow.invoke('in', thread());
  } catch (error) {
    t.note('error', timeless(error));
  }
});

program('calls of tasks keep an entrypoint from being idle', async (lg, t) => {
  const quick = lg.task('quick', async (n: number) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return n;
  });
  const timeout = { idleTimeout: 800 };
  const flow = lg.entrypoint({ name: 'flow', timeout, checkpointer: saver() }, async (_input: string) => {
    const end = Date.now() + 1.5 * timeout.idleTimeout;
    while (Date.now() < end) await quick(1);
    return 'in time';
  });
  await t.outcome('result', () => flow.invoke('in', thread()));
});

program('a drain asked for in an entrypoint finds nothing left to do', async (lg, t) => {
  const one = lg.task('one', async () => 1);
  const flow = lg.entrypoint({ name: 'flow', checkpointer: saver() }, async (_input: string, config) => {
    config.control?.requestDrain('enough');
    return one();
  });
  await t.stream(flow, 'in', { ...thread(), ...all });
});
