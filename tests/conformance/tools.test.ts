// ToolNode and toolsCondition.
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import type { ToolRuntime } from '@langchain/core/tools';
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { program, saver, thread, type Trace } from './harness.js';
import type { Library } from './library.js';

const call = (name: string, args: Record<string, unknown> = {}, id: string | undefined = `call-${name}`) =>
  ({ name, args, id, type: 'tool_call' }) as const;
const asks = (...calls: ReturnType<typeof call>[]) => new AIMessage({ id: 'ai', content: '', tool_calls: calls });

const tools = (lg: Library, t?: Trace) => [
  tool(({ x }) => `text ${x}`, { name: 'text', description: 'd', schema: z.object({ x: z.string() }) }),
  tool(() => ({ some: ['json'] }), { name: 'json', description: 'd', schema: z.object({}) }),
  tool(
    () => {
      throw new Error('tool is broken');
    },
    { name: 'fails', description: 'd', schema: z.object({}) },
  ),
  tool(
    (_args, runtime: { toolCallId: string }) =>
      new ToolMessage({ content: 'own', tool_call_id: runtime.toolCallId, name: 'own' }),
    {
      name: 'own',
      description: 'd',
      schema: z.object({}),
    },
  ),
  tool(
    (_args, runtime: { toolCallId: string }) =>
      new lg.Command({
        update: { messages: [new ToolMessage({ content: 'by command', tool_call_id: runtime.toolCallId })] },
      }),
    {
      name: 'command',
      description: 'd',
      schema: z.object({}),
    },
  ),
  tool(
    (_args, runtime: ToolRuntime) => {
      t?.note('runtime', {
        state: runtime.state,
        id: runtime.toolCallId,
        context: runtime.context,
        store: runtime.store,
        writer: typeof runtime.writer,
      });
      runtime.writer?.({ from: 'tool' });
      return 'looked';
    },
    { name: 'looks', description: 'd', schema: z.object({}) },
  ),
];

const graph = (lg: Library, t: Trace, options?: object) =>
  new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('tools', new lg.ToolNode(tools(lg, t), options))
    .addEdge(lg.START, 'tools')
    .compile({ checkpointer: saver() });

program('results of every kind', async (lg, t) => {
  for (const name of ['text', 'json', 'fails', 'own', 'command', 'looks', 'unknown']) {
    t.note('tool', name);
    await t.stream(
      graph(lg, t),
      { messages: [new HumanMessage({ id: 'h', content: 'x' }), asks(call(name, { x: '1' }))] },
      { ...thread(), streamMode: ['values', 'updates', 'custom', 'messages'] },
    );
  }
});

program('several calls at once, some answered, arguments that do not fit', async (lg, t) => {
  await t.invoke(
    graph(lg, t),
    { messages: [asks(call('text', { x: 'a' }, '1'), call('json', {}, '2'), call('text', { x: 5 }, '3'))] },
    thread('1'),
  );
  await t.invoke(
    graph(lg, t),
    {
      messages: [
        asks(call('text', { x: 'a' }, '1'), call('json', {}, '2')),
        new ToolMessage({ id: 't', content: 'done', tool_call_id: '1' }),
      ],
    },
    thread('2'),
  );
  await t.invoke(
    graph(lg, t),
    { messages: [asks(call('text', { x: 'a' }, '1'), call('command', {}, '2'))] },
    thread('3'),
  );
});

program('inputs that it cannot take', async (lg, t) => {
  const node = new lg.ToolNode(tools(lg));
  for (const input of [
    {},
    { messages: 'x' },
    [],
    { messages: [] },
    [new HumanMessage('x')],
    null,
    { messages: [new AIMessage('no calls')] },
  ]) {
    await t.outcome(JSON.stringify(input), () => node.invoke(input));
  }
});

program('a list of messages in, a list out', async (lg, t) => {
  const node = new lg.ToolNode(tools(lg));
  await t.outcome('plain', () => node.invoke([asks(call('text', { x: 'a' }))]));
  await t.outcome('with a Command', () => node.invoke([asks(call('text', { x: 'a' }), call('command'))]));
});

program('a call sent to a task of its own', async (lg, t) => {
  const node = new lg.ToolNode(tools(lg, t));
  await t.outcome('send', () => node.invoke({ lg_tool_call: call('looks'), other: 'state' }));
});

program('errors that are not handled', async (lg, t) => {
  await t.invoke(graph(lg, t, { handleToolErrors: false }), { messages: [asks(call('fails'))] }, thread());
  await t.invoke(graph(lg, t, { handleToolErrors: false }), { messages: [asks(call('unknown'))] }, thread('2'));
});

program('Sends to the parent are merged', async (lg, t) => {
  const away = tool(
    (_args, runtime: { toolCallId: string }) =>
      new lg.Command({ graph: lg.Command.PARENT, goto: [new lg.Send('work', { id: runtime.toolCallId })] }),
    {
      name: 'away',
      description: 'd',
      schema: z.object({}),
    },
  );
  const node = new lg.ToolNode([away, ...tools(lg)]);
  await t.outcome('merged', () =>
    node.invoke({ messages: [asks(call('away', {}, '1'), call('json', {}, '2'), call('away', {}, '3'))] }),
  );
});

program('toolsCondition', (lg, t) => {
  t.note('calls', lg.toolsCondition({ messages: [asks(call('text'))] }));
  t.note('none', lg.toolsCondition({ messages: [new AIMessage('x')] }));
  t.note('human', lg.toolsCondition([new HumanMessage('x')]));
  t.note('list', lg.toolsCondition([asks(call('text'))]));
  t.note('empty', lg.toolsCondition([]));
});

const agent = (lg: Library) => {
  const danger = tool(
    ({ target }) => {
      const verdict = lg.interrupt({ ask: `delete ${target}?` });
      return verdict === 'approve' ? `deleted ${target}` : `refused: ${JSON.stringify(verdict)}`;
    },
    { name: 'delete', description: 'd', schema: z.object({ target: z.string() }) },
  );
  const safe = tool(() => 'looked', { name: 'look', description: 'd', schema: z.object({}) });
  const model = new FakeChatModel({
    replies: [
      {
        text: 'let me see ',
        toolCalls: [
          { name: 'look', args: {} },
          { name: 'delete', args: { target: 'x' } },
        ],
      },
      'all done now',
    ],
  });
  return new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new lg.ToolNode([danger, safe]))
    .addEdge(lg.START, 'agent')
    .addConditionalEdges('agent', lg.toolsCondition)
    .addEdge('tools', 'agent')
    .compile({ checkpointer: saver() });
};

program('an agent whose dangerous tool asks first', async (lg, t) => {
  for (const resume of ['approve', { reject: 'too dangerous' }]) {
    const graph = agent(lg);
    const config = { ...thread(), streamMode: ['values', 'updates', 'messages'] };
    await t.stream(graph, { messages: [new HumanMessage({ id: 'h', content: 'clean up' })] }, config);
    await t.state(graph, thread());
    await t.stream(graph, new lg.Command({ resume }), config);
    await t.state(graph, thread());
  }
});

program('an agent in every mode', async (lg, t) => {
  await t.everyMode(agent(lg), { messages: [new HumanMessage({ id: 'h', content: 'clean up' })] });
});
