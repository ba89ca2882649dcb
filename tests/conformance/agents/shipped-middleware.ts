// `createAgent` of `langchain`, with the middleware that it ships.
import {
  contextEditingMiddleware,
  ClearToolUsesEdit,
  createAgent,
  dynamicSystemPromptMiddleware,
  humanInTheLoopMiddleware,
  llmToolSelectorMiddleware,
  modelCallLimitMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  piiMiddleware,
  summarizationMiddleware,
  todoListMiddleware,
  tool,
  toolCallLimitMiddleware,
  toolEmulatorMiddleware,
  toolRetryMiddleware,
} from 'langchain';
import { Command } from '@langchain/langgraph';
import { z } from 'zod';
import { FakeChatModel } from '../../fixtures/fake-chat-model.js';
import { conversation, events, human, last, saver, type AgentPrograms } from './agent-program.js';

const count = tool(({ upTo }) => `counted to ${upTo}`, {
  name: 'count',
  description: 'Counts.',
  schema: z.object({ upTo: z.number() }),
});

/** Counts one further each time, and so never ends by itself, but for where it is asked to count to one. */
const counting = () =>
  new FakeChatModel({
    replies: (messages) => {
      const counted = messages.filter(({ name }) => name === 'count').length;
      return last(messages)?.name === 'count' && messages.some(({ text }) => text === 'one')
        ? 'Done.'
        : { text: `Counting ${counted}. `, toolCalls: [{ name: 'count', args: { upTo: counted } }] };
    },
  });

const agentWith = (...middleware: unknown[]) =>
  createAgent({
    model: counting(),
    tools: [count],
    middleware: middleware as [],
    checkpointer: saver(),
  });

const answer = (...decisions: object[]) => new Command({ resume: { decisions } });

