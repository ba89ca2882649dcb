// Stream mode `messages` beyond a model in a node: messages that are pushed, models in tools and tasks, graphs below.
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';

const model = (text = 'Hello my friend') => new FakeChatModel({ replies: [text] });
const input = { messages: [new HumanMessage({ id: 'h', content: 'hi' })] };

type Node = (state: { messages: BaseMessage[] }, config: never) => unknown;

const oneNode = (lg: Library, node: Node, options: object = {}) =>
  new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('node', node as () => object)
    .addEdge(lg.START, 'node')
    .compile(options);

/** Alone, with graphs below, and among other modes. */
async function streams(t: Trace, graph: Graph, config: object = {}): Promise<void> {
  await t.stream(graph, input, { ...thread('1'), ...config, streamMode: 'messages' });
  await t.stream(graph, input, { ...thread('2'), ...config, streamMode: 'messages', subgraphs: true });
  await t.stream(graph, input, { ...thread('3'), ...config, streamMode: ['messages', 'updates', 'values'] });
}

const pushed = (id: string) => new AIMessage({ id, content: `pushed ${id}` });

program('a pushed message is streamed at once and written when the node ends', (lg, t) =>
  streams(
    t,
    oneNode(lg, () => {
      const returned = lg.pushMessage(pushed('p'));
      t.note('returned', returned);
      return { messages: [new AIMessage({ id: 'r', content: 'returned' })] };
    }),
  ),
);

program('a pushed message that is not kept, or kept elsewhere', (lg, t) => {
  const state = lg.Annotation.Root({
    ...lg.MessagesAnnotation.spec,
    notes: lg.Annotation<BaseMessage[], BaseMessage | BaseMessage[]>({
      reducer: lg.messagesStateReducer,
      default: () => [],
    }),
  });
  const graph = new lg.StateGraph(state)
    .addNode('node', (_state, config) => {
      lg.pushMessage(pushed('gone'), { stateKey: null } as never);
      lg.pushMessage(pushed('noted'), { stateKey: 'notes' } as never);
      lg.pushMessage(pushed('by config'), config as never);
      lg.pushMessage({ role: 'assistant', content: 'as a record', id: 'record' });
      return {};
    })
    .addEdge(lg.START, 'node')
    .compile();
  return streams(t, graph);
});

program('a message cannot be pushed without an id', (lg, t) =>
  t.invoke(
    oneNode(lg, () => {
      lg.pushMessage(new AIMessage('no id'));
    }),
    input,
  ),
);

program('a message that is pushed and returned is streamed once', (lg, t) =>
  streams(
    t,
    oneNode(lg, () => {
      const message = pushed('p');
      lg.pushMessage(message, { stateKey: null } as never);
      return { messages: [message] };
    }),
  ),
);

program('messages pushed in a graph below', (lg, t) => {
  const inner = oneNode(lg, () => {
    lg.pushMessage(pushed('below'));
    return {};
  });
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('inner', inner)
    .addNode('calls', async (state) => {
      const { messages } = await inner.invoke(state);
      return { messages };
    })
    .addEdge(lg.START, 'inner')
    .addEdge('inner', 'calls')
    .compile({ checkpointer: saver() });
  return streams(t, graph);
});

program('a model in a tool, and in a tool that is called by a tool', (lg, t) => {
  const schema = z.object({ of: z.string() });
  const asks = tool(async ({ of }) => (await model(`answer on ${of}`).invoke(of)).text, {
    name: 'asks',
    description: 'asks',
    schema,
  });
  const outer = tool(async ({ of }) => String(await asks.invoke({ of })), {
    name: 'outer',
    description: 'outer',
    schema,
  });
  const calls = (name: string) => ({ name, id: `call-${name}`, args: { of: name }, type: 'tool_call' as const });
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('says', () => ({ messages: [new AIMessage({ id: 's', content: '', tool_calls: [calls('asks')] })] }))
    .addNode('tools', new lg.ToolNode([asks, outer]))
    .addNode('more', () => ({ messages: [new AIMessage({ id: 'm', content: '', tool_calls: [calls('outer')] })] }))
    .addNode('tools again', new lg.ToolNode([asks, outer]))
    .addEdge(lg.START, 'says')
    .addEdge('says', 'tools')
    .addEdge('tools', 'more')
    .addEdge('more', 'tools again')
    .compile();
  return streams(t, graph);
});

program('a model in chains: piped, bound, renamed', (lg, t) =>
  streams(
    t,
    oneNode(lg, async ({ messages }) => {
      const chain = RunnableLambda.from((given: BaseMessage[]) => given)
        .pipe(model('by chain'))
        .pipe(RunnableLambda.from((answer: BaseMessage) => [answer]));
      const renamed = model('renamed').withConfig({ runName: 'another', tags: ['mine'], metadata: { of: 'model' } });
      return { messages: [...(await chain.invoke(messages)), await renamed.invoke(messages)] };
    }),
  ),
);

