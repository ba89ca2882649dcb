// StateSchema, its values, and what they check.
import { AIMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import * as z3 from 'zod/v3';
import { z } from 'zod/v4';
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';

const fieldsOf = (lg: Library) => ({
  text: z.string(),
  count: z.number().default(3),
  list: new lg.ReducedValue(
    z.array(z.string()).default(() => []),
    {
      inputSchema: z.string(),
      reducer: (list: string[], entry: string) => [...list, entry],
      jsonSchemaExtra: { title: 'entries' },
    },
  ),
  sum: new lg.ReducedValue(z.number(), { reducer: (a: number, b: number) => a + b }),
  secret: new lg.UntrackedValue(z.string()),
  loose: new lg.UntrackedValue<number>(undefined, { guard: false }),
});

const stateOf = (lg: Library) => new lg.StateSchema(fieldsOf(lg));

const oneNode = (lg: Library, node: unknown, options: Record<string, unknown> = {}) =>
  new lg.StateGraph(stateOf(lg))
    .addNode('node', node as () => object)
    .addEdge(lg.START, 'node')
    .compile(options) as unknown as Graph;

program('a StateSchema tells its keys and its JSON schemas', (lg, t) => {
  const schema = stateOf(lg);
  t.note('keys', [schema.getChannelKeys(), schema.getAllKeys()]);
  t.note('json', schema.getJsonSchema());
  t.note('input json', schema.getInputJsonSchema());
  t.note('without defaults', new lg.StateSchema({ a: z.string().optional(), b: z.date() }).getJsonSchema());
  t.note('messages', new lg.StateSchema({ m: lg.MessagesValue, d: lg.MessagesDeltaValue }).getJsonSchema());
  t.note('messages input', new lg.StateSchema({ m: lg.MessagesValue }).getInputJsonSchema());
});

program('instances are known by their brands, and nothing else is', (lg, t) => {
  const fields = fieldsOf(lg);
  const things = [
    stateOf(lg),
    fields.list,
    fields.secret,
    lg.MessagesDeltaValue,
    z.string(),
    {},
    null,
    'text',
    { [Symbol.for('langgraph.state.state_schema')]: true },
    { [Symbol.for('langgraph.state.reduced_value')]: false },
    { [Symbol.for('langgraph.state.untracked_value')]: false },
    { [Symbol.for('langgraph.state.delta_value')]: true },
  ];
  for (const thing of things) {
    t.note('is', [
      lg.StateSchema.isInstance(thing),
      lg.ReducedValue.isInstance(thing),
      lg.UntrackedValue.isInstance(thing),
      lg.DeltaValue.isInstance(thing),
      lg.isStandardSchema(thing),
      lg.isSerializableSchema(thing),
    ]);
  }
});

program('standard schemas of several kinds', (lg, t) => {
  const async = { '~standard': { version: 1, vendor: 'x', validate: async () => ({ value: 1 }) } };
  const throwing = {
    '~standard': {
      version: 1,
      vendor: 'x',
      validate: () => {
        throw new Error('no');
      },
      jsonSchema: {
        input: () => {
          throw new Error('no');
        },
      },
    },
  };
  const schemas: unknown[] = [
    z.string(),
    z.string().default('x'),
    z.string().optional(),
    z.array(z.number()),
    z.date(),
    z.object({ a: z.literal(1) }),
    z3.z.string(),
    z3.z.string().default('x'),
    async,
    throwing,
    { '~standard': 'text' },
    { '~standard': null },
    undefined,
    7,
  ];
  for (const schema of schemas) {
    t.note('standard', [lg.isStandardSchema(schema), lg.isSerializableSchema(schema)]);
    t.note('json', lg.getJsonSchemaFromSchema(schema));
    const get = lg.getSchemaDefaultGetter(schema);
    t.note('default', [get === undefined, get?.()]);
  }
  const getter = lg.getSchemaDefaultGetter(z.array(z.string()).default(() => []));
  t.note('the same each time', getter?.() === getter?.());
});

program('channels of a StateSchema, and a field that is none', async (lg, t) => {
  for (const [key, channel] of Object.entries(stateOf(lg).getChannels())) {
    t.note(key, [channel.lc_graph_name, channel.isAvailable()]);
  }
  await t.outcome('bad', () => new lg.StateSchema({ bad: 'text' as never }).getChannels());
  await t.outcome('bad graph', () => new lg.StateGraph(new lg.StateSchema({ bad: 7 as never })) && 'made');
});

program('validateInput checks the keys it is given', async (lg, t) => {
  const schema = new lg.StateSchema({ ...fieldsOf(lg), trimmed: z.string().trim() });
  const inputs: unknown[] = [
    { text: 'a', other: 1 },
    { text: 1 },
    { list: 'one' },
    { list: ['one'] },
    { list: { __overwrite__: ['all'] } },
    { list: { __overwrite__: 'all' } },
    { list: new lg.Overwrite(['all']) },
    { list: { type: '__overwrite__', value: ['all'] } },
    { text: { __overwrite__: 'x' } },
    { secret: 3 },
    { loose: 'anything' },
    { trimmed: '  x ' },
    { count: undefined, text: undefined },
    {},
    null,
    undefined,
    'text',
    ['text'],
  ];
  for (const input of inputs) await t.outcome('validated', () => schema.validateInput(input));
});

program('a schema that has to be waited for', async (lg, t) => {
  const slow = {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: async (value: unknown) =>
        typeof value === 'number' ? { value: value * 2 } : { issues: [{ message: 'no number' }] },
      jsonSchema: { input: () => ({ type: 'number' }), output: () => ({ type: 'number' }) },
    },
  };
  const graph = new lg.StateGraph(new lg.StateSchema({ n: slow as never }))
    .addNode('a', ((state: { n: number }) => (t.note('a got', state), { n: state.n + 1 })) as never)
    .addEdge(lg.START, 'a')
    .compile() as unknown as Graph;
  await t.stream(graph, { n: 1 }, { streamMode: ['values', 'updates'] });
  await t.invoke(graph, { n: 'x' });
});

