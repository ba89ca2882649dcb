// Schemas, reducers, what a node may return, Overwrite, messages.
import { AIMessage, AIMessageChunk, HumanMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import * as z3 from 'zod/v3';
import * as z4 from 'zod/v4';
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';

const counted = (lg: Library) =>
  lg.Annotation.Root({
    count: lg.Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
    text: lg.Annotation<string>(),
    none: lg.Annotation<string | undefined>(),
  });

const builderOf = (lg: Library) => new lg.StateGraph(counted(lg));

const oneNode = (lg: Library, node: unknown) =>
  builderOf(lg)
    .addNode('node', node as () => object)
    .addEdge(lg.START, 'node')
    .compile();

program('what a node may return', async (lg, t) => {
  const results: Record<string, unknown> = {
    update: { count: 1, text: 'x' },
    'unknown keys': { count: 1, other: 2 },
    'only unknown keys': { other: 2 },
    empty: {},
    null: null,
    undefined: undefined,
    false: false,
    zero: 0,
    'empty text': '',
    text: 'text',
    number: 7,
    true: true,
    list: [{ count: 1 }],
    'empty list': [],
    'list with a Command': [{ count: 1 }, new lg.Command({ update: { count: 10 } }), { text: 'last' }],
    'an undefined value': { text: undefined },
    'a message': new AIMessage('x'),
    'Command with tuples': new lg.Command({
      update: [
        ['count', 1],
        ['count', 2],
      ] as never,
    }),
    'Command with unknown keys': new lg.Command({ update: { other: 1, count: 4 } as never }),
    'empty Command': new lg.Command({}),
  };
  for (const [name, result] of Object.entries(results)) {
    t.note('case', name);
    await t.stream(
      oneNode(lg, () => result),
      { count: 1, text: 'in' },
      { streamMode: ['values', 'updates', 'tasks'] },
    );
  }
});

program('a node is given the state before the superstep, without keys that have no value', async (lg, t) => {
  const graph = new lg.StateGraph(counted(lg))
    .addNode('a', (state) => (t.note('a got', { ...state }), { count: 1 }))
    .addNode('b', (state) => (t.note('b got', { ...state }), { count: 1, none: undefined }))
    .addNode('c', (state) => (t.note('c got', { ...state, hasNone: 'none' in state }), {}))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(['a', 'b'], 'c')
    .compile();
  await t.invoke(graph, {});
});

program('inputs of every kind', async (lg, t) => {
  for (const input of [
    {},
    { count: 2 },
    { other: 1 },
    null,
    undefined,
    'text',
    3,
    [],
    [{ count: 1 }],
    { count: undefined },
  ]) {
    t.note('input', input);
    await t.stream(
      oneNode(lg, () => ({ text: 'ran' })),
      input,
      { streamMode: ['values', 'updates'] },
    );
  }
});

program('two writes to a key without a reducer', async (lg, t) => {
  const graph = new lg.StateGraph(counted(lg))
    .addNode('a', () => ({ text: 'a' }))
    .addNode('b', () => ({ text: 'b' }))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { count: 0 }, thread());
});

program('a reducer that fails', async (lg, t) => {
  const graph = new lg.StateGraph(
    lg.Annotation.Root({
      list: lg.Annotation<string[]>({
        reducer: (_a, b) => {
          if (b.includes('bad')) throw new TypeError('no bad ones');
          return b;
        },
        default: () => [],
      }),
    }),
  )
    .addNode('a', () => ({ list: ['bad'] }))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { list: [] }, thread());
  await t.state(graph, thread());
});

program('a reducer without a default takes its first value as it is', async (lg, t) => {
  const graph = new lg.StateGraph(
    lg.Annotation.Root({
      sum: lg.Annotation<number>({ reducer: (a, b) => a + b * 10 }),
      value: lg.Annotation<number[]>({ value: (a, b) => [...b, ...a] }),
    }),
  )
    .addNode('a', () => ({ sum: 3, value: [3] }))
    .addEdge(lg.START, 'a')
    .compile();
  await t.invoke(graph, { sum: 1, value: [1] });
  await t.invoke(graph, {});
});

