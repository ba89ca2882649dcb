// Context schemas: what a caller passes as `context`, what checks it, and who gets it.
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import * as z3 from 'zod/v3';
import * as z4 from 'zod/v4';
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';

const versions = [z3.z as unknown as typeof z4.z, z4.z];

type Config = { context?: unknown; configurable?: Record<string, unknown>; metadata?: object };

/** Not the ids of the run. */
const seen = ({ context, configurable = {} }: Config): unknown => ({
  context,
  configurable: Object.fromEntries(Object.entries(configurable).filter(([key]) => /^(user|limit|extra)$/.test(key))),
});

const stateOf = (lg: Library) => lg.Annotation.Root({ text: lg.Annotation<string>() });

type Note = (label: string, value: unknown) => void;

const graphOf = (lg: Library, note: Note, options: unknown, compile: object = {}): Graph =>
  new lg.StateGraph(stateOf(lg), options as never)
    .addNode('a', ((_state: object, config: Config) => (note('a got', seen(config)), { text: 'a' })) as never)
    .addConditionalEdges(
      'a' as never,
      ((_state: object, config: Config) => (note('router got', seen(config)), '__end__')) as never,
    )
    .addEdge(lg.START, 'a')
    .compile(compile);

const calls: Record<string, unknown>[] = [
  {},
  { context: { user: 'u' } },
  { context: { user: 'u', limit: 9, extra: true } },
  { context: { user: 7 } },
  { context: {} },
  { context: null },
  { context: undefined },
  { context: 'text' },
  { configurable: { user: 'u' } },
  { configurable: { user: 7 } },
  { context: { user: 'c' }, configurable: { user: 'f' } },
];

program('a zod context is checked at the call, and passed as it is', async (lg, t) => {
  for (const z of versions) {
    const context = z.object({ user: z.string(), limit: z.number().default(3) });
    for (const options of [context, { context }]) {
      for (const call of calls) {
        t.note('call', call);
        await t.invoke(graphOf(lg, t.note.bind(t), options), { text: 'in' }, call);
        await t.stream(graphOf(lg, t.note.bind(t), options), { text: 'in' }, call);
      }
    }
  }
});

program('other declarations of a context are for types only', async (lg, t) => {
  const annotation = lg.Annotation.Root({ user: lg.Annotation<string>() });
  for (const options of [
    annotation,
    { context: annotation },
    { context: new lg.StateSchema({ user: z4.z.string() }) },
    new lg.StateSchema({ user: z4.z.string() }),
    undefined,
    {},
  ]) {
    for (const call of calls) await t.invoke(graphOf(lg, t.note.bind(t), options), { text: 'in' }, call);
  }
});

program('a context in each form of the constructor', async (lg, t) => {
  const state = stateOf(lg);
  const context = z4.z.object({ user: z4.z.string() });
  for (const args of [
    [state, context],
    [state, { context }],
    [{ state, context }],
    [{ stateSchema: state, context }],
    [{ state }, { context }],
    [{ state, context: z4.z.object({ other: z4.z.string() }) }, context],
    [{ state, context }, { context: z4.z.object({ other: z4.z.string() }) }],
    [{ input: state, context }],
    [{ channels: { text: null } }, context],
  ]) {
    const make = lg.StateGraph as unknown as new (...args: unknown[]) => InstanceType<Library['StateGraph']>;
    const graph = new make(...args)
      .addNode('a', ((_state: object, config: Config) => (t.note('a got', seen(config)), {})) as never)
      .addEdge(lg.START, 'a')
      .compile() as unknown as Graph;
    await t.invoke(graph, { text: 'in' }, { context: { user: 'u' } });
    await t.invoke(graph, { text: 'in' }, { context: { user: 1 } });
    await t.invoke(graph, { text: 'in' }, { context: { other: 'x' } });
    await t.invoke(graph, { text: 'in' }, {});
  }
});

