// Stream mode `tools`: what tools tell while they run. And all modes as server-sent events.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { program, saver, thread, type Trace } from './harness.js';
import type { Library } from './library.js';

const schema = z.object({ of: z.string() });
const says = tool(({ of }) => `sunny in ${of}`, { name: 'weather', description: 'weather', schema });
const fails = tool(
  () => {
    throw new Error('no such place');
  },
  { name: 'weather', description: 'weather', schema },
);

const calling = (...calls: { name: string; id?: string }[]) =>
  new AIMessage({
    id: 'ai',
    content: '',
    tool_calls: calls.map(({ name, id = `call-${name}` }) => ({ name, id, args: { of: name }, type: 'tool_call' })),
  });

const toolGraph = (lg: Library, tools: StructuredToolInterface[], options: object = {}) =>
  new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('tools', new lg.ToolNode(tools))
    .addEdge(lg.START, 'tools')
    .compile(options);

const once = { messages: [calling({ name: 'weather' })] };

async function inToolsMode(t: Trace, graph: Parameters<Trace['stream']>[0], input: unknown, config: object = {}) {
  await t.stream(graph, input, { ...thread('alone'), ...config, streamMode: 'tools' });
  await t.stream(graph, input, { ...thread('subgraphs'), ...config, streamMode: 'tools', subgraphs: true });
  await t.stream(graph, input, {
    ...thread('with others'),
    ...config,
    streamMode: ['tools', 'updates', 'custom', 'values', 'tasks', 'messages'],
    subgraphs: true,
  });
}

program('a tool starts and ends', (lg, t) => inToolsMode(t, toolGraph(lg, [says]), once));

program('a tool that fails', (lg, t) => inToolsMode(t, toolGraph(lg, [fails]), once));

program('a tool that fails and is not caught', async (lg, t) => {
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('tools', new lg.ToolNode([fails], { handleToolErrors: false }))
    .addEdge(lg.START, 'tools')
    .compile();
  await t.stream(graph, once, { streamMode: ['tools', 'tasks'] });
});

program('a tool that yields on its way', async (lg, t) => {
  const yields = tool(
    async function* ({ of }) {
      yield { looking: of };
      await Promise.resolve();
      yield 'nearly';
      return `sunny in ${of}`;
    },
    { name: 'weather', description: 'weather', schema },
  );
  await inToolsMode(t, toolGraph(lg, [yields as never]), once);
});

program('several calls of one message', (lg, t) => {
  const other = tool(({ of }) => of.length, { name: 'length', description: 'length', schema });
  return inToolsMode(t, toolGraph(lg, [says, other]), {
    messages: [calling({ name: 'weather', id: '1' }, { name: 'length', id: '2' }, { name: 'unknown', id: '3' })],
  });
});

program('a tool that asks has not failed, and starts again', async (lg, t) => {
  const asks = tool(({ of }) => `${of}: ${lg.interrupt<string, string>('really?')}`, {
    name: 'weather',
    description: 'weather',
    schema,
  });
  const graph = toolGraph(lg, [asks], { checkpointer: saver() });
  const config = { ...thread(), streamMode: ['tools', 'updates'] };
  await t.stream(graph, once, config);
  await t.stream(graph, new lg.Command({ resume: 'yes' }), config);
});

program('a tool that a node calls itself', async (lg, t) => {
  const graph = new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode('asks', async (_state, config) => ({ text: await says.invoke({ of: 'Oslo' }, config) }))
    .addNode('asks ambiently', async () => ({ text: await says.invoke({ of: 'Rome' }) }))
    .addNode('asks as a model', async () => ({
      text: JSON.stringify(await says.invoke({ name: 'weather', args: { of: 'Bern' }, id: 'c', type: 'tool_call' })),
    }))
    .addNode('hides', async () => ({ text: await says.invoke({ of: 'Paris' }, { tags: ['langsmith:hidden'] }) }))
    .addNode('renames', async () => ({ text: await says.invoke({ of: 'Lima' }, { runName: 'another' }) }))
    .addEdge(lg.START, 'asks')
    .addEdge('asks', 'asks ambiently')
    .addEdge('asks ambiently', 'asks as a model')
    .addEdge('asks as a model', 'hides')
    .addEdge('hides', 'renames')
    .compile();
  await inToolsMode(t, graph, { text: '' });
});

