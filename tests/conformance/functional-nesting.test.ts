// Functional graphs and state graphs within each other, and what is ambient there.
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';
import { list } from './log-state.js';

const streams = { streamMode: ['values', 'updates', 'tasks', 'custom'] };
const below = { ...streams, subgraphs: true };

/** a → b, saying so. */
const small = (lg: Library, names: readonly [string, string] = ['a', 'b']) =>
  new lg.StateGraph(list(lg))
    .addNode(names[0], () => ({ log: [names[0]] }))
    .addNode(names[1], () => ({ log: [names[1]] }))
    .addEdge(lg.START, names[0])
    .addEdge(names[0], names[1])
    .compile();

program('a state graph called in an entrypoint', async (lg, t) => {
  const memory = saver();
  const inner = small(lg);
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async (word: string) =>
    inner.invoke({ log: [word] }),
  );
  await t.stream(graph, 'in', { ...thread(), ...streams });
  await t.stream(graph, 'in', { ...thread('below'), ...below });
  await t.state(graph, thread(), { subgraphs: true });
  await t.saved(memory);
});

program('a state graph called in a task', async (lg, t) => {
  const memory = saver();
  const inner = small(lg);
  const call = lg.task('call', async (word: string) => inner.invoke({ log: [word] }));
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async (word: string) => [
    await call(word),
    await call('again'),
  ]);
  await t.stream(graph, 'in', { ...thread(), ...streams });
  await t.stream(graph, 'in', { ...thread('below'), ...below });
  await t.saved(memory);
});

program('a state graph that asks, called in a task', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const inner = new lg.StateGraph(list(lg))
    .addNode('works', () => {
      runs += 1;
      return { log: ['worked'] };
    })
    .addNode('asks', () => ({ log: [String(lg.interrupt('sure?'))] }))
    .addEdge(lg.START, 'works')
    .addEdge('works', 'asks')
    .compile();
  const call = lg.task('call', async () => inner.invoke({ log: [] }));
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => call());
  await t.stream(graph, 1, { ...thread(), ...below });
  await t.state(graph, thread(), { subgraphs: true });
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...below });
  await t.state(graph, thread());
  await t.saved(memory);
  t.note('runs', runs);
});

program('an entrypoint called in a node', async (lg, t) => {
  const memory = saver();
  const say = lg.task('say', async (word: string) => Promise.resolve(`${word}!`));
  const inner = lg.entrypoint('inner', async (word: string) => [
    await say(word),
    lg.getPreviousState<unknown>() ?? 'none',
  ]);
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => ({ log: (await inner.invoke('hello')).map(String) }))
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...streams });
  await t.stream(graph, { log: [] }, { ...thread('below'), ...below });
  await t.invoke(graph, { log: [] }, thread());
  await t.saved(memory);
});

program('an entrypoint that asks, called in a node', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const work = lg.task('work', async () => Promise.resolve(++runs));
  const inner = lg.entrypoint('inner', async () => [await work(), lg.interrupt<unknown, unknown>('sure?')]);
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => ({ log: (await inner.invoke('x')).map(String) }))
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...below });
  await t.state(graph, thread(), { subgraphs: true });
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...below });
  await t.saved(memory);
  t.note('runs', runs);
});

program('an entrypoint as a node', async (lg, t) => {
  const memory = saver();
  const inner = lg.entrypoint('inner', (state: { log: string[] }) => ({ log: [`had ${state.log.length}`] }));
  const graph = new lg.StateGraph(list(lg))
    .addNode('sub', inner as never)
    .addEdge(lg.START, 'sub')
    .compile({ checkpointer: memory }) as unknown as Graph;
  await t.stream(graph, { log: ['in'] }, { ...thread(), ...below });
  await t.state(graph, thread(), { subgraphs: true });
});

program('an entrypoint called in an entrypoint, and one in a task', async (lg, t) => {
  const memory = saver();
  const leaf = lg.task('leaf', async (a: number) => Promise.resolve(a + 1));
  const inner = lg.entrypoint('inner', async (a: number) => leaf(a));
  const call = lg.task('call', async (a: number) => inner.invoke(a));
  const graph = lg.entrypoint({ name: 'outer', checkpointer: memory }, async (a: number) => [
    await inner.invoke(a),
    await call(a),
  ]);
  await t.stream(graph, 1, { ...thread(), ...streams });
  await t.stream(graph, 1, { ...thread('below'), ...below });
});

program('an entrypoint with a memory of its own, called in another', async (lg, t) => {
  const memory = saver();
  const inner = lg.entrypoint({ name: 'inner', checkpointer: saver() }, (a: number) => {
    const previous = lg.getPreviousState<number | undefined>() ?? 0;
    return previous + a;
  });
  const graph = lg.entrypoint({ name: 'outer', checkpointer: memory }, async (a: number) => inner.invoke(a));
  await t.invoke(graph, 1, thread());
  await t.invoke(graph, 2, thread());
  await t.saved(memory);
});

