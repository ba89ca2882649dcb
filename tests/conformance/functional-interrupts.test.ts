// Questions in functional graphs: asked by entrypoints and by tasks, answered one by one or together.
import { program, saver, thread } from './harness.js';

const streams = { streamMode: ['values', 'updates', 'tasks', 'custom'] };
const all = { streamMode: ['values', 'updates', 'tasks', 'checkpoints', 'debug'] };

program('an entrypoint asks between its tasks', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const write = lg.task('write', async (topic: string) => {
    runs += 1;
    return Promise.resolve(`An essay about ${topic}`);
  });
  const graph = lg.entrypoint({ name: 'review', checkpointer: memory }, async (topic: string) => {
    const essay = await write(topic);
    const review: unknown = lg.interrupt({ question: 'Please review', essay });
    return { essay, review };
  });
  await t.stream(graph, 'cats', { ...thread(), ...all });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: 'great' }), { ...thread(), ...all });
  await t.state(graph, thread());
  await t.history(graph, thread());
  await t.saved(memory);
  t.note('runs', runs);
});

program('an interrupted entrypoint is invoked', async (lg, t) => {
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, () => ({
    answer: lg.interrupt<unknown, unknown>('q'),
  }));
  await t.invoke(graph, 1, thread());
  await t.invoke(graph, new lg.Command({ resume: { yes: true } }), thread());
});

program('a task asks, and asks again', async (lg, t) => {
  const memory = saver();
  const ask = lg.task('ask', async (question: string) => Promise.resolve(lg.interrupt<string, string>(question)));
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => [
    await ask('first?'),
    await ask('second?'),
  ]);
  await t.stream(graph, 1, { ...thread(), ...all });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: '1' }), { ...thread(), ...all });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: '2' }), { ...thread(), ...all });
  await t.saved(memory);
});

program('one task with several questions', async (lg, t) => {
  let runs = 0;
  const ask = lg.task('ask', async () => {
    runs += 1;
    return Promise.resolve([lg.interrupt<unknown, unknown>('a?'), lg.interrupt<unknown, unknown>('b?')]);
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => ask());
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.stream(graph, new lg.Command({ resume: 'A' }), { ...thread(), ...streams });
  await t.stream(graph, new lg.Command({ resume: 'B' }), { ...thread(), ...streams });
  t.note('runs', runs);
});

program('tasks that ask side by side get the same answer', async (lg, t) => {
  const ask = lg.task('ask', async (question: string) => Promise.resolve(lg.interrupt<string, string>(question)));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => Promise.all([ask('a?'), ask('b?')]));
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'both' }), { ...thread(), ...streams });
  await t.state(graph, thread());
});

program('answers by interrupt id', async (lg, t) => {
  const ask = lg.task('ask', async (question: string) => Promise.resolve(lg.interrupt<string, string>(question)));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => Promise.all([ask('a?'), ask('b?')]));
  const config = thread();
  for (let round = 0; round < 2; round++) {
    const result = (await graph.invoke(round === 0 ? 1 : null, config)) as unknown;
    if (!lg.isInterrupted(result)) break;
    const [asked] = result.__interrupt__;
    t.note('asked', asked);
    await t.stream(graph, new lg.Command({ resume: { [String(asked?.id)]: `answer to ${String(asked?.value)}` } }), {
      ...config,
      ...streams,
    });
  }
  await t.state(graph, config);
});

program('an entrypoint and its task both ask', async (lg, t) => {
  const ask = lg.task('ask', async () => Promise.resolve(lg.interrupt<string, string>('task?')));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => {
    const own: unknown = lg.interrupt('entrypoint?');
    return [own, await ask()];
  });
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.stream(graph, new lg.Command({ resume: 'E' }), { ...thread(), ...streams });
  await t.stream(graph, new lg.Command({ resume: 'T' }), { ...thread(), ...streams });
});

