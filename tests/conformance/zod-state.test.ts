// States that are zod objects, of zod 3 and 4: reducers, defaults, checks, JSON schemas.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import * as z3 from 'zod/v3';
import * as z4 from 'zod/v4';
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';

/** Both versions, as one type: programs use what they share. */
const versions = [z3.z as unknown as typeof z4.z, z4.z];

type Zod = typeof z4.z;

type WithMeta = <Schema>(schema: Schema, meta: object) => Schema;

const withMeta = ({ withLangGraph }: { readonly withLangGraph: unknown }): WithMeta => withLangGraph as WithMeta;

/** By a type that takes schemas of both versions. */
interface Metas {
  get(schema: unknown): { default?: () => unknown; reducer?: { fn: (a: number, b: number) => unknown } } | undefined;
  has(schema: unknown): boolean;
  extend(schema: unknown, change: (known: object) => object): void;
  remove(schema: unknown): Metas;
  getChannelsForSchema(schema: unknown): Record<string, { readonly lc_graph_name: string }>;
  getExtendedChannelSchemas(schema: unknown, effects: object): unknown;
}

const metas = (lg: Library) => lg.schemaMetaRegistry as unknown as Metas;

const stateOf = (lg: Library, z: Zod) =>
  z.object({
    text: z.string(),
    maybe: z.string().optional(),
    count: z.number().default(3),
    list: withMeta(lg)(
      z.array(z.string()).default(() => []),
      {
        reducer: { schema: z.string(), fn: (list: string[], entry: string) => [...list, entry] },
        jsonSchemaExtra: { langgraph_type: 'prompt', more: { nested: [1] } },
      },
    ),
    sum: withMeta(lg)(z.number(), { reducer: { fn: (a: number, b: number) => a + b } }),
    start: withMeta(lg)(z.number(), { default: () => 7, jsonSchemaExtra: { langgraph_nodes: ['node'] } }),
    bare: withMeta(lg)(z.string().optional().describe('a bare one'), { jsonSchemaExtra: { x: 1 } }),
  });

const graphOf = (lg: Library, state: unknown, node: unknown, options: object = { checkpointer: saver() }): Graph =>
  new lg.StateGraph(state as never)
    .addNode('node', node as never)
    .addEdge(lg.START, 'node')
    .compile(options);

program('reducers, defaults and optional keys of a zod state', async (lg, t) => {
  for (const z of versions) {
    const node = (got: object): object => (t.note('got', { ...got }), { list: 'b', sum: 2, count: 4, other: 1 });
    const graph = graphOf(lg, stateOf(lg, z), node);
    await t.everyMode(graph, { text: 'in', list: 'a', sum: 1, extra: true });
    await t.stream(graph, { text: 'in' }, { ...thread(), streamMode: ['values', 'updates'] });
    await t.stream(
      graph,
      { sum: 4, list: { __overwrite__: ['x'] } },
      { ...thread(), streamMode: ['values', 'updates'] },
    );
    await t.state(graph, thread());
  }
});

program('what a zod state refuses', async (lg, t) => {
  for (const z of versions) {
    for (const input of [{ text: 1 }, { list: ['x'] }, { list: { __overwrite__: 'x' } }, { sum: '1' }, 'text', 7]) {
      await t.invoke(
        graphOf(lg, stateOf(lg, z), () => ({})),
        input,
        thread(),
      );
    }
    for (const write of [
      { text: 1 },
      { list: ['x'] },
      { list: new lg.Overwrite('x') },
      { list: new lg.Overwrite(['x']) },
      { maybe: undefined },
      { maybe: null },
      new lg.Command({ update: { sum: 'x' } as never }),
      [{ text: 'ok' }, new lg.Command({ update: [['list', 3]] as never })],
    ]) {
      const graph = graphOf(lg, stateOf(lg, z), () => write);
      await t.invoke(graph, { text: 'in' }, thread());
      await t.state(graph, thread());
    }
  }
});

program('a Command as input of a zod state', async (lg, t) => {
  for (const z of versions) {
    for (const update of [{ text: 'x' }, { text: 1 }, { list: 'a' }, [['list', 'a']], { count: undefined }, { o: 1 }]) {
      const graph = graphOf(lg, stateOf(lg, z), (got: object) => (t.note('got', { ...got }), {}));
      await t.invoke(graph, new lg.Command({ update: update as never, goto: 'node' }), thread());
      await t.state(graph, thread());
    }
  }
});

