// `createAgent` of `langchain`: what it takes besides middleware, and what it streams.
import { createAgent, createMiddleware, providerStrategy, tool, toolStrategy, type ToolRuntime } from 'langchain';
import {
  getStore,
  getWriter,
  InMemoryStore,
  interrupt,
  Command,
  StateSchema,
  ReducedValue,
} from '@langchain/langgraph';
import { HumanMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { FakeChatModel, type ScriptedReply } from '../../fixtures/fake-chat-model.js';
import { conversation, events, human, last, results, saver, type AgentPrograms } from './agent-program.js';

const Answer = z.object({ city: z.string(), degrees: z.number() });
const Refusal = z.object({ reason: z.string() });

const look = tool(() => '21 degrees', { name: 'look', description: 'Looks.', schema: z.object({}) });

const replies = (...script: (string | ScriptedReply)[]) => new FakeChatModel({ replies: script });
const extract = (name: string, args: object) => ({ toolCalls: [{ name, args: { ...args } }] });

export const programs: AgentPrograms = {
  'structured output by a tool': async (t) => {
    const answered = { city: 'Ulm', degrees: 21 };
    const strategies = {
      one: toolStrategy(Answer, { toolMessageContent: 'understood' }),
      'one of two': toolStrategy([Answer, Refusal]),
      'errors not handled': toolStrategy(Answer, { handleError: false }),
    };
    for (const [kind, responseFormat] of Object.entries(strategies)) {
      const name = (responseFormat as readonly { name: string }[])[0]?.name ?? 'extract-1';
      for (const [how, script] of Object.entries({
        fits: [extract('look', {}), extract(name, answered)],
        'does not fit at first': [extract(name, { city: 1 }), extract(name, answered)],
        twice: [
          {
            toolCalls: [
              { name, args: answered },
              { name, args: answered },
            ],
          },
          extract(name, answered),
        ],
      })) {
        t.note(kind, how);
        const agent = createAgent({
          model: replies(...script),
          tools: [look],
          responseFormat: responseFormat as typeof strategies.one,
          checkpointer: saver(),
        });
        await conversation(t, agent, [human('Ulm?')]);
        await results(t, agent, [human('Ulm?')]);
      }
    }
  },

  'structured output by the provider': async (t) => {
    const agent = createAgent({
      model: replies(extract('look', {}), '{"city":"Ulm","degrees":21}', 'no JSON'),
      tools: [look],
      responseFormat: providerStrategy(Answer),
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('Ulm?'), human('and now?')]);
    await events(t, agent, [human('Ulm?')]);
  },

  'a state of its own, as zod and as a StateSchema': async (t) => {
    const fields = {
      zod: z.object({ visits: z.number().default(0), mood: z.string().optional() }),
      schema: new StateSchema({
        visits: new ReducedValue(z.number().default(0), {
          inputSchema: z.number(),
          reducer: (a: number, b: number) => a + b,
        }),
        mood: z.string().optional(),
      }),
    };
    for (const stateSchema of Object.values(fields)) {
      const agent = createAgent({
        model: replies('Hello.'),
        tools: [],
        stateSchema: stateSchema as typeof fields.zod,
        middleware: [
          createMiddleware({
            name: 'Visits',
            stateSchema: stateSchema as typeof fields.zod,
            beforeModel: ({ visits }) => ({ visits: visits + 1 }),
          }),
        ],
        checkpointer: saver(),
      });
      await conversation(t, agent, [
        { ...human('hi'), mood: 'good' },
        { ...human('hi'), visits: 5 },
        { ...human('hi'), mood: 3 },
      ]);
    }
  },

  'tools with context, store, state and a writer': async (t) => {
    const note = tool(
      async ({ text }, runtime: ToolRuntime) => {
        const { user } = runtime.context as { user: string };
        const store = getStore();
        await store?.put(['notes', user], text, { text });
        runtime.writer?.({ noting: text });
        getWriter()?.({ also: text });
        const items = await store?.search(['notes', user]);
        const { messages } = runtime.state as { messages: unknown[] };
        return `${items?.length} notes, ${messages.length} messages, ${runtime.toolCallId}`;
      },
      { name: 'note', description: 'Notes.', schema: z.object({ text: z.string() }) },
    );
    const store = new InMemoryStore();
    const agent = createAgent({
      model: new FakeChatModel({
        replies: (messages) =>
          last(messages)?.getType() === 'human'
            ? { toolCalls: [{ name: 'note', args: { text: last(messages)?.text ?? '' } }] }
            : `Noted: ${last(messages)?.text}`,
      }),
      tools: [note],
      contextSchema: z.object({ user: z.string() }),
      store: store,
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('a'), human('b')], { context: { user: 'ada' } });
    t.note(
      'stored',
      (await store.search(['notes', 'ada'])).map(({ key, value }) => [key, value]),
    );
  },

  'tools that stream, that ask, and that end the run': async (t) => {
    const streams = tool(
      async function* () {
        yield { part: 1 };
        yield { part: 2 };
        return 'all parts';
      },
      { name: 'streams', description: 'Streams.', schema: z.object({}) },
    );
    const asks = tool(() => `answered ${interrupt('sure?')}`, {
      name: 'asks',
      description: 'Asks.',
      schema: z.object({}),
    });
    const ends = tool(() => 'the end', {
      name: 'ends',
      description: 'Ends.',
      schema: z.object({}),
      returnDirect: true,
    });
    const agent = createAgent({
      model: new FakeChatModel({
        replies: (messages) =>
          last(messages)?.getType() === 'human'
            ? { toolCalls: (last(messages)?.text ?? '').split(' ').map((name) => ({ name, args: {} })) }
            : 'Done.',
      }),
      tools: [streams, asks, ends],
      checkpointer: saver(),
    });
    const yes = new Command({ resume: 'yes' });
    await conversation(t, agent, [human('streams'), human('asks'), yes, human('ends'), human('ends asks'), yes]);
    await events(t, agent, [human('streams'), human('asks'), yes, human('ends')]);
  },

  'an agent as a tool of another, by versions of tools': async (t) => {
    for (const version of ['v1', 'v2'] as const) {
      const inner = createAgent({
        name: 'inner',
        model: replies(extract('look', {}), '21 within.'),
        tools: [look],
        version,
      });
      const ask = tool(
        async ({ question }) => {
          const { messages } = await inner.invoke({ messages: [new HumanMessage({ content: question, id: 'asked' })] });
          return messages.at(-1)?.text ?? '';
        },
        { name: 'ask', description: 'Asks.', schema: z.object({ question: z.string() }) },
      );
      const outer = createAgent({
        name: 'outer',
        model: replies(extract('ask', { question: 'how warm?' }), 'It is 21 degrees.'),
        tools: [ask],
        version,
        includeAgentName: 'inline',
        checkpointer: saver(),
      });
      await conversation(t, outer, [human('Ulm?')]);
      await events(t, outer, [human('Ulm?')]);
    }
  },

  'breakpoints, bound configs and other calls': async (t) => {
    const agent = createAgent({
      model: replies(extract('look', {}), 'Done.'),
      tools: [look],
      checkpointer: saver(),
    });
    const bound = agent.withConfig({ metadata: { of: 'caller' }, recursionLimit: 10 });
    await conversation(t, bound, [human('go')]);
    await conversation(t, agent, [human('go'), null, null], {
      interruptBefore: ['tools'],
      configurable: { thread_id: 'breakpoints' },
    });
    await results(t, agent, [human('go')], { recursionLimit: 2 });
    await results(t, agent, ['nonsense', null, {}], { configurable: { thread_id: 'nonsense' } });
    t.note('graph', agent.graph.getName());
    t.note('drawing', await agent.drawMermaid());
  },
};
