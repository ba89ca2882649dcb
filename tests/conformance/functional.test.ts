// Functional graphs: entrypoints, their tasks, and what the one keeps of the other.
import { program, saver, thread, type Graph } from './harness.js';

const streams = { streamMode: ['values', 'updates', 'tasks', 'custom'] };
const shown = { streamMode: ['values', 'updates'] };

program('an entrypoint of tasks in every mode', async (lg, t) => {
  const add = lg.task('add', async (a: number, b: number) => Promise.resolve(a + b));
  const double = lg.task('double', (a: number) => a * 2);
  const graph = lg.entrypoint({ name: 'sum', checkpointer: saver() }, async (input: number) =>
    double(await add(input, 1)),
  );
  await t.everyMode(graph, 3);
});

program('an entrypoint is invoked, and its state, history and checkpoints', async (lg, t) => {
  const memory = saver();
  const say = lg.task('say', async (word: string) => Promise.resolve(`${word}!`));
  const graph = lg.entrypoint({ name: 'shout', checkpointer: memory }, async (words: string[]) =>
    Promise.all(words.map((word) => say(word))),
  );
  await t.invoke(graph, ['a', 'b'], thread());
  await t.state(graph, thread());
  await t.history(graph, thread());
  await t.saved(memory);
  await t.invoke(graph, ['c'], thread());
  await t.history(graph, thread());
  await t.saved(memory);
});

program('an entrypoint by name only, without tasks and without memory', async (lg, t) => {
  const graph = lg.entrypoint('plain', (input: unknown) => ({ got: input }));
  for (const input of ['text', 0, false, '', [], {}, { a: 1 }, null, undefined]) await t.stream(graph, input, streams);
});

program('functions that are not async', async (lg, t) => {
  const add = lg.task('add', (a: number) => a + 1);
  const graph = lg.entrypoint('sync', (input: number) => add(input));
  await t.stream(graph, 1, streams);
});

program('what an entrypoint returned is there for its next run', async (lg, t) => {
  const memory = saver();
  const graph = lg.entrypoint({ name: 'sum', checkpointer: memory }, (input: number) => {
    const previous = lg.getPreviousState<number | undefined>();
    return (previous ?? 0) + input;
  });
  for (const input of [1, 2, 3]) await t.stream(graph, input, { ...thread(), ...streams });
  await t.invoke(graph, 10, thread('another'));
  await t.state(graph, thread());
  await t.saved(memory);
});

program('final: one value for the caller, another one to keep', async (lg, t) => {
  const memory = saver();
  const graph = lg.entrypoint({ name: 'keep', checkpointer: memory }, (input: number) => {
    const previous = lg.getPreviousState<number | undefined>();
    return lg.entrypoint.final({ value: previous ?? 'nothing', save: 2 * input });
  });
  for (const input of [3, 1, 0]) await t.stream(graph, input, { ...thread(), ...streams });
  await t.state(graph, thread());
  await t.saved(memory);
});

program('final with only a value, only something to keep, neither', async (lg, t) => {
  for (const kept of [{ value: 1 }, { save: 1 }, {}, { value: null, save: null }, { value: false, save: 0 }]) {
    const memory = saver();
    const graph = lg.entrypoint({ name: 'keep', checkpointer: memory }, () => {
      t.note('previous', lg.getPreviousState());
      return lg.entrypoint.final<unknown, unknown>(kept);
    });
    await t.stream(graph, 'a', { ...thread(), ...streams });
    await t.stream(graph, 'b', { ...thread(), ...streams });
    await t.state(graph, thread());
  }
});

program('the previous state is seen in tasks, also in those of tasks', async (lg, t) => {
  const inner = lg.task('inner', async () => Promise.resolve(lg.getPreviousState<number>()));
  const outer = lg.task('outer', async () => [lg.getPreviousState<number>(), await inner()]);
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (input: number) =>
    lg.entrypoint.final({ value: await outer(), save: input }),
  );
  await t.invoke(graph, 1, thread());
  await t.invoke(graph, 2, thread());
});

program('without memory there is no previous state', async (lg, t) => {
  const graph = lg.entrypoint('g', (input: number) => lg.getPreviousState<number>() ?? `first ${input}`);
  await t.invoke(graph, 1);
  await t.invoke(graph, 2);
});

program('tasks one after the other, and side by side', async (lg, t) => {
  const one = lg.task('one', async (a: number) => Promise.resolve(a + 1));
  const two = lg.task('two', async (a: number) => Promise.resolve(a * 10));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (input: number) => {
    const first = await one(input);
    const second = await two(first);
    const both = await Promise.all([one(second), two(second)]);
    const last = await one(Math.max(...both));
    return [first, second, ...both, last];
  });
  await t.stream(graph, 1, { ...thread(), ...streams });
});