program('updateState of a zod state', async (lg, t) => {
  for (const z of versions) {
    const graph = graphOf(lg, stateOf(lg, z), () => ({}));
    await t.outcome('update', () => graph.updateState(thread(), { list: 'a', text: 'x' }, 'node'));
    await t.outcome('bad', () => graph.updateState(thread(), { list: ['a'] }, 'node'));
    await t.outcome('overwrite', () => graph.updateState(thread(), { list: new lg.Overwrite(['z']) }, 'node'));
    await t.state(graph, thread());
  }
});

program('a zod input is required as a whole, a state in part', async (lg, t) => {
  for (const z of versions) {
    const state = z.object({ a: z.string(), b: z.string(), c: z.number().default(1) });
    const input = z.object({ a: z.string(), d: z.number().default(2) });
    const output = z.object({ b: z.string() });
    for (const init of [state, { state }, { state, input }, { state, input, output }, { input }, { input: state }]) {
      const node = (got: object): object => (t.note('got', { ...got }), { b: 'b', d: 9 });
      const graph = graphOf(lg, init, node);
      for (const given of [{ a: 'x', b: 'y' }, { a: 'x' }, { b: 'y' }, {}, { a: 'x', d: 5, other: 1 }]) {
        await t.stream(graph, given, { ...thread(JSON.stringify(given)), streamMode: ['values', 'updates'] });
      }
    }
    const strict = graphOf(lg, { state, input: input.strict() }, () => ({ b: 'b' }));
    await t.invoke(strict, { a: 'x', other: 1 }, thread());
    await t.invoke(strict, { a: 'x', d: 1 }, thread());
  }
});

program('transforms, refinements and coercion', async (lg, t) => {
  for (const z of versions) {
    const state = z.object({
      shout: z.string().transform((text) => text.toUpperCase()),
      even: z.number().refine((n) => n % 2 === 0, { message: 'odd' }),
      n: z.coerce.number(),
      nested: z.object({ deep: z.array(z.object({ x: z.number() })) }).optional(),
    });
    const graph = graphOf(lg, state, (got: object) => (t.note('got', got), { shout: 'b', even: 4, n: '12' }));
    await t.stream(graph, { shout: 'a', n: '1' }, { ...thread(), streamMode: ['values', 'updates'] });
    await t.invoke(graph, { even: 3 }, thread());
    await t.invoke(graph, { nested: { deep: [{ x: 'y' }] } }, thread());
  }
});

program('JSON schemas of a graph', (lg, t) => {
  for (const z of versions) {
    const state = stateOf(lg, z);
    const input = z.object({ text: z.string(), list: state.shape.list });
    const context = z.object({ user: withMeta(lg)(z.string(), { jsonSchemaExtra: { secret: true } }) });
    for (const init of [
      state,
      { state, input },
      { state, output: z.object({ text: z.string().describe('the text') }) },
      { state, context },
      { state, input: lg.Annotation.Root({ text: lg.Annotation<string>() }) },
      new lg.StateSchema({ text: z4.z.string(), messages: lg.MessagesValue }),
      { state, input: new lg.StateSchema({ messages: lg.MessagesValue }) },
      lg.MessagesAnnotation,
      lg.MessagesZodState,
    ]) {
      const graph = new lg.StateGraph(init as never)
        .addNode('n', (() => ({})) as never)
        .addEdge(lg.START, 'n')
        .compile();
      t.note('schemas', [
        lg.getStateTypeSchema(graph),
        lg.getUpdateTypeSchema(graph),
        lg.getInputTypeSchema(graph),
        lg.getOutputTypeSchema(graph),
        lg.getConfigTypeSchema(graph),
      ]);
    }
  }
  t.note('no graph', [lg.getStateTypeSchema(null), lg.getInputTypeSchema({}), lg.getOutputTypeSchema('x')]);
});

program('the registry of schemas', (lg, t) => {
  for (const z of versions) {
    const field = z.number().default(4);
    t.note('unknown', [metas(lg).has(field), metas(lg).get(field)]);
    withMeta(lg)(field, { reducer: { fn: (a: number, b: number) => a + b } });
    const meta = metas(lg).get(field);
    t.note('known', [metas(lg).has(field), meta?.default?.(), meta?.reducer?.fn(1, 2)]);
    metas(lg).extend(field, (known) => ({ ...known, default: () => 9 }));
    t.note('extended', metas(lg).get(field)?.default?.());
    const channels = metas(lg).getChannelsForSchema(z.object({ field, plain: z.string() }));
    for (const [key, channel] of Object.entries(
      channels as Record<string, { lc_graph_name: string; get(): unknown }>,
    )) {
      t.note(key, channel.lc_graph_name);
    }
    t.note('removed', metas(lg).remove(field).has(field));
    const state = stateOf(lg, z);
    const extend = (effects: object) => metas(lg).getExtendedChannelSchemas(state, effects);
    t.note('the same', [
      extend({}) === state,
      extend({ asPartial: true }) === extend({ asPartial: true }),
      extend({ withReducerSchema: true }) === extend({ asPartial: true, withReducerSchema: true }),
    ]);
  }
  t.note('prefix', lg.META_EXTRAS_DESCRIPTION_PREFIX);
});

