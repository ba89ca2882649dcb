// `streamEvents` v1 and v2: LangChain's events of a run.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { langchainEvents as events } from './event-traces.js';
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';

const textState = (lg: Library) => lg.Annotation.Root({ text: lg.Annotation<string>() });

const chain = (lg: Library, options: object = {}) =>
  new lg.StateGraph(textState(lg))
    .addNode('first', () => ({ text: 'first' }))
    .addNode('second', () => ({ text: 'second' }), { metadata: { of: 'second' } })
    .addEdge(lg.START, 'first')
    .addEdge('first', 'second')
    .compile(options);

const chat = (lg: Library, options: object = {}) =>
  new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({
      messages: [await new FakeChatModel({ replies: ['Hello my friend'] }).invoke(messages)],
    }))
    .addEdge(lg.START, 'model')
    .compile(options);

const question = { messages: [new HumanMessage({ id: 'h', content: 'hi' })] };

for (const version of ['v1', 'v2'] as const) {
  program(`${version}: a chain of nodes`, (lg, t) => events(t, chain(lg), { text: '' }, { version }));

  program(`${version}: a model in a node`, (lg, t) => events(t, chat(lg), question, { version }));

  program(`${version}: the run's name, tags, metadata and id`, (lg, t) =>
    events(
      t,
      chain(lg, { checkpointer: saver(), name: 'named' }),
      { text: '' },
      { version, ...thread(), runName: 'my run', tags: ['mine'], metadata: { of: 'caller' } },
    ),
  );
}

program('v2: a router and a branch', (lg, t) => {
  const graph = new lg.StateGraph(textState(lg))
    .addNode('a', () => ({ text: 'a' }))
    .addNode('b', () => ({ text: 'b' }))
    .addConditionalEdges(lg.START, () => 'a')
    .addConditionalEdges('a', function toB() {
      return ['b'];
    })
    .compile();
  return events(t, graph, { text: '' }, { version: 'v2' });
});

program('v2: a command, a send and a node that gives nothing', (lg, t) => {
  const graph = new lg.StateGraph(textState(lg))
    .addNode('a', () => new lg.Command({ update: { text: 'a' }, goto: new lg.Send('b', { text: 'sent' }) }), {
      ends: ['b'],
    })
    .addNode('b', () => undefined as never)
    .addEdge(lg.START, 'a')
    .compile();
  return events(t, graph, { text: '' }, { version: 'v2' });
});

program('v2: a graph below', (lg, t) => {
  const graph = new lg.StateGraph(textState(lg))
    .addNode('inner', chain(lg, { name: 'below' }))
    .addEdge(lg.START, 'inner')
    .compile();
  return events(t, graph, { text: '' }, { version: 'v2' });
});

program('v2: a graph that a node calls', (lg, t) => {
  const below = chain(lg, { name: 'below' });
  const graph = new lg.StateGraph(textState(lg))
    .addNode('calls', async (state) => below.invoke(state))
    .addEdge(lg.START, 'calls')
    .compile();
  return events(t, graph, { text: '' }, { version: 'v2' });
});

program('v2: tools', (lg, t) => {
  const weather = tool(({ of }) => `sunny in ${of}`, {
    name: 'weather',
    description: 'weather',
    schema: z.object({ of: z.string() }),
  });
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('tools', new lg.ToolNode([weather]))
    .addEdge(lg.START, 'tools')
    .compile();
  const call = { name: 'weather', id: 'c', args: { of: 'Oslo' }, type: 'tool_call' as const };
  return events(
    t,
    graph,
    { messages: [new AIMessage({ id: 'a', content: '', tool_calls: [call] })] },
    { version: 'v2' },
  );
});

program('v2: a failure', (lg, t) => {
  const graph = new lg.StateGraph(textState(lg))
    .addNode('fails', () => {
      throw new RangeError('broken');
    })
    .addEdge(lg.START, 'fails')
    .compile();
  return events(t, graph, { text: '' }, { version: 'v2' });
});