export const programs: AgentPrograms = {
  'limits of model calls': async (t) => {
    for (const exitBehavior of ['end', 'error'] as const) {
      const agent = agentWith(modelCallLimitMiddleware({ runLimit: 2, threadLimit: 3, exitBehavior }));
      await conversation(t, agent, [human('count'), human('count on'), human('and on')]);
      t.note('drawing', await agent.drawMermaid());
    }
  },

  'limits of tool calls': async (t) => {
    for (const exitBehavior of ['continue', 'end', 'error'] as const) {
      const agent = agentWith(
        toolCallLimitMiddleware({ runLimit: 1, threadLimit: 2, exitBehavior }),
        modelCallLimitMiddleware({ runLimit: 4 }),
      );
      await conversation(t, agent, [human('count'), human('count on')]);
    }
  },

  'a conversation that is summarized': async (t) => {
    const agent = agentWith(
      summarizationMiddleware({
        model: new FakeChatModel({ replies: () => 'There was some counting.' }),
        trigger: { messages: 4 },
        keep: { messages: 2 },
      }),
      modelCallLimitMiddleware({ runLimit: 4 }),
    );
    await conversation(t, agent, [human('one'), human('one more')]);
    await events(t, agent, [human('one'), human('one more')]);
  },

  'results of tools that are cleared from the conversation': async (t) => {
    const agent = agentWith(
      contextEditingMiddleware({ edits: [new ClearToolUsesEdit({ trigger: { tokens: 1 }, keep: { messages: 1 } })] }),
    );
    await conversation(t, agent, [human('one'), human('again')]);
  },

  'a todo list': async (t) => {
    const todos = (status: string) => ({ name: 'write_todos', args: { todos: [{ content: 'rest', status }] } });
    const agent = createAgent({
      model: new FakeChatModel({
        replies: [{ toolCalls: [todos('pending')] }, { toolCalls: [todos('completed')] }, 'Rested.'],
      }),
      middleware: [todoListMiddleware()],
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('rest')]);
    await events(t, agent, [human('rest')]);
  },

  'personal data, masked, hashed, blocked': async (t) => {
    const agent = agentWith(
      piiMiddleware('email', { strategy: 'mask', applyToInput: true }),
      piiMiddleware('ip', { strategy: 'hash', applyToInput: true, applyToOutput: true }),
      piiMiddleware('url', { strategy: 'block', applyToInput: true }),
      modelCallLimitMiddleware({ runLimit: 1 }),
    );
    await conversation(t, agent, [human('ada@example.org'), human('10.0.0.1'), human('https://example.org')]);
  },

  'models that fail and are asked again, or replaced': async (t) => {
    const failing = () => new FakeChatModel({ replies: () => ({ text: 'I', error: 'busy' }) });
    const retries = { maxRetries: 1, initialDelayMs: 1, jitter: false };
    for (const middleware of [
      modelFallbackMiddleware(counting()),
      modelFallbackMiddleware(failing()),
      modelRetryMiddleware(retries),
      modelRetryMiddleware({ ...retries, onFailure: 'error' }),
    ]) {
      const agent = createAgent({
        model: failing(),
        tools: [count],
        middleware: [middleware],
        checkpointer: saver(),
      });
      await conversation(t, agent, [human('one'), null]);
    }
  },

  'tools that fail and are called again, or emulated': async (t) => {
    let calls = 0;
    const unsteady = tool(
      () => {
        calls += 1;
        if (calls % 3 !== 0) throw new Error(`failed ${calls % 3}`);
        return 'worked';
      },
      { name: 'unsteady', description: 'Fails.', schema: z.object({}) },
    );
    for (const middleware of [
      toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, jitter: false }),
      toolRetryMiddleware({ maxRetries: 0, onFailure: 'continue' }),
      toolRetryMiddleware({ maxRetries: 0, onFailure: 'error' }),
      toolEmulatorMiddleware({ tools: ['unsteady'], model: new FakeChatModel({ replies: () => 'emulated' }) }),
    ]) {
      calls = 0;
      const agent = createAgent({
        model: new FakeChatModel({
          replies: (messages) =>
            last(messages)?.getType() === 'human' ? { toolCalls: [{ name: 'unsteady', args: {} }] } : 'Done.',
        }),
        tools: [unsteady],
        middleware: [middleware as ReturnType<typeof toolRetryMiddleware>],
        checkpointer: saver(),
      });
      await conversation(t, agent, [human('go')]);
    }
  },

  'a prompt and tools that depend on the state and the context': async (t) => {
    const prompts: unknown[] = [];
    const agent = createAgent({
      model: new FakeChatModel({
        replies: (messages) => {
          prompts.push(messages[0]?.text);
          return messages.some(({ name }) => name === 'count')
            ? 'Done.'
            : { toolCalls: [{ name: 'count', args: { upTo: 1 } }] };
        },
      }),
      tools: [count],
      contextSchema: z.object({ user: z.string() }),
      middleware: [
        dynamicSystemPromptMiddleware<{ user: string }>(
          ({ messages }, { context }) => `Help ${context.user}; ${messages.length} messages.`,
        ),
        llmToolSelectorMiddleware({
          model: new FakeChatModel({ replies: () => '{"tools":["count"]}' }),
          maxTools: 1,
          alwaysInclude: ['count'],
        }),
      ],
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('one')], { context: { user: 'Ada' } });
    await conversation(t, agent, [human('one')], { context: { user: 7 } });
    await conversation(t, agent, [human('one')]);
    t.note('prompts', prompts);
  },

  'people who decide on several calls at once': async (t) => {
    const send = tool(({ to }) => `sent to ${to}`, {
      name: 'send',
      description: 'Sends.',
      schema: z.object({ to: z.string() }),
    });
    const agent = createAgent({
      model: new FakeChatModel({
        replies: (messages) =>
          last(messages)?.getType() === 'human'
            ? {
                toolCalls: [
                  { name: 'send', args: { to: 'Ada' } },
                  { name: 'count', args: { upTo: 2 } },
                  { name: 'send', args: { to: 'Bob' } },
                ],
              }
            : 'Done.',
      }),
      tools: [count, send],
      middleware: [humanInTheLoopMiddleware({ interruptOn: { send: true } })],
      checkpointer: saver(),
    });
    const edited = { type: 'edit', editedAction: { name: 'send', args: { to: 'Eve' } } };
    await conversation(t, agent, [
      human('send'),
      answer({ type: 'approve' }, edited),
      human('again'),
      answer({ type: 'reject', message: 'no' }, { type: 'approve' }),
      human('both not'),
      answer({ type: 'reject' }, { type: 'reject', message: 'nor this' }),
      human('too few answers'),
      answer({ type: 'approve' }),
      answer({ type: 'unknown' }, { type: 'approve' }),
      answer({ type: 'approve' }, { type: 'approve' }),
      human('something else'),
      human('instead of an answer'),
    ]);
    await events(t, agent, [human('send'), answer({ type: 'approve' }, edited)]);
  },
};