program('a task within a task asks', async (lg, t) => {
  const memory = saver();
  const inner = lg.task('inner', async () => Promise.resolve(lg.interrupt<string, string>('inner?')));
  const outer = lg.task('outer', async () => `outer got ${await inner()}`);
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => outer());
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...streams });
  await t.saved(memory);
});

program('falsy answers to a task', async (lg, t) => {
  for (const resume of [0, false, '', null]) {
    const ask = lg.task('ask', async () => Promise.resolve([lg.interrupt<unknown, unknown>('q?')]));
    const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => ask());
    await t.invoke(graph, 1, thread());
    await t.invoke(graph, new lg.Command({ resume }), thread());
    const result = (await graph.invoke(null, thread())) as unknown;
    if (!lg.isInterrupted(result)) continue;
    await t.invoke(graph, new lg.Command({ resume: { [String(result.__interrupt__[0]?.id)]: resume } }), thread());
  }
});

program('a task needs a checkpointer to ask', async (lg, t) => {
  const ask = lg.task('ask', async () => Promise.resolve(lg.interrupt<string, string>('q?')));
  const graph = lg.entrypoint('g', async () => ask());
  await t.invoke(graph, 1);
});

program('a question that its caller catches still stops the run', async (lg, t) => {
  const ask = lg.task('ask', async () => Promise.resolve(lg.interrupt<string, string>('q?')));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => {
    try {
      return await ask();
    } catch (error) {
      return { caught: lg.isGraphInterrupt(error) };
    }
  });
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.stream(graph, null, { ...thread(), ...streams });
});

program('a loop of questions', async (lg, t) => {
  let runs = 0;
  const guess = lg.task('guess', async (n: number) => {
    runs += 1;
    return Promise.resolve(`guess ${n}`);
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => {
    const said: unknown[] = [];
    for (let n = 0; ; n++) {
      said.push(await guess(n));
      const answer: unknown = lg.interrupt(said.at(-1));
      said.push(answer);
      if (answer === 'right') return said;
    }
  });
  await t.stream(graph, 1, { ...thread(), ...streams });
  for (const resume of ['higher', 'lower', 'right']) {
    await t.stream(graph, new lg.Command({ resume }), { ...thread(), ...streams });
  }
  t.note('runs', runs);
});

program('breakpoints before and after the entrypoint', async (lg, t) => {
  for (const stop of [
    { interruptBefore: ['g'] },
    { interruptAfter: ['g'] },
    { interruptBefore: '*' },
    { interruptAfter: '*' },
  ]) {
    const work = lg.task('work', async () => Promise.resolve('worked'));
    const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => ({ got: await work() }));
    await t.stream(graph, 1, { ...thread(), ...stop, ...streams });
    await t.state(graph, thread());
    await t.stream(graph, null, { ...thread(), ...stop, ...streams });
    await t.state(graph, thread());
  }
});

program('breakpoints at a task', async (lg, t) => {
  for (const stop of [{ interruptBefore: ['work'] }, { interruptAfter: ['work'] }]) {
    const work = lg.task('work', async () => Promise.resolve('worked'));
    const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => ({ got: await work() }));
    await t.stream(graph, 1, { ...thread(), ...stop, ...streams });
    await t.state(graph, thread());
    await t.stream(graph, null, { ...thread(), ...stop, ...streams });
    await t.state(graph, thread());
  }
});

program('going back to an earlier checkpoint runs the tasks anew', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const work = lg.task('work', async () => Promise.resolve(++runs));
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async (input: string) => [input, await work()]);
  await t.invoke(graph, 'a', thread());
  await t.invoke(graph, 'b', thread());
  const states: { config: { configurable?: Record<string, unknown> } }[] = [];
  for await (const state of graph.getStateHistory(thread())) states.push(state);
  for (const { config } of states)
    await t.stream(graph, null, { configurable: { ...config.configurable }, ...streams });
  t.note('runs', runs);
  await t.history(graph, thread());
});