program('v2: a question and its answer', async (lg, t) => {
  const graph = new lg.StateGraph(textState(lg))
    .addNode('asks', () => ({ text: lg.interrupt<string, string>('?') }))
    .addEdge(lg.START, 'asks')
    .compile({ checkpointer: saver() });
  await events(t, graph, { text: '' }, { version: 'v2', ...thread() });
  await events(t, graph, new lg.Command({ resume: 'yes' }), { version: 'v2', ...thread() });
});

for (const [name, options] of Object.entries({
  'one mode': { streamMode: 'values' },
  'several modes': { streamMode: ['values', 'updates', 'custom'] },
  'one mode, with graphs below': { streamMode: 'values', subgraphs: true },
  'several modes, with graphs below': { streamMode: ['values', 'tasks'], subgraphs: true },
  messages: { streamMode: 'messages' },
})) {
  program(`v2: with stream modes: ${name}`, async (lg, t) => {
    const graph = new lg.StateGraph(textState(lg))
      .addNode('inner', chain(lg))
      .addNode('writes', (_state, config) => {
        config.writer?.('chunk');
        return {};
      })
      .addEdge(lg.START, 'inner')
      .addEdge('inner', 'writes')
      .compile();
    await events(t, graph, { text: '' }, { version: 'v2', ...options });
    await events(t, chat(lg, { checkpointer: saver() }), question, { version: 'v2', ...thread(), ...options });
  });
}

program('v2: runnables in nodes, custom events', (lg, t) => {
  const graph = new lg.StateGraph(textState(lg))
    .addNode('calls', async ({ text }, config) => {
      await dispatchCustomEvent('mine', { of: 'calls' }, config);
      return RunnableLambda.from((given: string) => `${given}!`)
        .pipe(RunnableLambda.from((given: string) => ({ text: given })))
        .invoke(text);
    })
    .addNode('returns a runnable', () => RunnableLambda.from(() => ({ text: 'by runnable' })) as never)
    .addEdge(lg.START, 'calls')
    .addEdge('calls', 'returns a runnable')
    .compile();
  return events(t, graph, { text: 'in' }, { version: 'v2' });
});

program('v2: filters', async (lg, t) => {
  await events(t, chat(lg), question, { version: 'v2' }, { includeTypes: ['chat_model'] });
  await events(t, chain(lg), { text: '' }, { version: 'v2' }, { includeNames: ['second'] });
  await events(t, chain(lg), { text: '' }, { version: 'v2' }, { excludeTags: ['graph:step:1'] });
});

/** Counts what it is told. */
class Counter extends BaseCallbackHandler {
  override name = 'Counter';
  readonly starts: (string | undefined)[] = [];

  override handleChainStart(...[, , , , , , , name]: Parameters<NonNullable<BaseCallbackHandler['handleChainStart']>>) {
    this.starts.push(name);
  }
}

program('callbacks of the call, of the graph and of a graph below are told once', async (lg, t) => {
  const [given, bound, below] = [new Counter(), new Counter(), new Counter()];
  const graph = new lg.StateGraph(textState(lg))
    .addNode('inner', chain(lg).withConfig({ callbacks: [below] }) as never)
    .addEdge(lg.START, 'inner')
    .compile()
    .withConfig({ callbacks: [bound] });
  await events(t, graph, { text: '' }, { version: 'v2', callbacks: [given] }, { includeNames: ['second'] });
  await awaitAllCallbacks();
  t.note('told', structuredClone([given.starts, bound.starts, below.starts]));
  await t.invoke(graph, { text: '' }, { callbacks: [given] });
  await t.stream(graph, { text: '' }, { callbacks: [given], streamMode: 'messages' });
  await awaitAllCallbacks();
  t.note('told', [given.starts, bound.starts, below.starts]);
});
