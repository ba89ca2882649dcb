// What nodes emit themselves: custom chunks and chat models' messages; and forms of the stream call.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';

const oneModel = (
  lg: Library,
  node: (state: { messages: unknown[] }, config: never) => unknown,
  options: object = { checkpointer: saver() },
) =>
  new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('model', node as () => object)
    .addEdge(lg.START, 'model')
    .compile(options);

const input = { messages: [new HumanMessage({ id: 'h', content: 'hi' })] };
const model = () => new FakeChatModel({ replies: ['Hello my dear friend'] });

program('tokens of a model that the node invokes', async (lg, t) => {
  await t.everyMode(
    oneModel(lg, async ({ messages }) => ({ messages: [await model().invoke(messages as never)] })),
    input,
  );
});

program('tokens of a model that is given the config, and of one that streams', async (lg, t) => {
  await t.stream(
    oneModel(lg, async ({ messages }, config) => ({ messages: [await model().invoke(messages as never, config)] })),
    input,
    { ...thread(), streamMode: ['messages', 'values'] },
  );
  await t.stream(
    oneModel(lg, async ({ messages }) => {
      let whole;
      for await (const chunk of await model().stream(messages as never)) whole = whole ? whole.concat(chunk) : chunk;
      return { messages: [whole] };
    }),
    input,
    { ...thread(), streamMode: ['messages', 'values'] },
  );
});

program('a model with ids of its own, and one with tool calls', async (lg, t) => {
  for (const fields of [
    { replies: ['with an id'], messageId: 'msg-1' },
    { replies: [{ text: 'calling', toolCalls: [{ name: 'f', args: { a: 1 } }] }] },
    { replies: [''] },
  ]) {
    const fake = new FakeChatModel(fields);
    await t.stream(
      oneModel(lg, async ({ messages }) => ({ messages: [await fake.invoke(messages as never)] })),
      input,
      { ...thread(), streamMode: ['messages', 'updates'] },
    );
  }
});

program('models that are silenced, and models that fail', async (lg, t) => {
  for (const tags of [['nostream'], ['langsmith:nostream'], ['other']]) {
    await t.stream(
      oneModel(lg, async ({ messages }) => ({ messages: [await model().invoke(messages as never, { tags })] })),
      input,
      { ...thread(), streamMode: 'messages' },
    );
  }
  const failing = new FakeChatModel({ replies: [{ text: 'almost there', error: 'lost connection' }] });
  await t.stream(
    oneModel(lg, async ({ messages }) => ({ messages: [await failing.invoke(messages as never)] })),
    input,
    { ...thread(), streamMode: ['messages', 'values'] },
  );
});

program('whole messages are emitted once, inputs never', async (lg, t) => {
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('new', () => ({ messages: [new AIMessage({ id: 'n', content: 'new' }), new AIMessage('without an id')] }))
    .addNode('echo', ({ messages }) => ({ messages }))
    .addNode('single', () => ({ messages: new AIMessage({ id: 's', content: 'alone' }) }))
    .addNode(
      'command',
      () => new lg.Command({ update: { messages: [new AIMessage({ id: 'c', content: 'by Command' })] } }),
    )
    .addNode(
      'mixed',
      () =>
        [
          new lg.Command({ update: { messages: [new AIMessage({ id: 'm', content: 'mixed' })] } }),
          { messages: ['text'] },
        ] as never,
    )
    .addNode('other key', () => ({ other: [new AIMessage({ id: 'o', content: 'unknown key' })] }) as never)
    .addEdge(lg.START, 'new')
    .addEdge('new', 'echo')
    .addEdge('echo', 'single')
    .addEdge('single', 'command')
    .addEdge('command', 'mixed')
    .addEdge('mixed', 'other key')
    .compile();
  await t.stream(graph, input, { streamMode: 'messages' });
});

program('a model in a subgraph, and two in one node', async (lg, t) => {
  const inner = oneModel(lg, async ({ messages }) => ({ messages: [await model().invoke(messages as never)] }), {});
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('inner', inner)
    .addNode('two', async ({ messages }) => {
      const first = await model().invoke(messages);
      const second = await model().invoke(messages);
      return { messages: [first, second] };
    })
    .addEdge(lg.START, 'inner')
    .addEdge('inner', 'two')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, input);
});