program('zod 4 schemas say how they behave by register', async (lg, t) => {
  const z = z4.z;
  const register = (schema: z4.ZodType, meta: object): z4.ZodType =>
    (schema as unknown as { register(registry: unknown, meta: object): z4.ZodType }).register(lg.registry, meta);
  const state = z.object({
    list: register(
      z.array(z.string()).default(() => ['d']),
      {
        reducer: { schema: z.union([z.string(), z.array(z.string())]), fn: (a: string[], b: string) => a.concat(b) },
        jsonSchemaExtra: { langgraph_type: 'messages' },
      },
    ),
    sum: register(z.number(), { reducer: { fn: (a: number, b: number) => a + b }, default: () => 100 }),
    text: z.string().optional(),
  });
  const graph = graphOf(lg, state, () => ({ list: ['b', 'c'], sum: 1 }));
  await t.stream(graph, { list: 'a' }, { ...thread(), streamMode: ['values', 'updates'] });
  await t.invoke(graph, { list: 7 }, thread('2'));
  t.note('schemas', [lg.getStateTypeSchema(graph), lg.getInputTypeSchema(graph)]);
  t.note('meta', Object.keys(metas(lg).get(state.shape.sum) ?? {}));
});

program('MessagesZodState, and MessagesZodMeta on a key of one', async (lg, t) => {
  const own = z4.z.object({
    messages: withMeta(lg)(z4.z.custom<never>(), lg.MessagesZodMeta as never),
    turns: z4.z.number().default(0),
  });
  const extended = lg.MessagesZodState.extend({ turns: z3.z.number().optional() });
  for (const state of [lg.MessagesZodState, own, extended]) {
    const node = (): object => ({ messages: [new AIMessage({ id: 'a', content: 'hello' })], turns: 1 });
    const graph = graphOf(lg, state, node);
    await t.everyMode(graph, { messages: [new HumanMessage({ id: 'h', content: 'hi' })] });
    await t.invoke(graph, { messages: 'plain' }, thread());
    await t.invoke(graph, {}, thread());
    await t.state(graph, thread());
    await t.outcome('schema', () => lg.getStateTypeSchema(graph));
  }
});

program('nodes of a zod state with zod inputs, and a subgraph', async (lg, t) => {
  for (const z of versions) {
    const inner = new lg.StateGraph(z.object({ text: z.string(), own: z.number().default(1) }) as never)
      .addNode('in', ((got: object) => (t.note('in got', got), { text: 'inner' })) as never)
      .addEdge(lg.START, 'in')
      .compile();
    const graph = new lg.StateGraph(stateOf(lg, z) as never)
      .addNode('sub', inner as never)
      .addNode('own', ((got: object) => (t.note('own got', got), { text: 'own', secret: 5 })) as never, {
        input: z.object({ text: z.string(), secret: z.number() }) as never,
      })
      .addNode('last', ((got: object) => (t.note('last got', { ...got }), { maybe: 'set' })) as never)
      .addSequence([['tail', (() => ({ sum: 1 })) as never]] as never)
      .addEdge(lg.START, 'sub')
      .addEdge('sub', 'own')
      .addEdge('own', 'last')
      .addEdge('last', 'tail')
      .compile({ checkpointer: saver() }) as unknown as Graph;
    await t.stream(graph, { text: 'in' }, { ...thread(), streamMode: ['values', 'updates'], subgraphs: true });
    await t.state(graph, thread());
  }
});

program('interrupts and Sends in a zod state', async (lg, t) => {
  for (const z of versions) {
    const state = stateOf(lg, z);
    const graph = new lg.StateGraph(state as never)
      .addNode('ask', (() => ({ list: lg.interrupt('which?') })) as never)
      .addNode('plan', (() => ({ sum: 1 })) as never)
      .addNode('work', ((got: { item: string }) => ({ list: got.item })) as never)
      .addEdge(lg.START, 'ask')
      .addEdge(lg.START, 'plan')
      .addConditionalEdges(
        'plan' as never,
        (() => ['x', 'y'].map((item) => new lg.Send('work', { item, text: 7 }))) as never,
        ['work'] as never,
      )
      .compile({ checkpointer: saver() }) as unknown as Graph;
    await t.stream(graph, { text: 'in' }, { ...thread(), streamMode: ['values', 'updates'] });
    await t.invoke(graph, new lg.Command({ resume: ['bad'] }), thread());
    await t.state(graph, thread());
  }
});
