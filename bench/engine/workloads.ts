// What `npm run bench:engine` runs on both engines. A workload is made of the library that it is given, and checks its
// own result: an engine that skips work is not fast.
import type * as langgraph from '@langchain/langgraph';
import { FakeChatModel } from '../../tests/fixtures/fake-chat-model.js';

/** The part of LangGraph's namespace that the workloads use. */
export type Library = Pick<
  typeof langgraph,
  'Annotation' | 'END' | 'MemorySaver' | 'MessagesAnnotation' | 'Send' | 'START' | 'StateGraph'
>;

export interface Workload {
  /** Makes the graph; the result runs it once. */
  readonly prepare: (library: Library) => () => Promise<void>;
  /** The most that our time may be of LangGraph's. */
  readonly target: number;
}

const CHAIN = 1_000;
const SENDS = 1_000;
const PARALLEL_NODES = 100;
const PARALLEL_STEPS = 20;
const MESSAGES = 5_000;
const MESSAGES_PER_STEP = 10;
const TOKENS = 2_000;
const SUBGRAPH_CALLS = 200;

const expectEqual = (received: unknown, expected: unknown): void => {
  if (received !== expected) throw new Error(`The workload gave ${String(received)}, not ${String(expected)}`);
};

function chainOf(lg: Library) {
  const State = lg.Annotation.Root({ count: lg.Annotation<number> });
  const names = Array.from({ length: CHAIN }, (_, index) => `node-${index}`);
  const graph = new lg.StateGraph(State) as langgraph.StateGraph<typeof State.spec, { count: number }, object, string>;
  for (const name of names) graph.addNode(name, ({ count }: { count: number }) => ({ count: count + 1 }));
  graph.addEdge(lg.START, names[0] as string);
  for (const [index, name] of names.entries()) graph.addEdge(name, names[index + 1] ?? lg.END);
  return graph;
}

function chain(lg: Library): () => Promise<void> {
  const graph = chainOf(lg).compile();
  return async () => {
    const { count } = (await graph.invoke({ count: 0 }, { recursionLimit: CHAIN + 10 })) as { count: number };
    expectEqual(count, CHAIN);
  };
}

function savedChain(lg: Library): () => Promise<void> {
  const graph = chainOf(lg);
  return async () => {
    const saved = graph.compile({ checkpointer: new lg.MemorySaver() });
    const config = { recursionLimit: CHAIN + 10, configurable: { thread_id: 'chain' } };
    const { count } = (await saved.invoke({ count: 0 }, config)) as { count: number };
    expectEqual(count, CHAIN);
  };
}

function fanOut(lg: Library): () => Promise<void> {
  const State = lg.Annotation.Root({
    results: lg.Annotation<number[]>({ reducer: (all, more) => all.concat(more), default: () => [] }),
  });
  const graph = new lg.StateGraph(State)
    .addNode('plan', () => ({}))
    .addNode('work', ({ item }: { item: number }) => ({ results: [item] }), {
      input: lg.Annotation.Root({ item: lg.Annotation<number> }),
    })
    .addEdge(lg.START, 'plan')
    .addConditionalEdges('plan', () => Array.from({ length: SENDS }, (_, item) => new lg.Send('work', { item })))
    .compile();
  return async () => expectEqual((await graph.invoke({})).results.length, SENDS);
}

function parallel(lg: Library): () => Promise<void> {
  const State = lg.Annotation.Root({
    round: lg.Annotation<number>({ reducer: (a, b) => Math.max(a, b), default: () => 0 }),
    work: lg.Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
  });
  const graph = new lg.StateGraph(State) as unknown as langgraph.StateGraph<
    typeof State.spec,
    typeof State.State,
    object,
    string
  >;
  for (let index = 0; index < PARALLEL_NODES; index += 1) {
    const name = `worker-${index}`;
    graph.addNode(name, ({ round }: typeof State.State) => ({ round: round + 1, work: 1 }));
    graph.addEdge(lg.START, name);
    graph.addConditionalEdges(name, ({ round }: typeof State.State) => (round >= PARALLEL_STEPS ? lg.END : name), [
      name,
      lg.END,
    ]);
  }
  const compiled = graph.compile();
  return async () => {
    const { work } = await compiled.invoke({}, { recursionLimit: PARALLEL_STEPS + 10 });
    expectEqual(work, PARALLEL_NODES * PARALLEL_STEPS);
  };
}

function messages(lg: Library): () => Promise<void> {
  const State = lg.MessagesAnnotation;
  const more = (count: number) =>
    Array.from({ length: MESSAGES_PER_STEP }, (_, index) => ({
      role: 'user' as const,
      content: `message ${count + index}`,
      id: `m-${count + index}`,
    }));
  const graph = new lg.StateGraph(State)
    .addNode('talk', (state) => ({ messages: more(state.messages.length) }))
    .addEdge(lg.START, 'talk')
    .addConditionalEdges('talk', (state) => (state.messages.length >= MESSAGES ? lg.END : 'talk'))
    .compile();
  return async () => {
    const result = await graph.invoke({ messages: [] }, { recursionLimit: MESSAGES / MESSAGES_PER_STEP + 10 });
    expectEqual(result.messages.length, MESSAGES);
  };
}

function tokens(lg: Library): () => Promise<void> {
  const model = new FakeChatModel({ replies: ['token '.repeat(TOKENS)] });
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('model', async (state) => ({ messages: [await model.invoke(state.messages)] }))
    .addEdge(lg.START, 'model')
    .compile();
  return async () => {
    let streamed = 0;
    const input = { messages: [{ role: 'user', content: 'go' }] };
    for await (const [chunk] of await graph.stream(input, { streamMode: 'messages' })) {
      if ((chunk as { content: string }).content !== '') streamed += 1;
    }
    expectEqual(streamed, TOKENS);
  };
}

function subgraphs(lg: Library): () => Promise<void> {
  const State = lg.Annotation.Root({ count: lg.Annotation<number> });
  const inner = new lg.StateGraph(State)
    .addNode('one', ({ count }) => ({ count: count + 1 }))
    .addNode('two', ({ count }) => ({ count: count + 1 }))
    .addEdge(lg.START, 'one')
    .addEdge('one', 'two')
    .compile();
  const graph = new lg.StateGraph(State)
    .addNode('inner', inner)
    .addEdge(lg.START, 'inner')
    .addConditionalEdges('inner', ({ count }) => (count >= SUBGRAPH_CALLS * 2 ? lg.END : 'inner'))
    .compile();
  return async () => {
    const { count } = await graph.invoke({ count: 0 }, { recursionLimit: SUBGRAPH_CALLS + 10 });
    expectEqual(count, SUBGRAPH_CALLS * 2);
  };
}

export const workloads = {
  'a chain of 1,000 steps': { prepare: chain, target: 0.7 },
  'the same chain, saved in memory': { prepare: savedChain, target: 1 },
  'a fan-out of 1,000 Sends': { prepare: fanOut, target: 0.7 },
  '100 parallel nodes × 20 steps': { prepare: parallel, target: 1 },
  'a message list growing to 5,000 messages': { prepare: messages, target: 1 },
  '2,000 tokens through messages mode': { prepare: tokens, target: 1 },
  'a subgraph called 200 times': { prepare: subgraphs, target: 1 },
} satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof workloads;
