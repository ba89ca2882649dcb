// `deepagents`: where its files are, its sub-agents, and who decides on them.
import { CompositeBackend, createDeepAgent, StateBackend, StoreBackend } from 'deepagents';
import { createAgent, tool } from 'langchain';
import { Command, InMemoryStore } from '@langchain/langgraph';
import { z } from 'zod';
import { FakeChatModel, type ScriptedToolCall } from '../../fixtures/fake-chat-model.js';
import { conversation, events, human, last, saver, type AgentPrograms } from './agent-program.js';

/** Calls, one after the other, of which each is made once the one before has been answered. */
const scripted = (...calls: ScriptedToolCall[]) =>
  new FakeChatModel({
    replies: (messages) => {
      const answered = messages.slice(lastHuman(messages)).filter((message) => message.getType() === 'tool').length;
      const call = calls[answered];
      return call === undefined
        ? `Done: ${last(messages)?.text}`
        : { toolCalls: [{ id: `call-${messages.length}`, ...call }] };
    },
  });

const lastHuman = (messages: readonly { getType(): string }[]): number =>
  messages.map((message) => message.getType()).lastIndexOf('human');

const FILES: readonly ScriptedToolCall[] = [
  { name: 'write_file', args: { file_path: '/notes/a.md', content: 'one\ntwo\nthree' } },
  { name: 'edit_file', args: { file_path: '/notes/a.md', old_string: 'two', new_string: 'zwei' } },
  { name: 'read_file', args: { file_path: '/notes/a.md' } },
  { name: 'ls', args: { path: '/' } },
  { name: 'grep', args: { pattern: 'zwei' } },
  { name: 'glob', args: { pattern: '**/*.md' } },
  { name: 'read_file', args: { file_path: '/missing.md' } },
  { name: 'write_file', args: { file_path: '/notes/a.md', content: 'again' } },
];

const search = tool(({ query }) => `Facts about ${query}.`, {
  name: 'search',
  description: 'Searches.',
  schema: z.object({ query: z.string() }),
});

const task = (subagent_type: string, description = 'Find out.'): ScriptedToolCall => ({
  name: 'task',
  args: { subagent_type, description },
});

export const programs: AgentPrograms = {
  'files in the state, in the store, and in both': async (t) => {
    const namespace = ['files'];
    const backends = {
      state: () => undefined,
      store: () => new StoreBackend({ namespace }),
      both: () => new CompositeBackend(new StateBackend(), { '/notes/': new StoreBackend({ namespace }) }),
    };
    for (const backend of Object.values(backends)) {
      const store = new InMemoryStore();
      const agent = createDeepAgent({
        model: scripted(...FILES),
        backend: backend(),
        store: store,
        checkpointer: saver(),
      });
      await conversation(t, agent, [human('Take notes.'), human('And again.')]);
      const items = await store.search(['files']);
      t.note(
        'stored',
        items.map(({ key, value }) => [key, (value as { content: unknown }).content]),
      );
    }
  },

  'sub-agents side by side, of a general purpose, compiled, and one that is not there': async (t) => {
    const researcher = {
      name: 'researcher',
      description: 'Finds facts.',
      systemPrompt: 'You find facts.',
      tools: [search],
      model: scripted({ name: 'search', args: { query: 'whales' } }),
    };
    const compiled = {
      name: 'compiled',
      description: 'Answers.',
      runnable: createAgent({ model: new FakeChatModel({ replies: ['Compiled answer.'] }), tools: [] }),
    };
    const agent = () =>
      createDeepAgent({
        model: new FakeChatModel({
          replies: (messages) => {
            if (last(messages)?.text === 'Find out.') return 'Found by a general purpose.';
            if (last(messages)?.getType() !== 'human') return `Done: ${last(messages)?.text}`;
            return { toolCalls: (last(messages)?.text ?? '').split(' ').map((name) => task(name)) };
          },
        }),
        tools: [search],
        subagents: [researcher, compiled],
        checkpointer: saver(),
      });
    await conversation(t, agent(), ['researcher', 'compiled', 'general-purpose', 'nobody'].map(human));
    await events(t, agent(), ['researcher', 'compiled'].map(human));
    t.note('drawing', await agent().drawMermaid());
  },

  'sub-agents that ask a person, and a person who decides on files': async (t) => {
    const agent = () =>
      createDeepAgent({
        model: scripted(task('writer'), { name: 'write_file', args: { file_path: '/lead.md', content: 'lead' } }),
        interruptOn: { write_file: true },
        subagents: [
          {
            name: 'writer',
            description: 'Writes.',
            systemPrompt: 'You write.',
            model: scripted({ name: 'write_file', args: { file_path: '/sub.md', content: 'sub' } }),
            interruptOn: { write_file: { allowedDecisions: ['approve', 'reject'] } },
          },
        ],
        checkpointer: saver(),
      });
    const decide = (type: string) => new Command({ resume: { decisions: [{ type }] } });
    await conversation(t, agent(), [
      human('Write.'),
      decide('approve'),
      decide('reject'),
      human('Write again.'),
      decide('reject'),
    ]);
    await events(t, agent(), [human('Write.'), decide('approve'), decide('approve')]);
  },

  'a sub-agent that fails, and one that answers in a structure': async (t) => {
    const agent = createDeepAgent({
      model: new FakeChatModel({
        replies: (messages) =>
          last(messages)?.getType() === 'human'
            ? { toolCalls: [task(last(messages)?.text ?? '')] }
            : `Done: ${last(messages)?.text}`,
      }),
      responseFormat: undefined,
      subagents: [
        {
          name: 'fails',
          description: 'Fails.',
          systemPrompt: 'You fail.',
          model: new FakeChatModel({ replies: [{ text: 'I ', error: 'no model' }] }),
        },
      ],
      checkpointer: saver(),
    });
    await conversation(t, agent, [human('fails'), null]);
  },
};
