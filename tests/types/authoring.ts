// Types by which authors write nodes, routers and graphs apart from each other; states of every kind.
import type { BaseMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesValue,
  MessagesZodState,
  Overwrite,
  ReducedValue,
  Send,
  START,
  StateGraph,
  StateSchema,
  UntrackedValue,
  writer,
  type CompiledGraphType,
  type ConditionalEdgeRouter,
  type GraphNode,
  type InferInterruptInputType,
  type InferInterruptResumeType,
  type InferStateSchemaUpdate,
  type InferStateSchemaValue,
  type InferWriterType,
  type LangGraphRunnableConfig,
  type Messages,
  type OverwriteValue,
  type Runtime,
} from 'superstep';
import { z as z3 } from 'zod/v3';
import { z } from 'zod/v4';
import type { CompiledGraph } from 'superstep/web';
import { withLangGraph } from 'superstep/zod';
import { expectType } from './expect-type.js';

// StateSchema: what its fields read as, and take.
const Schema = new StateSchema({
  text: z.string(),
  count: z.number().default(0),
  maybe: z.string().optional(),
  list: new ReducedValue(
    z.array(z.string()).default(() => []),
    {
      inputSchema: z.string(),
      reducer: (list, entry) => {
        expectType<string[]>()(list);
        expectType<string>()(entry);
        return [...list, entry];
      },
    },
  ),
  sum: new ReducedValue(z.number(), { reducer: (a, b) => a + b }),
  handle: new UntrackedValue<{ close(): void }>(),
  messages: MessagesValue,
});

declare const schemaState: typeof Schema.State;
declare const schemaUpdate: typeof Schema.Update;
expectType<string>()(schemaState.text);
expectType<number>()(schemaState.count);
expectType<string | undefined>()(schemaState.maybe);
expectType<string[]>()(schemaState.list);
expectType<number>()(schemaState.sum);
expectType<{ close(): void }>()(schemaState.handle);
expectType<BaseMessage[]>()(schemaState.messages);
expectType<number | undefined>()(schemaUpdate.count);
expectType<string | OverwriteValue<string[]> | undefined>()(schemaUpdate.list);
expectType<number | OverwriteValue<number> | undefined>()(schemaUpdate.sum);
expectType<OverwriteValue<BaseMessage[]> | Messages | undefined>()(schemaUpdate.messages);
declare const inferredState: InferStateSchemaValue<typeof Schema.fields>;
declare const inferredUpdate: InferStateSchemaUpdate<typeof Schema.fields>;
expectType<typeof Schema.State>()(inferredState);
expectType<typeof Schema.Update>()(inferredUpdate);

const ofSchema = new StateGraph(Schema)
  .addNode('a', (state) => {
    expectType<string[]>()(state.list);
    return { list: 'one', messages: 'hi' };
  })
  .addNode('b', () => ({ list: new Overwrite(['all']) }))
  .addEdge(START, 'a')
  .addEdge('a', 'b')
  .compile();
expectType<number>()((await ofSchema.invoke({ text: 'x', list: 'one' })).count);
// @ts-expect-error a list is written by its entries
new StateGraph(Schema).addNode('bad', () => ({ list: ['one'] }));
// @ts-expect-error an input of another type
await ofSchema.invoke({ text: 1 });
// @ts-expect-error neither a schema nor a value
new StateSchema({ bad: 'text' });
// @ts-expect-error the reducer returns another type than the value's
new ReducedValue(z.number(), { reducer: () => 'text' });

// Zod objects, of both versions; with reducers.
const Zod = z.object({
  text: z.string(),
  count: z.number().default(0),
  maybe: z.string().optional(),
  list: withLangGraph(z.array(z.string()), {
    reducer: { schema: z.string(), fn: (list: string[], entry: string) => [...list, entry] },
  }),
});
const ofZod = new StateGraph(Zod)
  .addNode('a', (state) => {
    expectType<string>()(state.text);
    expectType<number>()(state.count);
    expectType<string | undefined>()(state.maybe);
    expectType<string[]>()(state.list);
    return { list: 'one' };
  })
  .addEdge(START, 'a')
  .compile();