program('subgraphs and tools get the context, and check it by their own schema', async (lg, t) => {
  const echo = tool((_input, config) => (t.note('tool got', seen(config as Config)), 'echoed'), {
    name: 'echo',
    schema: z4.z.object({}),
  });
  const inner = new lg.StateGraph(lg.MessagesAnnotation, {
    context: z4.z.object({ user: z4.z.string(), limit: z4.z.number().optional() }),
  } as never)
    .addNode('in', ((_state: object, config: Config) => (t.note('in got', seen(config)), {})) as never)
    .addNode('tools', new lg.ToolNode([echo]) as never)
    .addEdge(lg.START, 'in')
    .addEdge('in', 'tools')
    .compile();
  const outer = new lg.StateGraph(lg.MessagesAnnotation, { context: z4.z.object({ user: z4.z.string() }) } as never)
    .addNode('sub', inner as never)
    .addNode('called', ((state: object, config: object) => inner.invoke(state as never, config as never)) as never)
    .addNode('called with its own', ((state: object) =>
      inner.invoke(state as never, { context: { user: 'own' } } as never)) as never)
    .addEdge(lg.START, 'sub')
    .addEdge('sub', 'called')
    .addEdge('called', 'called with its own')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  const messages = [new AIMessage({ id: 'm', content: '', tool_calls: [{ id: 'c', name: 'echo', args: {} }] })];
  await t.invoke(outer, { messages }, { ...thread('1'), context: { user: 'u' } });
  await t.invoke(outer, { messages }, { ...thread('2'), context: { user: 'u', limit: 'x' } });
});

program('a context bound to a graph, and a call without a context after one with', async (lg, t) => {
  const graph = graphOf(lg, t.note.bind(t), undefined, { checkpointer: saver() });
  const bound = (graph as unknown as { withConfig(config: object): Graph }).withConfig({ context: { user: 'bound' } });
  await t.invoke(bound, { text: 'in' }, thread());
  await t.invoke(bound, { text: 'in' }, { ...thread(), context: { user: 'call' } });
  await t.invoke(graph, { text: 'in' }, thread());
});

program('resumed runs get the context of the call that resumes', async (lg, t) => {
  const graph = new lg.StateGraph(stateOf(lg), { context: z4.z.object({ user: z4.z.string() }) } as never)
    .addNode('ask', ((_state: object, config: Config) => {
      t.note('ask got', seen(config));
      return { text: lg.interrupt('?') };
    }) as never)
    .addEdge(lg.START, 'ask')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  await t.invoke(graph, { text: 'in' }, { ...thread(), context: { user: 'first' } });
  await t.invoke(graph, new lg.Command({ resume: 'r' }), { ...thread(), context: { user: 1 } });
  await t.invoke(graph, new lg.Command({ resume: 'r' }), { ...thread(), context: { user: 'second' } });
});

program('context and configurable stay out of metadata, but for the ids', async (lg, t) => {
  const metadataOf = ({ metadata = {} }: Config): unknown =>
    Object.fromEntries(
      Object.entries(metadata).filter(([key]) => !key.startsWith('langgraph_') && key !== 'checkpoint_ns'),
    );
  const graph = new lg.StateGraph(stateOf(lg), { context: z4.z.object({ user: z4.z.string() }) } as never)
    .addNode('a', ((_state: object, config: Config) => (t.note('metadata', metadataOf(config)), {})) as never)
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  await t.invoke(graph, { text: 'in' }, { ...thread(), context: { user: 'u' } });
  await t.invoke(
    graph,
    { text: 'in' },
    thread('2', { user: 'u', assistant_id: 'as', graph_id: 'g', run_id: 'r', x: 1 }),
  );
  await t.stream(graph, { text: 'in' }, { ...thread('3', { user: 'u' }), streamMode: ['tasks', 'checkpoints'] });
  await t.invoke(graph, { text: 'in' }, { ...thread('4', { user: 'u' }), metadata: { own: 1, assistant_id: 'mine' } });
});