program('Overwrite in its three forms passes the reducer by', async (lg, t) => {
  for (const count of [new lg.Overwrite(5), { __overwrite__: 5 }, { type: '__overwrite__', value: 5 }]) {
    await t.stream(
      oneNode(lg, () => ({ count })),
      { count: 1 },
      { streamMode: ['values', 'updates'] },
    );
  }
});

program('one Overwrite for each superstep', async (lg, t) => {
  const graph = (first: unknown, second: unknown) =>
    new lg.StateGraph(counted(lg))
      .addNode('a', () => ({ count: first }) as never)
      .addNode('b', () => ({ count: second }) as never)
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .compile();
  await t.invoke(graph(new lg.Overwrite(5), 1), { count: 1 });
  await t.invoke(graph(1, new lg.Overwrite(5)), { count: 1 });
  await t.invoke(graph(new lg.Overwrite(5), new lg.Overwrite(6)), { count: 1 });
});

program('input and output schemas', async (lg, t) => {
  const state = counted(lg);
  const graph = new lg.StateGraph({
    stateSchema: state,
    input: lg.Annotation.Root({ text: lg.Annotation<string>(), extra: lg.Annotation<string>() }),
    output: lg.Annotation.Root({ count: state.spec.count }),
  })
    .addNode('a', (got) => (t.note('a got', { ...got }), { count: 2, text: 'changed' }))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { text: 'in', extra: 'e', count: 40 });
  await t.invoke(graph, { text: 'in', count: 40 }, thread());
  await t.state(graph, thread());
});

program('input and output without a state', async (lg, t) => {
  const graph = new lg.StateGraph({
    input: lg.Annotation.Root({ question: lg.Annotation<string>() }),
    output: lg.Annotation.Root({ answer: lg.Annotation<string>() }),
  })
    .addNode('a', (state) => ({ answer: `re: ${state.question}` }) as never)
    .addEdge(lg.START, 'a')
    .compile();
  await t.stream(graph, { question: 'q' }, { streamMode: ['values', 'updates'] });
});

program('state, input and output by their newer names, and options apart', async (lg, t) => {
  const state = counted(lg);
  const output = lg.Annotation.Root({ count: state.spec.count });
  for (const builder of [
    new lg.StateGraph({ state, output } as never),
    new lg.StateGraph(state, { output } as never),
    new lg.StateGraph(state.spec as never, { output } as never),
    new lg.StateGraph({
      channels: { count: { reducer: (a: number, b: number) => a + b, default: () => 0 }, text: null },
    } as never),
    new lg.StateGraph({
      channels: { count: { value: (a: number, b: number) => a + b, default: () => 0 }, text: null },
    } as never),
  ]) {
    const graph = (builder as unknown as ReturnType<typeof builderOf>)
      .addNode('a', () => ({ count: 2, text: 'x' }))
      .addEdge(lg.START, 'a')
      .compile();
    await t.stream(graph, { count: 1, text: 'in' }, { streamMode: ['values', 'updates'] });
  }
});