program('tasks called in nodes of a state graph', async (lg, t) => {
  const memory = saver();
  const say = lg.task('say', async (word: string) => Promise.resolve(`${word}!`));
  const graph = new lg.StateGraph(list(lg))
    .addNode('one', async () => ({ log: [await say('one')] }))
    .addNode('two', async () => ({ log: await Promise.all([say('two'), say('too')]) }))
    .addNode('last', async () => ({ log: [await say('last')] }))
    .addEdge(lg.START, 'one')
    .addEdge(lg.START, 'two')
    .addEdge(['one', 'two'], 'last')
    .compile({ checkpointer: memory });
  await t.everyMode(graph, { log: [] });
  await t.invoke(graph, { log: [] }, thread());
  await t.saved(memory);
});

program('a node that asks after its task', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const work = lg.task('work', async () => Promise.resolve(`run ${++runs}`));
  const graph = new lg.StateGraph(list(lg))
    .addNode('asks', async () => ({ log: [await work(), String(lg.interrupt('sure?'))] }))
    .addNode('beside', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { log: ['beside'] };
    })
    .addEdge(lg.START, 'asks')
    .addEdge(lg.START, 'beside')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...streams });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...streams });
  await t.state(graph, thread());
  await t.saved(memory);
  t.note('runs', runs);
});

program('a task called by a conditional edge', async (lg, t) => {
  const decide = lg.task('decide', async (entries: number) => Promise.resolve(entries > 1 ? 'b' : lg.END));
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => ({ log: ['a'] }))
    .addNode('b', () => ({ log: ['b'] }))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', async (state) => decide(state.log.length), ['b', lg.END])
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: ['in'] }, { ...thread(), ...streams });
});

program('tasks of tasks that were sent', async (lg, t) => {
  const say = lg.task('say', async (word: string) => Promise.resolve(`${word}!`));
  const graph = new lg.StateGraph(list(lg))
    .addNode('worker', async (state: { log: string[] }) => ({ log: [await say(state.log.join(' '))] }))
    .addConditionalEdges(lg.START, () => [new lg.Send('worker', { log: ['x'] }), new lg.Send('worker', { log: ['y'] })])
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...streams });
});

program('a graph called in a task nests, also where the caller names a thread', async (lg, t) => {
  const memory = saver();
  const inner = small(lg);
  const call = lg.task('call', async () =>
    inner.invoke({ log: ['in'] }, { configurable: { thread_id: 'mine', own: 1 } }),
  );
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => call());
  await t.stream(graph, 1, { ...thread(), ...below });
  await t.saved(memory);
  await t.saved(memory, thread('mine'));
});

program('a config that is handed on nests as the ambient one does', async (lg, t) => {
  const memory = saver();
  const inner = small(lg);
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async (word: string, config) =>
    inner.invoke({ log: [word] }, config as never),
  );
  await t.stream(graph, 'in', { ...thread(), ...below });
  await t.saved(memory);
});

program('threads that run at the same time know nothing of each other', async (lg, t) => {
  const memory = saver();
  const who = lg.task('who', async (name: string) => {
    await new Promise((resolve) => setImmediate(resolve));
    const { configurable } = lg.getConfig();
    return [name, configurable?.thread_id as unknown, lg.getCurrentTaskInput()];
  });
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async (name: string) => {
    const first = await who(name);
    const previous: unknown = lg.getPreviousState();
    return { first, previous };
  });
  const names = ['a', 'b', 'c', 'd'];
  for (let round = 0; round < 2; round++) {
    t.note('results', await Promise.all(names.map(async (name) => graph.invoke(name, thread(name)))));
  }
});

program('a root run with a thread of its own ignores what is left of another', async (lg, t) => {
  const memory = saver();
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, (input: string, config) => ({
    input,
    tenant: config.configurable?.tenant as unknown,
    thread: config.configurable?.thread_id as unknown,
  }));
  let later: (() => Promise<unknown>) | undefined;
  const first = lg.entrypoint({ name: 'first', checkpointer: saver() }, (input: string) => {
    later = async () => graph.invoke(input, thread('second'));
    return input;
  });
  await t.invoke(first, 'x', thread('first', { tenant: 'one' }));
  t.note('outside', await later?.());
});

