// `createAgent` of `langchain`, with middleware of each hook.
import { createAgent, createMiddleware, tool } from 'langchain';
import { Command, interrupt } from '@langchain/langgraph';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { FakeChatModel, type ScriptedToolCall } from '../../fixtures/fake-chat-model.js';
import { conversation, events, human, last, results, saver, type AgentPrograms } from './agent-program.js';

const weather = tool(({ city }) => `Sunny in ${city}.`, {
  name: 'weather',
  description: 'The weather of a city.',
  schema: z.object({ city: z.string() }),
});

const asksWeather = () =>
  new FakeChatModel({
    replies: (messages) =>
      last(messages)?.getType() === 'human'
        ? { text: 'Let me see. ', toolCalls: [{ name: 'weather', args: { city: last(messages)?.text ?? '' } }] }
        : `It says: ${last(messages)?.text}`,
  });

const everyHook = createMiddleware({
  name: 'Everything',
  stateSchema: z.object({ log: z.array(z.string()).default([]), _private: z.number().optional() }),
  beforeAgent: (state) => ({ log: [...state.log, 'before agent'], _private: 1 }),
  beforeModel: (state) => ({ log: [...state.log, `before model: ${state.messages.length}`] }),
  wrapModelCall: async (request, handler) => {
    const answer = await handler({ ...request, systemPrompt: 'Be brief.' });
    return answer;
  },
  wrapToolCall: async (request, handler) => {
    const answer = await handler(request);
    request.runtime.writer?.({ called: request.toolCall.name });
    return answer;
  },
  afterModel: (state) => ({ log: [...state.log, `after model: ${state.messages.length}`] }),
  afterAgent: (state) => ({ log: [...state.log, `after agent: ${state._private}`] }),
});

/** Goes to `to` when the last message has `word` in it. */
const jumping = (hook: 'beforeAgent' | 'beforeModel' | 'afterModel', word: string, to: 'end' | 'model' | 'tools') =>
  createMiddleware({
    name: `Jump from ${hook} to ${to}`,
    [hook]: {
      canJumpTo: [to],
      hook: ({ messages }: { messages: { text: string }[] }) =>
        messages.at(-1)?.text.includes(word)
          ? {
              jumpTo: to,
              messages:
                to === 'tools'
                  ? [
                      new AIMessage({
                        content: '',
                        tool_calls: [{ name: 'weather', args: { city: 'Bern' }, id: 'jump' }],
                      }),
                    ]
                  : [new AIMessage(`jumped to ${to}`)],
            }
          : undefined,
    },
  });

