// `streamEvents` v3: the events of a run, and the views of them.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { protocolEvents as events, untimed } from './event-traces.js';
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';

interface RunStream extends AsyncIterable<Event> {
  readonly values: AsyncIterable<unknown> & PromiseLike<unknown>;
  readonly output: Promise<unknown>;
  readonly messages: AsyncIterable<Message>;
  messagesFrom(node: string): AsyncIterable<Message>;
  readonly subgraphs: AsyncIterable<RunStream & { name: string; index: number }>;
  readonly lifecycle: AsyncIterable<{ timestamp: number }>;
  readonly path: unknown;
  readonly interrupted: boolean;
  readonly interrupts: unknown;
  readonly extensions: Record<string, unknown>;
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

interface Event {
  readonly params: { readonly timestamp: number };
}

interface Message extends AsyncIterable<unknown> {
  readonly node: string;
  readonly namespace: unknown;
  readonly text: PromiseLike<string>;
  readonly output: PromiseLike<unknown>;
}

const run = (graph: unknown, input: unknown, options: object = {}): Promise<RunStream> =>
  (graph as { streamEvents(input: unknown, options: object): Promise<RunStream> }).streamEvents(input, {
    version: 'v3',
    ...options,
  });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

const textState = (lg: Library) => lg.Annotation.Root({ text: lg.Annotation<string>() });

const chain = (lg: Library, options: object = {}) =>
  new lg.StateGraph(textState(lg))
    .addNode('first', (_state, config) => {
      config.writer?.({ plain: 1 });
      config.writer?.({ name: 'named', of: 1 });
      config.writer?.('text');
      return { text: 'first' };
    })
    .addNode('second', () => ({ text: 'second' }))
    .addEdge(lg.START, 'first')
    .addEdge('first', 'second')
    .compile(options);

const nested = (lg: Library, options: object = {}) =>
  new lg.StateGraph(textState(lg))
    .addNode('inner', chain(lg))
    .addNode('calls', async (state) => chain(lg).invoke(state))
    .addEdge(lg.START, 'inner')
    .addEdge('inner', 'calls')
    .compile(options);

const says = (...replies: string[]) => new FakeChatModel({ replies });
const question = { messages: [new HumanMessage({ id: 'h', content: 'hi' })] };

const chat = (lg: Library) =>
  new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await says('Hello my friend').invoke(messages)] }))
    .addNode('other', () => ({ messages: [new AIMessage({ id: 'whole', content: 'a whole message' })] }))
    .addEdge(lg.START, 'model')
    .addEdge('model', 'other')
    .compile();

program('a chain without memory', (lg, t) => events(t, chain(lg), { text: '' }));

program('a chain with memory', (lg, t) => events(t, chain(lg, { checkpointer: saver() }), { text: '' }, thread()));

program('graphs below', (lg, t) => events(t, nested(lg, { checkpointer: saver() }), { text: '' }, thread()));

program('models and whole messages', (lg, t) => events(t, chat(lg), question));

program('a pushed message', (lg, t) =>
  events(
    t,
    new lg.StateGraph(lg.MessagesAnnotation)
      .addNode('pushes', () => {
        lg.pushMessage(new AIMessage({ id: 'p', content: 'pushed' }));
        return {};
      })
      .addEdge(lg.START, 'pushes')
      .compile(),
    question,
  ),
);

program('tools', (lg, t) => {
  const schema = z.object({ of: z.string() });
  const works = tool(({ of }) => `sunny in ${of}`, { name: 'works', description: 'works', schema });
  const fails = tool(
    () => {
      throw new Error('no');
    },
    { name: 'fails', description: 'fails', schema },
  );
  const call = (name: string) => ({ name, id: `c-${name}`, args: { of: 'Oslo' }, type: 'tool_call' as const });
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('tools', new lg.ToolNode([works, fails]))
    .addEdge(lg.START, 'tools')
    .compile();
  const asks = (name: string) => ({ messages: [new AIMessage({ id: 'a', content: '', tool_calls: [call(name)] })] });
  return events(t, graph, asks('works')).then(() => events(t, graph, asks('fails')));
});