program('updateState of a functional graph', async (lg, t) => {
  const memory = saver();
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, (input: number) => {
    const previous = lg.getPreviousState<number | undefined>() ?? 0;
    return previous + input;
  });
  await t.invoke(graph, 1, thread());
  for (const [values, asNode] of [
    [5],
    [7, 'g'],
    [lg.entrypoint.final({ value: 1, save: 2 }), 'g'],
    [3, 'nobody'],
    [null, '__end__'],
    [9, '__input__'],
  ] as const) {
    await t.outcome('update', () => graph.updateState(thread(), values, asNode));
    await t.state(graph, thread());
  }
  await t.invoke(graph, null, thread());
  await t.history(graph, thread());
});

program('updateState of an interrupted functional graph', async (lg, t) => {
  const memory = saver();
  const work = lg.task('work', async () => Promise.resolve('worked'));
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, async () => [
    await work(),
    lg.interrupt<unknown, unknown>('q'),
  ]);
  await t.invoke(graph, 1, thread());
  await t.outcome('update', () => graph.updateState(thread(), 'given', 'g'));
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...streams });
  await t.history(graph, thread());
});

program('a fork of a functional thread', async (lg, t) => {
  const memory = saver();
  const graph = lg.entrypoint({ name: 'g', checkpointer: memory }, (input: number) => {
    const previous = lg.getPreviousState<number | undefined>() ?? 0;
    return previous + input;
  });
  for (const input of [1, 2, 3]) await t.invoke(graph, input, thread());
  const states: { config: { configurable?: Record<string, unknown> }; values: unknown }[] = [];
  for await (const state of graph.getStateHistory(thread())) states.push(state);
  const second = states.find(({ values }) => values === 3);
  await t.invoke(graph, 100, { configurable: { ...second?.config.configurable } });
  await t.state(graph, thread());
  await t.history(graph, thread());
});

program('a Command to the parent from a task', async (lg, t) => {
  const up = lg.task('up', () => {
    throw new lg.ParentCommand(new lg.Command({ graph: lg.Command.PARENT, update: { log: ['from the task'] } }));
  });
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => {
      await up();
      return { log: ['not reached'] };
    })
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates'] });
});

program('who serves a run', async (lg, t) => {
  const State = lg.Annotation.Root({ seen: lg.Annotation<unknown>() });
  const inner = new lg.StateGraph(State)
    .addNode('inner', (_state, config) => ({ seen: config.serverInfo ?? 'nobody' }))
    .addEdge(lg.START, 'inner')
    .compile();
  const below = lg.task('below', async () => [lg.getConfig().serverInfo, await inner.invoke({ seen: 0 })]);
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (_input: unknown, config) => [
    config.serverInfo ?? 'nobody',
    await below(),
  ]);
  for (const more of [
    {},
    { assistant_id: 'a' },
    { assistant_id: 'a', graph_id: 'g' },
    { langgraph_auth_user: { identity: 'me', role: 'admin' } },
    { langgraph_auth_user: 'no identity' },
  ]) {
    await t.invoke(graph, 1, thread('served', more));
  }
  await t.invoke(graph, 1, { ...thread(), metadata: { assistant_id: 'by metadata', graph_id: 'g' } });
});

program('what a run puts into metadata', async (lg, t) => {
  const graph = lg.entrypoint('g', (_input: unknown, config): unknown => config.metadata);
  const named = { run_id: 'r', assistant_id: 'a', graph_id: 'g', task_id: 't', other: 1, user_id: 'u' };
  await t.invoke(graph, 1, { configurable: named });
  await t.invoke(graph, 1, {
    configurable: { ...named, thread_id: 'x' },
    metadata: { thread_id: 'given', more: true },
  });
});

program('two tasks that fail side by side', async (lg, t) => {
  const bad = lg.task('bad', async (name: string) => Promise.reject(new Error(name)));
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => Promise.all([bad('one'), bad('two')]));
  await t.invoke(graph, 1, thread());
});

program('models called in tasks and entrypoints stream their messages', async (lg, t) => {
  const model = () => new FakeChatModel({ replies: ['Hello my dear friend'] });
  const ask = lg.task('ask', async (question: string) => (await model().invoke(question)).content);
  const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async (question: string) => {
    const own = await model().invoke(question);
    return [own.content, await ask(question)];
  });
  for (const subgraphs of [false, true]) {
    const config = { ...thread(String(subgraphs)), streamMode: ['messages', 'updates'], subgraphs } as never;
    for await (const chunk of (await graph.stream('hi', config)) as AsyncIterable<unknown[]>) {
      t.note('chunk', chunk.at(-2) === 'messages' ? [...chunk.slice(0, -1), untagged(chunk.at(-1))] : chunk);
    }
  }
});

/** LangGraph tags what runs in a task as the first step of a sequence, which is how it runs tasks. */
const untagged = (payload: unknown): unknown => {
  const [message, metadata] = payload as [unknown, Record<string, unknown>];
  return [message, { ...metadata, tags: undefined }];
};