program("a node's own input schema", async (lg, t) => {
  const own = lg.Annotation.Root({ count: lg.Annotation<number>(), secret: lg.Annotation<string>() });
  const graph = new lg.StateGraph(counted(lg))
    .addNode('writer', () => ({ secret: 's', count: 1 }) as never)
    .addNode('reader', (state) => (t.note('reader got', { ...state }), { text: state.secret }), { input: own })
    .addEdge(lg.START, 'writer')
    .addEdge('writer', 'reader')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { text: 't' }, { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
  await t.state(graph, thread());
});

program('nodes may be Runnables, and may return one', async (lg, t) => {
  const lambda = RunnableLambda.from((state: { count: number }) => ({ count: state.count + 1 }));
  const graph = new lg.StateGraph(counted(lg))
    .addNode('lambda', lambda)
    .addNode(
      'sequence',
      lambda.pipe(({ count }) => ({ text: `n${count}` })),
    )
    .addNode('returns one', (() => lambda) as never)
    .addEdge(lg.START, 'lambda')
    .addEdge('lambda', 'sequence')
    .addEdge('sequence', 'returns one')
    .compile();
  await t.stream(graph, { count: 1 }, { streamMode: ['values', 'updates', 'tasks'] });
});

program('zod objects declare keys that keep their last value', async (lg, t) => {
  for (const { object, string, number, array, optional } of [z3.z, z4] as unknown as (typeof z4)[]) {
    const state = object({ text: string(), count: number().default(3), list: optional(array(string())) });
    const graph = new lg.StateGraph(state as never)
      .addNode(
        'a',
        ((got: { count?: number }) => (t.note('a got', got), { text: `n${got.count}`, list: ['x'] })) as never,
      )
      .addEdge(lg.START, 'a')
      .compile({ checkpointer: saver() }) as unknown as Graph;
    await t.stream(graph, { text: 'in', count: 7 }, { ...thread('1'), streamMode: ['values', 'updates'] });
    await t.stream(graph, { text: 'in' }, { ...thread('2'), streamMode: ['values', 'updates'] });
    await t.state(graph, thread('2'));
    await t.outcome('bad input', async () => t.note('reached', await graph.invoke({ text: 7 }, thread('3'))));
    await t.outcome('bad update', () => graph.updateState(thread('4'), { list: [1] }, 'a'));
  }
});

program('the messages reducer', async (lg, t) => {
  const old = [new HumanMessage({ id: '1', content: 'one' }), new AIMessage({ id: '2', content: 'two' })];
  const reduce = (update: unknown) => t.outcome('reduced', () => lg.messagesStateReducer(old, update as never));
  await reduce(new HumanMessage({ id: '3', content: 'three' }));
  await reduce([new AIMessage({ id: '1', content: 'replaced' })]);
  await reduce([new RemoveMessage({ id: '1' }), new HumanMessage({ id: '1', content: 'back' })]);
  await reduce([new RemoveMessage({ id: '2' })]);
  await reduce([new RemoveMessage({ id: 'unknown' })]);
  await reduce([new RemoveMessage({ id: lg.REMOVE_ALL_MESSAGES }), new HumanMessage({ id: '9', content: 'only' })]);
  await reduce([new HumanMessage({ id: '8', content: 'gone' }), new RemoveMessage({ id: lg.REMOVE_ALL_MESSAGES })]);
  await reduce(['user', 'hi']);
  await reduce([['user', 'pair'], { role: 'assistant', content: 'dict' }, 'text']);
  await reduce('text');
  await reduce({ type: 'human', content: 'typed', id: 't' });
  await reduce([
    new AIMessageChunk({
      id: 'c',
      content: 'chunk',
      tool_call_chunks: [{ name: 'f', args: '{"a":1}', id: 'x', index: 0 }],
    }),
  ]);
  await reduce([
    new ToolMessage({ content: 'r', tool_call_id: 'x' }),
    new HumanMessage({ id: 'd', content: '1' }),
    new HumanMessage({ id: 'd', content: '2' }),
  ]);
  await reduce([]);
  t.note('alias', lg.addMessages === lg.messagesStateReducer);
});

program('a graph over MessagesAnnotation', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('greet', () => ({ messages: [new AIMessage({ id: 'g', content: 'hello' })] }))
    .addNode('drop', ({ messages }) => ({ messages: [new RemoveMessage({ id: messages[0]?.id ?? '' })] }))
    .addEdge(lg.START, 'greet')
    .addEdge('greet', 'drop')
    .compile({ checkpointer: memory });
  await t.everyMode(graph, { messages: [{ role: 'user', content: 'hi', id: 'h' }] });
  await t.invoke(graph, { messages: 'plain' }, thread());
  await t.state(graph, thread());
});

program('MessagesAnnotation spreads into a larger state', async (lg, t) => {
  const graph = new lg.StateGraph(lg.Annotation.Root({ ...lg.MessagesAnnotation.spec, turns: lg.Annotation<number>() }))
    .addNode('a', () => ({ messages: ['one', new AIMessage({ content: 'two' })], turns: 1 }))
    .addEdge(lg.START, 'a')
    .compile();
  await t.stream(graph, { messages: [] }, { streamMode: ['values', 'updates', 'messages'] });
});