program('a task that calls tasks', async (lg, t) => {
  const memory = saver();
  const leaf = lg.task('leaf', async (a: number) => Promise.resolve(a + 1));
  const branch = lg.task('branch', async (a: number) => (await leaf(a)) + (await leaf(a * 2)));
  const graph = lg.entrypoint({ name: 'root', checkpointer: memory }, async (a: number) => [
    await branch(a),
    await leaf(a),
  ]);
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.saved(memory);
});

program('tasks called many times have ids of their own', async (lg, t) => {
  const count = lg.task('count', async (a: number) => Promise.resolve(a));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (n: number) => {
    let sum = 0;
    for (let index = 0; index < n; index++) sum += await count(index);
    return sum;
  });
  await t.stream(graph, 6, { ...thread(), ...streams });
});

program('tasks whose results are falsy', async (lg, t) => {
  for (const value of [0, false, '', null, undefined, [], {}]) {
    const memory = saver();
    const give = lg.task('give', async () => Promise.resolve(value));
    const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => ({
      got: await give(),
      asked: lg.interrupt('q'),
    }));
    await t.stream(graph, 1, { ...thread(), ...shown });
    await t.stream(graph, new lg.Command({ resume: 'r' }), { ...thread(), ...shown });
    await t.saved(memory);
  }
});

program('a task that nobody awaits is finished before the run is', async (lg, t) => {
  let finish: () => void = () => undefined;
  const background = lg.task('background', async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    return 'done';
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, () => {
    void background();
    setImmediate(() => setImmediate(() => finish()));
    return 'early';
  });
  await t.stream(graph, 1, { ...thread(), ...streams });
});

program('a task that is awaited twice runs once', async (lg, t) => {
  let runs = 0;
  const one = lg.task('one', async () => Promise.resolve(++runs));
  const graph = lg.entrypoint('g', async () => {
    const promise = one();
    return [await promise, await promise];
  });
  await t.stream(graph, 1, streams);
  t.note('runs', runs);
});

program('custom chunks of entrypoints and tasks', async (lg, t) => {
  const work = lg.task('work', async (a: number) => {
    lg.getWriter()?.(`task ${a}`);
    lg.getConfig().writer?.(`task's config ${a}`);
    return Promise.resolve(a);
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (a: number, config) => {
    config.writer?.('before');
    await work(a);
    lg.getWriter()?.('between');
    await Promise.all([work(a + 1), work(a + 2)]);
    config.writer?.('after');
    return a;
  });
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.stream(graph, 1, { ...thread('subgraphs'), ...streams, subgraphs: true });
});

program('what tasks see of their run', async (lg, t) => {
  const seen = lg.task('seen', (argument: string) => {
    const { metadata, tags, executionInfo, configurable, recursionLimit } = lg.getConfig();
    t.note('task', { metadata, tags, executionInfo: { ...executionInfo, nodeFirstAttemptTime: 0 }, recursionLimit });
    t.note('places', [
      configurable?.thread_id,
      configurable?.checkpoint_ns,
      configurable?.checkpoint_map,
      configurable?.mine,
    ]);
    t.note('input', lg.getCurrentTaskInput());
    return argument;
  });
  const outer = lg.task('outer', async () => seen('inner'));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (_input: unknown, config) => {
    const { metadata, tags, executionInfo } = config;
    t.note('entrypoint', { metadata, tags, executionInfo: { ...executionInfo, nodeFirstAttemptTime: 0 } });
    t.note('input', lg.getCurrentTaskInput());
    return [await seen('a'), await outer()];
  });
  await t.invoke(graph, { in: 1 }, { ...thread('t', { mine: 7 }), tags: ['tag'], metadata: { from: 'caller' } });
});

program('maxConcurrency holds nodes back, not calls', async (lg, t) => {
  let running = 0;
  const work = lg.task('work', async () => {
    t.note('running', ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return 1;
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => Promise.all([work(), work(), work()]));
  await t.stream(graph, 1, { ...thread(), maxConcurrency: 1, ...streams });
});

program('a task may be retried', async (lg, t) => {
  let attempts = 0;
  const flaky = lg.task(
    { name: 'flaky', retry: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false } },
    async () => {
      attempts += 1;
      t.note('attempt', lg.getConfig().executionInfo?.nodeAttempt);
      if (attempts < 3) throw new Error(`attempt ${attempts}`);
      return Promise.resolve(`after ${attempts}`);
    },
  );
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => flaky());
  await t.stream(graph, 1, { ...thread(), ...streams });
});

program('retries end, and not every error is worth one', async (lg, t) => {
  for (const retry of [
    { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false },
    { retryOn: () => false, initialInterval: 1, logWarning: false },
  ]) {
    let attempts = 0;
    const fails = lg.task({ name: 'fails', retry }, () => {
      attempts += 1;
      throw new Error(`attempt ${attempts}`);
    });
    const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => fails());
    await t.invoke(graph, 1, thread());
    t.note('attempts', attempts);
  }
});