program('a graph over a StateSchema in every mode', async (lg, t) => {
  const graph = oneNode(
    lg,
    (state: object) => (t.note('node got', { ...state }), { list: 'b', sum: 2, secret: 's', loose: 1, other: 1 }),
    { checkpointer: saver() },
  );
  await t.everyMode(graph, { text: 'in', list: 'a', sum: 1, extra: true });
});

program('what does not fit is refused: input, a write, an Overwrite, an update from outside', async (lg, t) => {
  const memory = saver();
  for (const input of [{ text: 7 }, { list: ['x'] }, { list: { __overwrite__: 'x' } }, { sum: 'x' }, { secret: 1 }]) {
    await t.invoke(
      oneNode(lg, () => ({}), { checkpointer: memory }),
      input,
      thread(),
    );
  }
  for (const write of [
    { text: 7 },
    { list: ['x'] },
    { list: new lg.Overwrite('x') },
    { list: new lg.Overwrite(['x']) },
    [new lg.Command({ update: { text: 1 } as never })],
    new lg.Command({ update: { sum: 'x' } as never }),
    { text: 'ok', sum: 'not' },
    { loose: 'not checked' },
  ]) {
    const graph = oneNode(lg, () => write, { checkpointer: memory });
    await t.invoke(graph, { text: 'in' }, thread());
    await t.state(graph, thread());
  }
  const graph = oneNode(lg, () => ({}), { checkpointer: memory });
  await t.outcome('update', () => graph.updateState(thread('2'), { list: 'x', text: 'y' }, 'node'));
  await t.outcome('bad update', () => graph.updateState(thread('2'), { list: ['x'] }, 'node'));
  await t.state(graph, thread('2'));
});

program('a Command as input is checked too', async (lg, t) => {
  for (const update of [{ text: 'x' }, { text: 7 }, { list: 'a' }, [['list', 'a']], { list: ['a'] }, { other: 1 }]) {
    const graph = oneNode(lg, (state: object) => (t.note('got', state), {}), { checkpointer: saver() });
    await t.invoke(graph, new lg.Command({ update: update as never, goto: 'node' }), thread());
    await t.state(graph, thread());
  }
});

program('transforms and coercion apply at each check', async (lg, t) => {
  const graph = new lg.StateGraph(
    new lg.StateSchema({ text: z.string().transform((text) => `${text}!`), n: z.coerce.number() }),
  )
    .addNode('a', ((state: object) => (t.note('a got', state), { text: 'node', n: '5' })) as never)
    .addEdge(lg.START, 'a')
    .compile() as unknown as Graph;
  await t.stream(graph, { text: 'in', n: '4' }, { streamMode: ['values', 'updates'] });
});