export const programs: AgentPrograms = {
  'middleware with every hook': async (t) => {
    const agent = createAgent({
      model: asksWeather(),
      tools: [weather],
      middleware: [everyHook],
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('Ulm'), human('Bern')]);
    await events(t, agent, [human('Ulm')]);
    t.note('drawing', await agent.drawMermaid());
  },

  'middleware that jumps': async (t) => {
    for (const middleware of [
      jumping('beforeAgent', 'stop', 'end'),
      jumping('beforeModel', 'stop', 'end'),
      jumping('beforeModel', 'stop', 'tools'),
      jumping('afterModel', 'says', 'end'),
      jumping('afterModel', 'Sunny', 'model'),
    ]) {
      const agent = createAgent({
        model: asksWeather(),
        tools: [weather],
        middleware: [middleware],
        checkpointer: saver(),
      });
      await conversation(t, agent, [human('stop'), human('go')]);
      t.note('drawing', await agent.drawMermaid());
    }
  },

  'middleware that asks, in each hook': async (t) => {
    const asks = (hook: string) =>
      createMiddleware({ name: hook, [hook]: () => ({ messages: [new AIMessage(`${hook}: ${interrupt(hook)}`)] }) });
    const wraps = createMiddleware({
      name: 'wraps',
      wrapModelCall: async (request, handler) => {
        const answer = interrupt('before the model');
        return handler({ ...request, systemPrompt: answer });
      },
      wrapToolCall: async (request, handler) =>
        interrupt('before the tool') === 'yes'
          ? handler(request)
          : new ToolMessage({ content: 'no', tool_call_id: request.toolCall.id ?? '', name: request.toolCall.name }),
    });
    const agent = createAgent({
      model: asksWeather(),
      tools: [weather],
      middleware: [asks('beforeAgent'), asks('afterAgent'), wraps],
      checkpointer: saver(),
    });
    const answer = (resume: unknown) => new Command({ resume });
    await conversation(t, agent, [human('Ulm'), ...['a', 'b', 'yes', 'c', 'd'].map(answer)]);
    await events(t, agent, [human('Ulm'), ...['a', 'b', 'no', 'c', 'd'].map(answer)]);
  },

  'a hook that fails, once and always': async (t) => {
    let failures = 0;
    const failing = (hook: string) =>
      createMiddleware({
        name: `failing ${hook}`,
        [hook]: () => {
          failures += 1;
          throw new Error(`${hook} failed`);
        },
      });
    for (const hook of ['beforeAgent', 'beforeModel', 'wrapModelCall', 'wrapToolCall', 'afterModel', 'afterAgent']) {
      const agent = createAgent({
        model: asksWeather(),
        tools: [weather],
        middleware: [failing(hook)],
        checkpointer: saver(),
      });
      await conversation(t, agent, [human('Ulm'), null]);
    }
    t.note('failures', failures);
  },

  'a model call that middleware retries, and one that it answers itself': async (t) => {
    let calls = 0;
    const retrying = createMiddleware({
      name: 'Retrying',
      wrapModelCall: async (request, handler) => {
        calls += 1;
        if (last(request.messages)?.text === 'never') return new AIMessage('I said nothing.');
        try {
          return await handler({ ...request, model: new FakeChatModel({ replies: [{ error: 'busy' }] }) });
        } catch {
          return handler(request);
        }
      },
    });
    const agent = createAgent({
      model: asksWeather(),
      tools: [weather],
      middleware: [retrying],
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('Ulm'), human('never')]);
    t.note('calls', calls);
  },

  'Commands of tools and of middleware around tools': async (t) => {
    const remember = tool(
      ({ fact }, { toolCall }: { toolCall?: { id?: string } }) =>
        new Command({
          update: {
            facts: [fact],
            messages: [new ToolMessage({ content: 'noted', tool_call_id: toolCall?.id ?? '' })],
          },
        }),
      { name: 'remember', description: 'Remember.', schema: z.object({ fact: z.string() }) },
    );
    const ends = createMiddleware({
      name: 'ends',
      stateSchema: z.object({ facts: z.array(z.string()).optional() }),
      wrapToolCall: async (request, handler) =>
        request.toolCall.args.fact === 'end'
          ? new Command({
              goto: '__end__',
              update: { messages: [new ToolMessage({ content: 'ended', tool_call_id: request.toolCall.id ?? '' })] },
            })
          : handler(request),
    });
    const agent = createAgent({
      model: new FakeChatModel({
        replies: (messages) =>
          last(messages)?.getType() === 'human'
            ? { toolCalls: [{ name: 'remember', args: { fact: last(messages)?.text ?? '' } }] }
            : 'Done.',
      }),
      tools: [remember],
      middleware: [ends],
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('whales sing'), human('end')]);
    await events(t, agent, [human('whales sing'), human('end')]);
  },

  'calls that go wrong, one beside one that does not': async (t) => {
    const broken = tool(
      () => {
        throw new Error('broken');
      },
      { name: 'broken', description: 'Fails.', schema: z.object({}) },
    );
    const calls: Record<string, ScriptedToolCall> = {
      missing: { name: 'missing', args: {} },
      broken: { name: 'broken', args: {} },
      misfit: { name: 'weather', args: { city: 1 } },
    };
    const agent = createAgent({
      model: new FakeChatModel({
        replies: (messages) => {
          const call = calls[last(messages)?.text ?? ''];
          return call === undefined ? 'Done.' : { toolCalls: [{ name: 'weather', args: { city: 'Ulm' } }, call] };
        },
      }),
      tools: [weather, broken],
      checkpointer: saver(),
    });
    const inputs = Object.keys(calls).map(human);
    await conversation(t, agent, inputs);
    await results(t, agent, inputs);
  },
};