expectType<string[]>()((await ofZod.invoke({ list: 'one' })).list);
// @ts-expect-error a list is written by its entries
new StateGraph(Zod).addNode('bad', () => ({ list: ['one'] }));

const Zod3 = z3.object({
  text: z3.string(),
  list: z3.array(z3.string()).langgraph.reducer((list, entry: string) => [...list, entry], z3.string()),
});
new StateGraph(Zod3).addNode('a', (state) => {
  expectType<string>()(state.text);
  expectType<string[]>()(state.list);
  return { list: 'one' };
});
new StateGraph(MessagesZodState).addNode('a', (state) => ({ messages: [state.messages[0] ?? 'none'] }));

// Nodes and routers apart from their graph.
const State = Annotation.Root({ text: Annotation<string>(), count: Annotation<number>() });
const Other = Annotation.Root({ other: Annotation<boolean>() });

const node: GraphNode<typeof State, { user: string }, 'a' | 'b'> = (state, config) => {
  expectType<string>()(state.text);
  expectType<string | undefined>()(config.context?.user);
  return state.count > 1 ? { count: 1 } : new Command({ goto: 'b', update: { text: 'x' } });
};
// @ts-expect-error an update of another type
const badNode: GraphNode<typeof State> = () => ({ count: 'x' });
// @ts-expect-error a node that is not there
const badGoto: GraphNode<typeof State, object, 'a'> = () => new Command({ goto: 'nowhere' });
const ofSchemaNode: GraphNode<typeof Schema> = (state) => ({ list: state.text });
const ofZodNode: GraphNode<typeof Zod> = async (state) => ({ list: state.text });
const bag: GraphNode<{
  InputSchema: typeof Other;
  OutputSchema: typeof State;
  ContextSchema: typeof Zod;
  Nodes: 'a';
}> = (state, config) => {
  expectType<boolean>()(state.other);
  expectType<number | undefined>()(config.context?.count);
  return state.other ? { text: 'x' } : new Command({ goto: 'a' });
};
// @ts-expect-error not of the output
const badBag: GraphNode<{ InputSchema: typeof Other; OutputSchema: typeof State }> = () => ({ text: 1 });

const router: ConditionalEdgeRouter<typeof State, { user: string }, 'a' | 'b'> = (state, config) => {
  if (config.context?.user === 'x') return END;
  return state.count > 1 ? 'a' : [new Send('b', state), 'a'];
};
// @ts-expect-error a node that is not there
const badRouter: ConditionalEdgeRouter<typeof State, object, 'a'> = () => 'nowhere';
const bagRouter: ConditionalEdgeRouter<{ InputSchema: typeof Other; Nodes: 'a' }> = ({ other }) => (other ? 'a' : END);
void [badNode, badGoto, ofZodNode, badBag, badRouter, bagRouter];

new StateGraph(State, z.object({ user: z.string() }))
  .addNode('a', node)
  .addNode('b', (_state, config: LangGraphRunnableConfig<{ user: string }>) => ({ text: config.context?.user ?? '' }))
  .addNode('c', (_state, runtime: Runtime<{ user: string }>) => {
    runtime.writer('chunk');
    runtime.signal.throwIfAborted();
    return { text: runtime.context?.user ?? '' };
  })
  .addNode('d', (_state, config) => ({ text: expectType<string | undefined>()(config.context?.user) ?? 'none' }))
  .addConditionalEdges('a', router, ['a', 'b', END]);
new StateGraph(Schema).addNode('a', ofSchemaNode);
new StateGraph({ state: State, context: Zod }).addNode('a', bag, { input: Other });