program('schemas of input and output', async (lg, t) => {
  const fields = fieldsOf(lg);
  const state = new lg.StateSchema(fields);
  const input = new lg.StateSchema({ text: z.string(), extra: z.number().default(9) });
  const output = new lg.StateSchema({ list: fields.list, text: z.string() });
  for (const make of [
    () => new lg.StateGraph({ state, input } as never),
    () => new lg.StateGraph({ stateSchema: state, input, output: new lg.StateSchema({ text: z.string() }) } as never),
    () => new lg.StateGraph(state, { input, output: z.object({ count: z.number() }) } as never),
    () => new lg.StateGraph({ input } as never),
    () => new lg.StateGraph({ state, output } as never),
    () => new lg.StateGraph({ state, input: lg.Annotation.Root({ text: lg.Annotation<string>() }) } as never),
    () => new lg.StateGraph({ state: lg.Annotation.Root({ text: lg.Annotation<string>() }), input } as never),
  ]) {
    await t.outcome('made', () => {
      make();
      return true;
    });
    const graph = (make() as unknown as InstanceType<Library['StateGraph']>)
      .addNode('a', ((got: object) => (t.note('a got', { ...got }), { text: 'a', list: 'l', count: 4 })) as never)
      .addEdge(lg.START, 'a')
      .compile() as unknown as Graph;
    await t.stream(graph, { text: 'in', extra: 1, count: 8, other: 1 }, { streamMode: ['values', 'updates'] });
    await t.stream(graph, { text: 'in' }, { streamMode: ['values', 'updates'] });
    await t.invoke(graph, { text: 3 });
    await t.invoke(graph, { count: 'x' });
  }
});

program("a node's own input schema, of each kind", async (lg, t) => {
  const inputs: unknown[] = [
    new lg.StateSchema({ text: z.string(), own: z.number().default(1) }),
    new lg.StateSchema({
      own: new lg.ReducedValue(z.number().default(5), { reducer: (a: number, b: number) => a + b }),
    }),
    z.object({ text: z.string(), own: z.number() }),
    lg.Annotation.Root({ own: lg.Annotation<number>({ reducer: (a, b) => a * b, default: () => 2 }) }),
    { text: lg.Annotation<string>(), own: lg.Annotation<number> },
    {},
    7,
  ];
  for (const input of inputs) {
    await t.outcome('graph', async () => {
      const graph = new lg.StateGraph(stateOf(lg))
        .addNode('first', () => ({ own: 3, text: 'first' }) as never)
        .addNode('second', ((got: object) => (t.note('second got', { ...got }), { own: 4 })) as never, {
          input: input as never,
        })
        .addEdge(lg.START, 'first')
        .addEdge('first', 'second')
        .compile() as unknown as Graph;
      await t.stream(graph, { text: 'in' }, { streamMode: ['values', 'updates'] });
    });
  }
});

program('untracked values are in no checkpoint and no pending write', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(stateOf(lg))
    .addNode('a', () => ({ secret: 'from a', text: 'a' }))
    .addNode('b', ((state: object) => (t.note('b got', { ...state }), { list: 'b' })) as never)
    .addNode('c', ((state: object) => (t.note('c got', { ...state }), { list: `${lg.interrupt('go on?')}` })) as never)
    .addNode('d', ((state: object) => (t.note('d got', { ...state }), { secret: 'from d', list: 'd' })) as never)
    .addNode('e', ((state: object) => (t.note('e got', { ...state }), {})) as never)
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', 'c')
    .addEdge('b', 'd')
    .addEdge(['c', 'd'], 'e')
    .compile({ checkpointer: memory }) as unknown as Graph;
  await t.stream(graph, { text: 'in', secret: 'in' }, { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
  await t.state(graph, thread());
  await t.saved(memory);
});

program('Sends go without untracked values where they are stored', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(stateOf(lg))
    .addNode(
      'plan',
      () => new lg.Command({ goto: [new lg.Send('work', { text: 'x', secret: 's' }), new lg.Send('work', 'y')] }),
      {
        ends: ['work'],
      },
    )
    .addNode('ask', () => ({ list: `${lg.interrupt('?')}` }))
    .addNode('work', ((state: unknown) => (t.note('work got', state), { list: 'w' })) as never)
    .addEdge(lg.START, 'plan')
    .addEdge(lg.START, 'ask')
    .compile({ checkpointer: memory }) as unknown as Graph;
  await t.stream(graph, { text: 'in' }, { ...thread(), streamMode: ['values', 'updates', 'tasks', 'checkpoints'] });
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: 1 }), { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
  await t.saved(memory);
});