program('a node that is a model or a chain itself', (lg, t) => {
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode(
      'chain',
      RunnableLambda.from((state: { messages: BaseMessage[] }) => state.messages)
        .pipe(model('whole chain'))
        .pipe(RunnableLambda.from((answer: BaseMessage) => ({ messages: [answer] }))) as never,
    )
    .addEdge(lg.START, 'chain')
    .compile();
  return streams(t, graph);
});

program('models side by side', (lg, t) => {
  const says = (text: string) => async () => ({ messages: [await model(text).invoke('go')] });
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('first', says('one'))
    .addNode('second', says('two'))
    .addEdge(lg.START, 'first')
    .addEdge(lg.START, 'second')
    .compile();
  return streams(t, graph);
});

program('a model in a router, and in a node that asks', async (lg, t) => {
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('asks', async () => {
      const said = await model('before the question').invoke('go');
      const answer: string = lg.interrupt('?');
      return { messages: [said, new HumanMessage({ id: answer, content: answer })] };
    })
    .addNode('end', () => ({}))
    .addEdge(lg.START, 'asks')
    .addConditionalEdges('asks', async () => {
      await model('routing').invoke('go');
      return 'end';
    })
    .compile({ checkpointer: saver() });
  const config = { ...thread(), streamMode: ['messages', 'updates'] };
  await t.stream(graph, input, config);
  await t.stream(graph, new lg.Command({ resume: 'yes' }), config);
});

program('a graph below that goes on does not say again what it said', async (lg, t) => {
  const inner = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('says', () => ({ messages: [new AIMessage({ id: 'said', content: 'said' })] }))
    .addNode('asks', () => ({ messages: [new HumanMessage({ id: 'a', content: String(lg.interrupt('?')) })] }))
    .addEdge(lg.START, 'says')
    .addEdge('says', 'asks')
    .compile();
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('inner', inner)
    .addEdge(lg.START, 'inner')
    .compile({ checkpointer: saver() });
  const config = { ...thread(), streamMode: 'messages', subgraphs: true };
  await t.stream(graph, input, config);
  await t.stream(graph, new lg.Command({ resume: 'yes' }), config);
});

program('custom chunks from graphs below and from tools, with and without graphs below', async (lg, t) => {
  const state = lg.Annotation.Root({ text: lg.Annotation<string>() });
  const deep = new lg.StateGraph(state)
    .addNode('deep', (_state, config) => {
      config.writer?.('from deep');
      return { text: 'deep' };
    })
    .addEdge(lg.START, 'deep')
    .compile();
  const graph = new lg.StateGraph(state)
    .addNode('inner', deep)
    .addNode('calls', async (given, config) => {
      config.writer?.('before');
      await deep.invoke(given);
      config.writer?.('after');
      for await (const chunk of await deep.stream(given, { streamMode: 'custom' })) t.note('own stream', chunk);
      return {};
    })
    .addEdge(lg.START, 'inner')
    .addEdge('inner', 'calls')
    .compile();
  for (const subgraphs of [false, true]) {
    await t.stream(graph, { text: '' }, { streamMode: 'custom', subgraphs });
    await t.stream(graph, { text: '' }, { streamMode: ['updates', 'custom'], subgraphs });
    await t.stream(graph, { text: '' }, { streamMode: 'updates', subgraphs });
  }
});

program('a writer that the caller gives', async (lg, t) => {
  const graph = new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode('n', (_state, config) => {
      config.writer?.('chunk');
      return {};
    })
    .addEdge(lg.START, 'n')
    .compile();
  const given: unknown[] = [];
  await t.stream(graph, { text: '' }, { streamMode: 'custom', writer: (chunk: unknown) => given.push(chunk) });
  t.note('given', given);
});

program(
  'a graph in a node that is resumed: its messages are the node’s where graphs below are not shown',
  async (lg, t) => {
    const inner = new lg.StateGraph(lg.MessagesAnnotation)
      .addNode('speaks', () => ({ messages: [new AIMessage({ id: 'spoken', content: 'before' })] }))
      .addNode('asks', () => ({ messages: [new AIMessage({ id: 'asked', content: String(lg.interrupt('?')) })] }))
      .addEdge(lg.START, 'speaks')
      .addEdge('speaks', 'asks')
      .compile();
    const graph = new lg.StateGraph(lg.MessagesAnnotation)
      .addNode('inner', inner)
      .addEdge(lg.START, 'inner')
      .compile({ checkpointer: saver() });
    for (const subgraphs of [false, true]) {
      const options = { ...thread(`shown: ${subgraphs}`), streamMode: 'messages', subgraphs };
      await t.stream(graph, input, options);
      await t.stream(graph, new lg.Command({ resume: 'yes' }), options);
    }
  },
);
