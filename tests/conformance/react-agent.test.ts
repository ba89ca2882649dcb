// createReactAgent, and what belongs to it.
import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool, type ToolRuntime } from '@langchain/core/tools';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import { FakeChatModel, type FakeChatModelFields, type ScriptedReply } from '../fixtures/fake-chat-model.js';
import { program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';

const human = (content: string) => ({ messages: [new HumanMessage({ id: content, content })] });
const model = (replies: FakeChatModelFields['replies']): FakeChatModel => new FakeChatModel({ replies });
/** Says what it was told. */
const parrot = (): FakeChatModel =>
  model((messages) => messages.map((message) => `${message.getType()}(${message.text})`).join(' '));

const double = tool(({ x }) => String(x * 2), {
  name: 'double',
  description: 'd',
  schema: z.object({ x: z.number() }),
});
const shout = tool(({ text }) => text.toUpperCase(), {
  name: 'shout',
  description: 'd',
  schema: z.object({ text: z.string() }),
});
const doubles: ScriptedReply = { text: 'well ', toolCalls: [{ name: 'double', args: { x: 2 } }] };
const both: ScriptedReply = {
  toolCalls: [
    { name: 'double', args: { x: 2 } },
    { name: 'shout', args: { text: 'hey' } },
  ],
};

/** Streams and state of an agent over one question. */
async function everything(t: Trace, agent: Graph): Promise<void> {
  await t.everyMode(agent, human('q'));
  await t.state(agent, thread('values'));
  await t.history(agent, thread('values'));
}

for (const version of ['v1', 'v2'] as const) {
  program(`${version}: calls tools until the model asks for none`, async (lg, t) => {
    const agent = lg.createReactAgent({
      llm: model([both, doubles, 'done']),
      tools: [double, shout],
      checkpointer: saver(),
      version,
    });
    await everything(t, agent as Graph);
  });

  program(`${version}: a tool that asks a person`, async (lg, t) => {
    const ask = tool(({ what }) => `answer: ${JSON.stringify(lg.interrupt({ what }))}`, {
      name: 'ask',
      description: 'd',
      schema: z.object({ what: z.string() }),
    });
    const agent = lg.createReactAgent({
      llm: model([
        {
          toolCalls: [
            { name: 'ask', args: { what: 'a' } },
            { name: 'double', args: { x: 1 } },
          ],
        },
        'done',
      ]),
      tools: [ask, double],
      checkpointer: saver(),
      version,
    }) as Graph;
    await t.stream(agent, human('q'), { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
    await t.state(agent, thread());
    await t.stream(agent, new lg.Command({ resume: 'yes' }), {
      ...thread(),
      streamMode: ['values', 'updates', 'tasks'],
    });
    await t.history(agent, thread());
  });

  program(`${version}: hooks, and a response in a form`, async (lg, t) => {
    const agent = lg.createReactAgent({
      llm: model((messages) => {
        if (messages[0]?.text === 'Give the form.') return { toolCalls: [{ name: 'extract', args: { sum: 4 } }] };
        return messages.at(-1)?.getType() === 'tool' ? 'it is 4' : doubles;
      }),
      tools: [double],
      preModelHook: (state) => ({ llmInputMessages: [new SystemMessage('hooked'), ...state.messages] }),
      postModelHook: (state) => {
        t.note('post', state.messages.length);
        return {};
      },
      responseFormat: { prompt: 'Give the form.', schema: z.object({ sum: z.number() }) },
      checkpointer: saver(),
      version,
    }) as Graph;
    await everything(t, agent);
  });

  program(`${version}: a hook after the model answers calls itself`, async (lg, t) => {
    const agent = lg.createReactAgent({
      llm: model([both, 'after one', 'end']),
      tools: [double, shout],
      postModelHook: ({ messages }) => {
        const asking = messages.at(-1) as AIMessage;
        const call = asking.tool_calls?.[0];
        if (call?.id === undefined) return {};
        const all = messages.length > 3 ? (asking.tool_calls ?? []) : [call];
        return { messages: all.map(({ id = '' }) => new ToolMessage({ id, content: 'by hook', tool_call_id: id })) };
      },
      version,
    }) as Graph;
    await t.stream(agent, human('q'), { streamMode: ['updates', 'tasks'] });
    const allAnswered = lg.createReactAgent({
      llm: model([doubles, 'end']),
      tools: [double],
      postModelHook: ({ messages }) => ({
        messages: ((messages.at(-1) as AIMessage).tool_calls ?? []).map(
          ({ id = '' }) => new ToolMessage({ id, content: 'by hook', tool_call_id: id }),
        ),
      }),
      version,
    }) as Graph;
    await t.stream(allAnswered, human('q'), { streamMode: ['updates', 'tasks'] });
  });
}

program('a prompt in each form', async (lg, t) => {
  const say = (text: string) => [new SystemMessage(text)];
  type State = { messages: BaseMessage[] };
  const forms: object[] = [
    {},
    { prompt: 'text' },
    { prompt: new SystemMessage('message') },
    { prompt: (state: State) => [...say(`function of ${state.messages.length}`), ...state.messages] },
    { prompt: async ({ messages }: State) => [...say('async'), ...messages] },
    { prompt: RunnableLambda.from(({ messages }: State) => [...say('runnable'), ...messages]) },
    { stateModifier: 'state modifier' },
    { stateModifier: ({ messages }: State) => [...say('of state'), ...messages] },
    { messageModifier: 'message modifier' },
    { messageModifier: new SystemMessage('modifier message') },
    { messageModifier: (messages: BaseMessage[]) => [...say('of messages'), ...messages] },
    { messageModifier: RunnableLambda.from((messages: BaseMessage[]) => [...say('runnable too'), ...messages]) },
  ];
  for (const form of forms)
    await t.invoke(lg.createReactAgent({ llm: parrot(), tools: [], ...form }) as Graph, human('q'));
});

program('parameters that it cannot take', async (lg, t) => {
  const make = (label: string, params: object): Promise<void> =>
    t.outcome(label, async () => {
      const agent = lg.createReactAgent({ llm: parrot(), tools: [double], ...params }) as Graph;
      return agent.invoke(human('q'));
    });
  await make('two prompts', { prompt: 'a', stateModifier: 'b' });
  await make('a number as prompt', { prompt: 5 });
  await make('a number as modifier', { messageModifier: 5 });
  await make('no messages', { stateSchema: lg.Annotation.Root({ text: lg.Annotation<string>() }) });
  await make('other tools bound', {
    llm: parrot().withConfig({ tools: [{ type: 'function', function: { name: 'other' } }] } as object),
  });
  await make('fewer tools bound', { llm: parrot().withConfig({ tools: [] } as object) });
  await make('no model', { llm: RunnableLambda.from(() => new AIMessage('x')) });
});

program('tools that are bound already, a chain around the model, a ToolNode, tools of the provider', async (lg, t) => {
  const bound = model([doubles, 'end']).withConfig({
    tools: [{ type: 'function', function: { name: 'double', parameters: {} } }],
  } as object);
  await t.invoke(lg.createReactAgent({ llm: bound, tools: [double] }) as Graph, human('q'));
  const chain = RunnableLambda.from((messages: BaseMessage[]) => messages).pipe(model([doubles, 'end']));
  await t.invoke(lg.createReactAgent({ llm: chain as never, tools: [double] }) as Graph, human('q'));
  const node = new lg.ToolNode([double]);
  await t.invoke(lg.createReactAgent({ llm: model([doubles, 'end']), tools: node }) as Graph, human('q'));
  const provider = { type: 'web_search' };
  await t.invoke(lg.createReactAgent({ llm: model([doubles, 'end']), tools: [double, provider] }) as Graph, human('q'));
});

program('a state and a context of its own, and a model chosen by them', async (lg, t) => {
  const State = lg.Annotation.Root({ ...lg.MessagesAnnotation.spec, mood: lg.Annotation<string>() });
  const look = tool(
    (_args, runtime: ToolRuntime) => {
      t.note('runtime', { state: runtime.state, context: runtime.context, id: runtime.toolCallId });
      return new lg.Command({
        update: { mood: 'seen', messages: [new ToolMessage({ content: 'ok', tool_call_id: runtime.toolCallId })] },
      });
    },
    { name: 'look', description: 'd', schema: z.object({}) },
  );
  const agent = lg.createReactAgent({
    llm: (state, runtime) => {
      t.note('chosen by', { mood: state.mood, context: runtime.context });
      return model([{ toolCalls: [{ name: 'look', args: {} }] }, `mood ${state.mood}`]);
    },
    tools: [look],
    stateSchema: State,
    contextSchema: z.object({ user: z.string() }),
    prompt: (state) => [new SystemMessage(`mood: ${(state as typeof State.State).mood}`), ...state.messages],
  }) as Graph;
  await t.stream(
    agent,
    { ...human('q'), mood: 'fine' },
    { context: { user: 'ada' }, streamMode: ['values', 'updates'] },
  );
  await t.invoke(agent, human('q'), { context: { user: 5 } });
});

program('a zod state', async (lg, t) => {
  const State = z.object({ messages: lg.MessagesZodState.shape.messages, count: z.number().default(0) });
  const agent = lg.createReactAgent({
    llm: model([doubles, 'end']),
    tools: [double],
    stateSchema: State,
    preModelHook: ({ count }: { count: number }) => ({ count: count + 1 }),
  } as never) as Graph;
  await t.stream(agent, human('q'), { streamMode: ['values', 'updates', 'tasks'] });
});

program('a hook that shortens what is kept', async (lg, t) => {
  const agent = lg.createReactAgent({
    llm: parrot(),
    tools: [],
    preModelHook: ({ messages }) => ({
      messages: [new RemoveMessage({ id: lg.REMOVE_ALL_MESSAGES }), ...messages.slice(-1)],
    }),
    checkpointer: saver(),
  }) as Graph;
  for (const text of ['one', 'two', 'three']) await t.invoke(agent, human(text), thread());
});

program('a tool whose answer ends the run', async (lg, t) => {
  const direct = tool(() => 'the end', { name: 'direct', description: 'd', schema: z.object({}), returnDirect: true });
  const agent = lg.createReactAgent({
    llm: model([
      doubles,
      {
        toolCalls: [
          { name: 'double', args: { x: 1 } },
          { name: 'direct', args: {} },
        ],
      },
      'not said',
    ]),
    tools: [double, direct],
  }) as Graph;
  await t.stream(agent, human('q'), { streamMode: ['updates'] });
});

program('breakpoints before and after its nodes', async (lg, t) => {
  for (const at of [{ interruptBefore: ['tools' as const] }, { interruptAfter: ['agent' as const] }]) {
    const agent = lg.createReactAgent({
      llm: model([doubles, 'end']),
      tools: [double],
      checkpointer: saver(),
      ...at,
    }) as Graph;
    await t.stream(agent, human('q'), { ...thread(), streamMode: ['values', 'updates'] });
    await t.state(agent, thread());
    await t.stream(agent, null, { ...thread(), streamMode: ['values', 'updates'] });
    await t.stream(agent, null, { ...thread(), streamMode: ['values', 'updates'] });
  }
});

program('a name, shown to the model within the text', async (lg, t) => {
  const agent = lg.createReactAgent({ llm: parrot(), tools: [], name: 'ada', includeAgentName: 'inline' }) as Graph;
  const said = [
    new AIMessage({ id: '1', content: 'text', name: 'bob' }),
    new AIMessage({ id: '2', content: [{ type: 'text', text: 'block' }], name: 'bob' }),
    new AIMessage({ id: '3', content: [{ type: 'image_url', image_url: 'x' }], name: 'bob' }),
    new AIMessage({ id: '4', content: 'nameless' }),
    new HumanMessage({ id: '5', content: 'person', name: 'eve' }),
  ];
  await t.invoke(agent, { messages: said });
  for (const content of [
    '<name>bob</name><content>hi</content>',
    '<name>bob</name>hi',
    'hi',
    [
      { type: 'text', text: '<name>bob</name><content>hi</content>' },
      { type: 'text', text: '<name>bob</name>' },
      { type: 'text', text: 'left' },
      { type: 'image_url', image_url: 'x' },
    ],
  ]) {
    const speaker = RunnableLambda.from(() => new AIMessage({ id: 'm', content: content as never }));
    await t.outcome('untagged', () => lg.withAgentName(speaker as never, 'inline').invoke('x'));
  }
  await t.outcome('another mode', () => lg.withAgentName(parrot(), 'outline' as never));
});

program('a store, and an agent as a node of another graph', async (lg, t) => {
  const remember = tool(
    async ({ what }, runtime: ToolRuntime) => {
      await (runtime.store as unknown as InMemoryStore).put(['notes'], what, { kept: true });
      return 'kept';
    },
    { name: 'remember', description: 'd', schema: z.object({ what: z.string() }) },
  );
  const store = new InMemoryStore();
  const agent = lg.createReactAgent({
    llm: model([{ toolCalls: [{ name: 'remember', args: { what: 'tea' } }] }, 'noted']),
    tools: [remember],
    name: 'keeper',
    store,
  });
  const outer = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('keeper', agent as never)
    .addEdge(lg.START, 'keeper')
    .compile({ checkpointer: saver(), store }) as unknown as Graph;
  await everything(t, outer);
  t.note('stored', await store.search(['notes']).then((items) => items.map(({ key, value }) => ({ key, value }))));
});

program('drawings', async (lg, t) => {
  const draw = async (params: object): Promise<void> => {
    const agent = lg.createReactAgent({ llm: parrot(), tools: [double], ...params });
    t.note(Object.keys(params).join(), (await agent.getGraphAsync()).drawMermaid());
  };
  const hook = () => ({});
  await draw({});
  await draw({ version: 'v2' });
  await draw({ responseFormat: z.object({ a: z.string() }) });
  await draw({ preModelHook: hook });
  await draw({ postModelHook: hook });
  await draw({ preModelHook: hook, postModelHook: hook, responseFormat: z.object({ a: z.string() }) });
  await draw({ tools: [tool(() => 'x', { name: 'd', description: 'd', schema: z.object({}), returnDirect: true })] });
});

program('its annotation', async (lg: Library, t) => {
  const Root = lg.createReactAgentAnnotation();
  const graph = new lg.StateGraph(Root)
    .addNode('a', () => ({ messages: [new AIMessage({ id: 'a', content: 'a' })], structuredResponse: { x: 1 } }))
    .addEdge(lg.START, 'a')
    .compile() as unknown as Graph;
  await t.invoke(graph, human('q'));
});
