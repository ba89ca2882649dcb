// What the builder infers and refuses.
import { RunnableLambda } from '@langchain/core/runnables';
import {
  Annotation,
  Command,
  END,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
  ToolNode,
  toolsCondition,
} from 'superstep';
import { z } from 'zod';
import { expectType } from './expect-type.js';

const State = Annotation.Root({
  text: Annotation<string>(),
  count: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
});
const Other = Annotation.Root({ secret: Annotation<boolean>() });

// Nodes: their state, what they may return, their config.
const builder = new StateGraph(State)
  .addNode('update', (state) => {
    expectType<string>()(state.text);
    expectType<number>()(state.count);
    return { text: 'x' };
  })
  .addNode('async', async () => ({ count: 1 }))
  .addNode('nothing', () => undefined)
  .addNode('void', (_state, config) => {
    config.writer?.('chunk');
    config.signal?.throwIfAborted();
    expectType<string | undefined>()(config.executionInfo?.taskId);
  })
  .addNode('null', () => null)
  .addNode('command', () => new Command({ update: { text: 'x' }, goto: 'update' }), { ends: ['update', END] })
  .addNode('bare command', () => new Command({ goto: END }))
  .addNode('mixed', () => [{ text: 'x' }, new Command({ goto: 'update' })])
  .addNode('either', ({ count }) => (count > 1 ? { text: 'x' } : new Command({ goto: 'update' })))
  .addNode('sent', (task: { item: number }) => ({ count: task.item }))
  .addNode(
    'runnable',
    RunnableLambda.from((state: typeof State.State) => ({ text: state.text })),
  )
  .addNode('own input', (state) => ({ text: String(expectType<boolean>()(state.secret)) }), { input: Other })
  .addNode({ first: () => ({ text: '1' }), second: (state) => ({ text: state.text }) })
  .addNode([['third', () => ({ text: '3' }), { metadata: { of: 'third' } }]])
  .addSequence([
    ['fourth', () => ({ text: '4' })],
    ['fifth', (state: typeof State.State) => ({ count: state.count })],
  ]);

// @ts-expect-error an update of another type
new StateGraph(State).addNode('bad', () => ({ text: 1 }));
// Keys of other nodes' own inputs.
new StateGraph(State).addNode('private', () => ({ secret: true }));
// @ts-expect-error no update at all
new StateGraph(State).addNode('bad', () => 'text');
// @ts-expect-error an async update of another type
new StateGraph(State).addNode('bad', async () => ({ count: 'x' }));
// @ts-expect-error a state that the graph does not have
new StateGraph(State).addNode({ bad: (state: { nope: string }) => ({ text: state.nope }) });

// Edges: names that are there.
builder
  .addEdge(START, 'update')
  .addEdge('update', 'first')
  .addEdge(['first', 'second'], 'third')
  .addEdge('fifth', END)
  .addConditionalEdges('first', (state) => (state.count > 1 ? 'second' : END))
  .addConditionalEdges('first', () => [new Send('sent', { item: 1 }), 'second'])
  .addConditionalEdges('second', async () => 'yes', { yes: 'first', no: END })
  .addConditionalEdges('second', () => 'first', ['first', END])
  .addConditionalEdges({ source: START, path: () => 'first', pathMap: ['first'] });
// @ts-expect-error unknown source
builder.addEdge('nope', 'first');
// @ts-expect-error unknown target
builder.addEdge('first', 'nope');
// @ts-expect-error unknown start of a barrier
builder.addEdge(['first', 'nope'], 'second');
// @ts-expect-error unknown source of a router
builder.addConditionalEdges('nope', () => END);
// @ts-expect-error unknown node in a map
builder.addConditionalEdges('first', () => 'yes', { yes: 'nope' });
// @ts-expect-error a router answers names or Sends
builder.addConditionalEdges('first', () => 7);
// @ts-expect-error unknown breakpoint
builder.compile({ interruptBefore: ['nope'] });
builder.compile({ interruptBefore: ['first'], interruptAfter: '*' });

// What callers pass and get.
const graph = builder.compile();
expectType<{ text: string; count: number }>()(await graph.invoke({ text: 'x' }));
await graph.invoke(new Command({ resume: 1 }));
await graph.invoke(null);
// @ts-expect-error an input of another type
await graph.invoke({ text: 1 });

const narrow = new StateGraph({
  stateSchema: State,
  input: Annotation.Root({ text: Annotation<string>() }),
  output: Annotation.Root({ count: Annotation<number>() }),
})
  .addNode('a', (state) => ({ count: state.count }))
  .addEdge(START, 'a')
  .compile();
expectType<{ count: number }>()(await narrow.invoke({ text: 'x' }));
// @ts-expect-error not among the input's keys
await narrow.invoke({ count: 1 });

// The other ways to declare a state.
new StateGraph({ state: State }).addNode('a', (state) => ({ text: state.text }));
new StateGraph(State.spec).addNode('a', (state) => ({ text: state.text }));
new StateGraph({ input: State, output: State }).addNode('a', (state) => ({ text: state.text }));
new StateGraph(State, { output: Annotation.Root({ text: Annotation<string>() }) }).addNode('a', (state) => ({
  text: state.text,
}));
new StateGraph(State, Annotation.Root({ user: Annotation<string>() })).addNode('a', (_state, config) => ({
  text: config.context?.user ?? '',
}));
new StateGraph(z.object({ text: z.string(), list: z.array(z.number()) })).addNode('a', (state) => {
  expectType<number[]>()(state.list);
  return { text: state.text };
});
new StateGraph<{ text: string }>({ channels: { text: null } }).addNode('a', (state) => ({ text: state.text }));

// Subgraphs and prebuilt nodes.
new StateGraph(State).addNode('child', graph).addEdge(START, 'child');
new StateGraph(MessagesAnnotation)
  .addNode('agent', ({ messages }) => ({ messages: [messages.at(-1) ?? 'none'] }))
  .addNode('tools', new ToolNode([]))
  .addEdge(START, 'agent')
  .addConditionalEdges('agent', toolsCondition, ['tools', END])
  .addEdge('tools', 'agent')
  .compile();

// A node may be written apart.
const apart: typeof builder.Node = (state) => ({ text: state.text });
const apartToo: typeof State.Node = (state) => ({ text: state.text });
new StateGraph(State).addNode('a', apart).addNode('b', apartToo);