program('tools in a graph below, and a graph that a tool calls', async (lg, t) => {
  const inner = toolGraph(lg, [says]);
  const delegates = tool(
    async ({ of }) => {
      const { messages } = await inner.invoke({ messages: [calling({ name: 'weather', id: `inner-${of}` })] });
      return messages.at(-1)?.text ?? '';
    },
    { name: 'delegate', description: 'delegates', schema },
  );
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('inner', inner)
    .addNode('outer', new lg.ToolNode([delegates]))
    .addEdge(lg.START, 'inner')
    .addEdge('inner', 'outer')
    .compile();
  await inToolsMode(t, graph, { messages: [calling({ name: 'weather' })] });
  const again = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('outer', new lg.ToolNode([delegates]))
    .addEdge(lg.START, 'outer')
    .compile({ checkpointer: saver() });
  await inToolsMode(t, again, { messages: [calling({ name: 'delegate' })] });
});

program('custom chunks of a tool', async (lg, t) => {
  const writes = tool(
    ({ of }, config: { writer?: ((chunk: unknown) => void) | null }) => {
      config.writer?.({ asked: of });
      return of;
    },
    { name: 'weather', description: 'weather', schema },
  );
  await inToolsMode(t, toolGraph(lg, [writes as never]), once);
});

/** Each event with its data parsed. */
async function events(stream: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const decoder = new TextDecoder();
  const found: unknown[] = [];
  for await (const bytes of stream) {
    const [event = '', data = '', ...rest] = decoder.decode(bytes).split('\n');
    found.push([event, JSON.parse(data.slice('data: '.length)), rest]);
  }
  return found;
}

const ALL = ['values', 'updates', 'messages', 'custom', 'tools', 'tasks', 'checkpoints', 'debug'];

program('every mode as server-sent events', async (lg, t) => {
  const inner = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('model', async ({ messages }, config) => {
      config.writer?.({ custom: 1 });
      return { messages: [await new FakeChatModel({ replies: ['Hi you'] }).invoke(messages)] };
    })
    .addEdge(lg.START, 'model')
    .compile();
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('inner', inner)
    .addNode('tools', new lg.ToolNode([says]))
    .addNode('says', () => ({ messages: [calling({ name: 'weather' })] }))
    .addEdge(lg.START, 'inner')
    .addEdge('inner', 'says')
    .addEdge('says', 'tools')
    .compile({ checkpointer: saver() });
  for (const subgraphs of [false, true]) {
    await t.outcome(`events ${subgraphs}`, async () =>
      events(
        (await graph.stream(
          { messages: [new HumanMessage({ id: 'h', content: 'hi' })] },
          { ...thread(String(subgraphs)), streamMode: ALL as never, subgraphs, encoding: 'text/event-stream' },
        )) as never,
      ),
    );
  }
  await t.outcome('one mode', async () =>
    events(
      (await graph.stream(once, { ...thread('one'), streamMode: 'updates', encoding: 'text/event-stream' })) as never,
    ),
  );
});

program('a failure and a question as server-sent events', async (lg, t) => {
  const graph = new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode('asks', () => ({ text: lg.interrupt<string, string>('name?') }))
    .addNode('fails', () => {
      throw new RangeError('broken');
    })
    .addEdge(lg.START, 'asks')
    .addEdge('asks', 'fails')
    .compile({ checkpointer: saver() });
  const config = { ...thread(), streamMode: ALL as never, encoding: 'text/event-stream' as const };
  await t.outcome('asks', async () => events((await graph.stream({ text: '' }, config)) as never));
  // LangGraph drops what is unread when a run fails; both end with the error.
  await t.outcome('fails', async () =>
    (await events((await graph.stream(new lg.Command({ resume: 'x' }), config)) as never)).at(-1),
  );
  await t.outcome('invoke ignores the encoding', () =>
    graph.invoke({ text: '' }, { ...thread('2'), encoding: 'text/event-stream' } as never),
  );
});