program('a guarded untracked value takes one write for each superstep', async (lg, t) => {
  for (const guard of [true, false]) {
    const graph = new lg.StateGraph(
      new lg.StateSchema({ key: new lg.UntrackedValue(z.string().default('d'), { guard }) }),
    )
      .addNode('a', (state) => (t.note('a got', state), { key: 'a' }))
      .addNode('b', () => ({ key: 'b' }))
      .addNode('c', (state) => (t.note('c got', state), {}))
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .addEdge(['a', 'b'], 'c')
      .compile();
    await t.invoke(graph, {});
  }
});

program('MessagesValue', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(new lg.StateSchema({ messages: lg.MessagesValue, turns: z.number().default(0) }))
    .addNode('greet', ({ turns }) => ({ messages: [new AIMessage({ id: 'g', content: 'hello' })], turns: turns + 1 }))
    .addNode('drop', ({ messages }) => ({ messages: [new RemoveMessage({ id: messages[0]?.id ?? '' })] }))
    .addEdge(lg.START, 'greet')
    .addEdge('greet', 'drop')
    .compile({ checkpointer: memory }) as unknown as Graph;
  await t.everyMode(graph, { messages: [{ role: 'user', content: 'hi', id: 'h' }] });
  await t.invoke(graph, { messages: 'plain' }, thread());
  await t.invoke(graph, {}, thread());
  await t.invoke(graph, { messages: { __overwrite__: [new HumanMessage({ id: 'n', content: 'new' })] } }, thread());
  await t.state(graph, thread());
});

program('messagesDeltaReducer folds many writes at once', (lg, t) => {
  const old = [new HumanMessage({ id: '1', content: 'one' }), new AIMessage({ id: '2', content: 'two' })];
  const cases: unknown[][] = [
    [],
    [new HumanMessage({ id: '3', content: 'three' })],
    [[new AIMessage({ id: '1', content: 'replaced' })], { role: 'user', content: 'x', id: '9' }],
    [new RemoveMessage({ id: '1' }), new HumanMessage({ id: '1', content: 'back' })],
    [[new RemoveMessage({ id: 'unknown' })]],
    [[new RemoveMessage({ id: lg.REMOVE_ALL_MESSAGES }), new HumanMessage({ id: '9', content: 'only' })], 'text'],
    ['no id', { role: 'assistant', content: 'no id' }],
    [['user', 'hi']],
  ];
  for (const writes of cases) {
    t.note('reduced', lg.messagesDeltaReducer(old, writes as never));
    t.note('of dicts', lg.messagesDeltaReducer([{ role: 'user', content: 'd', id: '1' }] as never, writes as never));
  }
  t.note('of nothing', lg.messagesDeltaReducer([], [new RemoveMessage({ id: '1' })]));
});

program('a subgraph of its own StateSchema', async (lg, t) => {
  const inner = new lg.StateGraph(new lg.StateSchema({ text: z.string().max(5), inner: z.number().default(1) }))
    .addNode('in', (state) => (t.note('in got', state), { text: `${state.text}i`, inner: 2 }))
    .addEdge(lg.START, 'in')
    .compile();
  const graph = new lg.StateGraph(stateOf(lg))
    .addNode('sub', inner as never)
    .addEdge(lg.START, 'sub')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  await t.stream(graph, { text: 'in' }, { ...thread(), streamMode: ['values', 'updates'], subgraphs: true });
  await t.invoke(graph, { text: 'too long' }, thread('2'));
  await t.state(graph, thread('2'));
});

program('a channel of the same key in two schemas', async (lg, t) => {
  const shared = new lg.ReducedValue(z.number().default(0), { reducer: (a: number, b: number) => a + b });
  const other = new lg.ReducedValue(z.number().default(0), { reducer: (a: number, b: number) => a - b });
  const untracked = new lg.UntrackedValue(z.number());
  const make = (first: object, second: object): Promise<void> =>
    t.outcome('made', () => {
      const state = new lg.StateSchema({ key: first } as never);
      return new lg.StateGraph({ state, input: new lg.StateSchema({ key: second } as never) } as never) && 'yes';
    });
  await make(shared, shared);
  await make(shared, other);
  await make(shared, z.number());
  await make(z.number(), shared);
  await make(untracked, untracked);
  await make(lg.MessagesValue, lg.MessagesValue);
  await make(lg.MessagesDeltaValue, lg.MessagesDeltaValue);
});