// Typed questions, answers and custom chunks; names that are known beforehand.
const typed = new StateGraph(
  { state: State },
  {
    interrupt: {
      simple: interrupt<{ question: string }, { answer: boolean }>,
      other: interrupt<'which?', number>,
    },
    writer: writer<{ progress: number }>,
    nodes: ['one', 'two'],
  },
);
const one: typeof typed.Node = (state, runtime) => {
  expectType<{ answer: boolean }>()(runtime.interrupt.simple({ question: state.text }));
  // @ts-expect-error another question
  runtime.interrupt.simple({ question: 1 });
  runtime.writer({ progress: 1 });
  // @ts-expect-error another chunk
  runtime.writer('text');
  return new Command({ goto: 'two', update: { count: 1 } });
};
// @ts-expect-error a node that is not there
const nowhere: typeof typed.Node = () => new Command({ goto: 'three' });
void nowhere;
const typedGraph = typed
  .addNode({ one, two: () => ({ count: 2 }) })
  .addEdge(START, 'one')
  .addEdge('one', 'two')
  .compile({ checkpointer: new MemorySaver() });
const result = await typedGraph.invoke({ text: 'x' });
if (typedGraph.isInterrupted(result)) {
  expectType<{ question: string } | 'which?' | undefined>()(result.__interrupt__[0]?.value);
}
await typedGraph.invoke(new Command({ resume: { answer: true } }));
await typedGraph.invoke(new Command({ resume: 7 }));
// @ts-expect-error no answer of theirs
await typedGraph.invoke(new Command({ resume: 'text' }));
for await (const chunk of await typedGraph.stream({ text: 'x' }, { streamMode: 'custom' })) {
  expectType<{ progress: number }>()(chunk);
}

type Asks = { a: typeof interrupt<string, number>; b: typeof interrupt<boolean, Date> };
expectType<string | boolean>()({} as InferInterruptInputType<Asks>);
expectType<number | Date>()({} as InferInterruptResumeType<Asks>);
expectType<string>()({} as InferInterruptInputType<typeof interrupt<string, number>>);
expectType<number>()({} as InferInterruptResumeType<typeof interrupt<string, number>>);
expectType<string>()({} as InferWriterType<typeof writer<string>>);

// What streams give, by their modes.
const graph = new StateGraph(State)
  .addNode('a', () => ({ text: 'x' }))
  .addNode('b', async (state) => (state.count > 1 ? { count: 2 } : new Command({ goto: 'a' })))
  .addEdge(START, 'a')
  .addEdge('a', 'b')
  .compile();
for await (const update of await graph.stream({ text: 'x' })) {
  expectType<{ text: string } | undefined>()(update.a);
  expectType<{ count: number } | undefined>()(update.b);
}
for await (const values of await graph.stream({ text: 'x' }, { streamMode: 'values' }))
  expectType<string>()(values.text);
for await (const [message] of await graph.stream({ text: 'x' }, { streamMode: 'messages' })) {
  expectType<BaseMessage>()(message);
}
for await (const [ns, values] of await graph.stream({ text: 'x' }, { streamMode: 'values', subgraphs: true })) {
  expectType<string[]>()(ns);
  expectType<number>()(values.count);
}
for await (const chunk of await graph.stream({ text: 'x' }, { streamMode: ['values', 'tasks'] })) {
  expectType<'values' | 'tasks'>()(chunk[0]);
  if (chunk[0] === 'values') expectType<string>()(chunk[1].text);
}
for await (const [, mode] of await graph.stream(
  { text: 'x' },
  { streamMode: ['updates', 'custom'], subgraphs: true },
)) {
  expectType<'updates' | 'custom'>()(mode);
}
for await (const bytes of await graph.stream({ text: 'x' }, { encoding: 'text/event-stream' })) {
  expectType<Uint8Array>()(bytes);
}
// @ts-expect-error no such mode
await graph.stream({ text: 'x' }, { streamMode: 'nothing' });
// @ts-expect-error a context of another type
await new StateGraph(State, z.object({ user: z.string() })).compile().invoke({ text: 'x' }, { context: { user: 1 } });

// Compiled graphs by what they are.
const known: CompiledGraph<'__start__' | 'a' | 'b'> = graph;
const described: CompiledGraphType<{ output: { text: string; count: number } }> = graph;
expectType<{ text: string; count: number }>()(await described.invoke({}));
void known;