program('a task that failed runs again when the run goes on; those that had finished do not', async (lg, t) => {
  const memory = saver();
  let fails = true;
  const runs: string[] = [];
  const good = lg.task('good', async (a: string) => {
    runs.push(`good ${a}`);
    return Promise.resolve(a);
  });
  const bad = lg.task('bad', async () => {
    runs.push('bad');
    if (fails) throw new Error('not yet');
    return Promise.resolve('fine');
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => [
    await good('x'),
    await bad(),
    await good('y'),
  ]);
  await t.invoke(graph, 1, thread());
  fails = false;
  await t.stream(graph, null, { ...thread(), ...streams });
  await t.state(graph, thread());
  t.note('runs', runs);
});

program('an entrypoint that fails after its tasks finds their results when the run goes on', async (lg, t) => {
  const memory = saver();
  let fails = true;
  let runs = 0;
  const work = lg.task('work', async () => Promise.resolve(++runs));
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => {
    const result = await work();
    if (fails) throw new Error('later');
    return result;
  });
  await t.invoke(graph, 1, thread());
  await t.state(graph, thread());
  fails = false;
  await t.stream(graph, null, { ...thread(), ...streams });
  t.note('runs', runs);
});

program('new input gives the results of an unfinished run up', async (lg, t) => {
  let fails = true;
  let runs = 0;
  const work = lg.task('work', async () => Promise.resolve(++runs));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (input: string) => {
    const result = await work();
    if (fails) throw new Error('later');
    return [input, result];
  });
  await t.invoke(graph, 'first', thread());
  fails = false;
  await t.stream(graph, 'second', { ...thread(), ...streams });
  t.note('runs', runs);
});

program('generators are refused', async (lg, t) => {
  const functions = [
    function* (): Generator<number> {
      yield 1;
    },
    async function* (): AsyncGenerator<number> {
      yield Promise.resolve(1);
    },
  ];
  for (const func of functions) {
    await t.outcome('task', () => void lg.task('generates', func as never));
    await t.outcome('entrypoint', () => void lg.entrypoint('generates', func as never));
  }
});

program('access to the run fails outside of one', async (lg, t) => {
  await t.outcome('input', () => lg.getCurrentTaskInput());
  await t.outcome('store', () => lg.getStore());
  await t.outcome('writer', () => lg.getWriter());
  await t.outcome('config', () => lg.getConfig());
});

program('access to the run by an explicit config', async (lg, t) => {
  const store = new lg.InMemoryStore();
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver(), store }, async (input: string, config) => {
    // Where AsyncLocalStorage has been lost, as it is in a browser, the config is what there is.
    await lg.getStore(config)?.put(['ns'], 'key', { input });
    lg.getWriter(config)?.('written');
    return [lg.getCurrentTaskInput(config), (await lg.getStore()?.get(['ns'], 'key'))?.value];
  });
  await t.stream(graph, 'hello', { ...thread(), ...streams });
});

program('the store reaches tasks', async (lg, t) => {
  const store = new lg.InMemoryStore();
  const put = lg.task('put', async (value: string) => {
    await lg.getStore()?.put(['memories'], value, { value });
    return (await lg.getConfig().store?.search(['memories']))?.length;
  });
  const graph = lg.entrypoint({ name: 'g', store }, async () => [await put('a'), await put('b')]);
  await t.invoke(graph, 1);
});

program('durability', async (lg, t) => {
  for (const durability of ['sync', 'async', 'exit']) {
    const memory = saver();
    const work = lg.task('work', async (a: number) => Promise.resolve(a + 1));
    const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async (a: number) => {
      const worked = await work(a);
      const answer: unknown = lg.interrupt('go on?');
      return [await work(worked), answer];
    });
    await t.stream(graph, 1, { ...thread(), ...streams, durability });
    await t.saved(memory);
    await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...streams, durability });
    await t.saved(memory);
  }
});

program('a cancelled run tells its tasks', async (lg, t) => {
  const stop = new AbortController();
  const work = lg.task('work', async () => {
    stop.abort();
    await new Promise((resolve) => setImmediate(resolve));
    return 1;
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => work());
  await t.outcome('rejects', async () => {
    try {
      await graph.invoke(1, { ...thread(), signal: stop.signal });
      return 'no';
    } catch {
      return 'yes';
    }
  });
});

program('an entrypoint with a bound config', async (lg, t) => {
  const graph = lg
    .entrypoint({ name: 'g', checkpointer: saver() }, (input: number, config) => [
      input,
      config.configurable?.bound,
      config.tags,
    ])
    .withConfig({ configurable: { bound: 1 }, tags: ['bound'] }) as unknown as Graph;
  await t.invoke(graph, 1, thread());
});