program('tags and metadata of the caller reach the messages', async (lg, t) => {
  await t.stream(
    oneModel(lg, async ({ messages }) => ({ messages: [await model().invoke(messages as never)] })),
    input,
    {
      configurable: { thread_id: '1', mine: 'x' },
      tags: ['mine'],
      metadata: { of: 'caller' },
      runName: 'my run',
      streamMode: 'messages',
    },
  );
});

const writing = (lg: Library) => {
  const state = lg.Annotation.Root({ text: lg.Annotation<string>() });
  const inner = new lg.StateGraph(state)
    .addNode('deep', (_state, config) => {
      config.writer?.({ from: 'deep' });
      return { text: 'deep' };
    })
    .addEdge(lg.START, 'deep')
    .compile();
  return new lg.StateGraph(state)
    .addNode('writes', async (_state, config) => {
      config.writer?.('text');
      config.writer?.({ step: 1 });
      config.writer?.(undefined);
      await Promise.resolve();
      config.writer?.(null);
      return { text: 'done' };
    })
    .addNode('inner', inner)
    .addEdge(lg.START, 'writes')
    .addEdge('writes', 'inner')
    .compile({ checkpointer: saver() });
};

program('custom chunks in every mode', (lg, t) => t.everyMode(writing(lg), { text: 'in' }));

program('modes: none given, one, a list of one, and duplicates', async (lg, t) => {
  for (const streamMode of [undefined, 'values', ['values'], ['values', 'values'], []]) {
    await t.stream(writing(lg), { text: 'in' }, { ...thread(), streamMode });
  }
});

program('invoke with other modes', async (lg, t) => {
  for (const streamMode of ['updates', 'values', 'custom', 'tasks', ['values', 'updates']]) {
    await t.invoke(writing(lg), { text: 'in' }, { ...thread(), streamMode });
  }
});

program('outputKeys narrow values and updates', async (lg, t) => {
  const state = lg.Annotation.Root({ a: lg.Annotation<string>(), b: lg.Annotation<string>() });
  const graph = new lg.StateGraph(state)
    .addNode('n', () => ({ a: '1', b: '2' }))
    .addEdge(lg.START, 'n')
    .compile();
  for (const outputKeys of ['a', ['a'], ['a', 'b']]) {
    await t.stream(graph, { a: '0' }, { outputKeys, streamMode: ['values', 'updates'] });
    await t.invoke(graph, { a: '0' }, { outputKeys });
  }
});

program('what a node sees of its config', async (lg, t) => {
  const graph = new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode(
      'looks',
      (_state, config: LangGraphRunnableConfig) => {
        const { configurable = {}, metadata, tags, context, executionInfo, recursionLimit, signal, store } = config;
        const visible = Object.fromEntries(Object.entries(configurable).filter(([key]) => !key.startsWith('__')));
        t.note('config', { visible, metadata, tags, context, recursionLimit, signal: typeof signal, store });
        t.note('execution', { ...executionInfo, nodeFirstAttemptTime: typeof executionInfo?.nodeFirstAttemptTime });
        t.note('writer', [typeof config.writer, typeof config.interrupt]);
        return {};
      },
      { metadata: { of: 'node' } },
    )
    .addEdge(lg.START, 'looks')
    .compile({ checkpointer: saver() });
  await t.invoke(
    graph,
    { text: 'x' },
    {
      configurable: { thread_id: '1', mine: 1, assistant_id: 'as', graph_id: 'gr' },
      tags: ['t'],
      metadata: { of: 'caller', m: 1 },
      context: { user: 'u' },
      recursionLimit: 9,
    },
  );
  await t.invoke(graph, { text: 'x' }, { configurable: { thread_id: '2', mine: 1 } });
});

program('withConfig binds and merges', async (lg, t) => {
  const graph = new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode('looks', (_state, config: LangGraphRunnableConfig) => {
      const { mine, yours } = config.configurable ?? {};
      t.note('config', {
        mine: mine as unknown,
        yours: yours as unknown,
        metadata: config.metadata,
        tags: config.tags,
      });
      return { text: 'seen' };
    })
    .addEdge(lg.START, 'looks')
    .compile({ checkpointer: saver(), name: 'named' })
    .withConfig({
      configurable: { thread_id: 'bound', mine: 1 },
      tags: ['bound'],
      metadata: { a: 1, b: 1 },
      recursionLimit: 12,
    });
  await t.invoke(graph, { text: 'in' }, { configurable: { yours: 2 }, tags: ['call'], metadata: { b: 2 } });
  await t.state(graph, thread('bound'));
  t.note('name', graph.getName());
});