program('a question and its answer', async (lg, t) => {
  const inner = new lg.StateGraph(textState(lg))
    .addNode('asks', () => ({ text: lg.interrupt<string, string>('?') }))
    .addEdge(lg.START, 'asks')
    .compile();
  const graph = new lg.StateGraph(textState(lg))
    .addNode('inner', inner)
    .addEdge(lg.START, 'inner')
    .compile({ checkpointer: saver() });
  await events(t, graph, { text: '' }, thread());
  await events(t, graph, new lg.Command({ resume: 'yes' }), thread());
});

program('breakpoints', async (lg, t) => {
  const graph = chain(lg, { checkpointer: saver(), interruptBefore: ['second'] });
  await events(t, graph, { text: '' }, thread());
  await events(t, graph, null, thread());
});

program('a failure', async (lg, t) => {
  const inner = new lg.StateGraph(textState(lg))
    .addNode('fails', async () => {
      // LangGraph drops what is unread when a run fails.
      await new Promise((resolve) => setImmediate(resolve));
      throw new RangeError('broken');
    })
    .addEdge(lg.START, 'fails')
    .compile();
  const graph = new lg.StateGraph(textState(lg)).addNode('inner', inner).addEdge(lg.START, 'inner').compile();
  const stream = await run(graph, { text: '' });
  const statuses: object[] = [];
  await t.outcome('lifecycle', async () => {
    for await (const entry of stream.lifecycle) statuses.push(untimed(entry));
  });
  t.note('statuses', statuses);
  await t.outcome('output', () => stream.output);
  await t.outcome('values', () => stream.values);
  await t.outcome('messages', () => all(stream.messages));
  await t.outcome('subgraphs', () => all(stream.subgraphs));
});

program('values, output, and the last value', async (lg, t) => {
  const stream = await run(nested(lg), { text: '' });
  t.note('each', await all(stream.values));
  t.note('again', await all(stream.values));
  t.note('last', await stream.values);
  t.note('output', await stream.output);
  t.note('path', stream.path);
  t.note('extensions', stream.extensions);
});

program('messages, each as a stream', async (lg, t) => {
  const stream = await run(chat(lg), question);
  const late = all(stream.messagesFrom('model'));
  for await (const message of stream.messages) {
    t.note('of', [message.node, message.namespace]);
    t.note('events', await all(message));
    t.note('text', await message.text);
    t.note('whole', await message.output);
  }
  t.note('from model', (await late).length);
  t.note('from nobody', (await all(stream.messagesFrom('nobody'))).length);
});

program('graphs below as streams of their own', async (lg, t) => {
  const stream = await run(nested(lg), { text: '' });
  for await (const below of stream.subgraphs) {
    t.note('below', [below.name, below.index, below.path]);
    t.note('values', await all(below.values));
    t.note('output', await below.output);
    t.note('lifecycle', (await all(below.lifecycle)).map(untimed));
    t.note('events', (await all(below)).length);
    t.note('subgraphs', (await all(below.subgraphs)).length);
  }
  t.note('lifecycle', (await all(stream.lifecycle)).map(untimed));
});

program('messages of graphs below', async (lg, t) => {
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('inner', chat(lg))
    .addEdge(lg.START, 'inner')
    .compile();
  const stream = await run(graph, question);
  for await (const below of stream.subgraphs) {
    for await (const message of below.messages) t.note('below', [message.node, await message.text]);
  }
  t.note('root', (await all(stream.messages)).length);
});

program('as server-sent events', async (lg, t) => {
  const bytes = (await run(nested(lg), { text: '' }, { encoding: 'text/event-stream' })) as unknown;
  const decoder = new TextDecoder();
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    const [event = '', data = ''] = decoder.decode(chunk).split('\n');
    t.note(event, JSON.parse(data.slice('data: '.length)));
  }
});
