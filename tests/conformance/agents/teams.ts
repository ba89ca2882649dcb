// `@langchain/langgraph-supervisor` and `-swarm`, in their forms.
import { createSupervisor, createHandoffTool as toAgent } from '@langchain/langgraph-supervisor';
import { addActiveAgentRouter, createHandoffTool, createSwarm, SwarmState } from '@langchain/langgraph-swarm';
import { Annotation, Command, interrupt, InMemoryStore, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { FakeChatModel, type ScriptedReply } from '../../fixtures/fake-chat-model.js';
import { conversation, events, human, last, saver, type AgentPrograms } from './agent-program.js';

const asks = tool(() => `they said ${interrupt('May I?')}`, {
  name: 'asks',
  description: 'Asks a person.',
  schema: z.object({}),
});

const worker = (name: string, ...replies: (string | ScriptedReply)[]) =>
  createReactAgent({
    name,
    llm: new FakeChatModel({ replies: (messages) => replies[answered(messages)] ?? 'Nothing more.' }),
    tools: [asks],
  });

/** Answers of tools since the last message of a person. */
const answered = (messages: readonly { getType(): string; name?: string }[]): number =>
  messages.filter(({ name }) => name === 'asks').length;

const hands = (to: string, done: string) =>
  new FakeChatModel({
    replies: (messages) =>
      messages.some(({ text }) => text.includes(done))
        ? 'All done.'
        : { toolCalls: [{ name: `transfer_to_${to}`, args: {}, id: `call-${to}` }] },
  });

export const programs: AgentPrograms = {
  'a supervisor in its modes of output and of handing over': async (t) => {
    const options = [
      { outputMode: 'full_history' as const },
      { outputMode: 'last_message' as const, addHandoffBackMessages: false },
      { addHandoffMessages: false, supervisorName: 'boss' },
      { includeAgentName: 'inline' as const },
    ];
    for (const option of options) {
      const team = () =>
        createSupervisor({
          agents: [worker('ann', 'ann was here')],
          llm: hands('ann', 'ann was here'),
          ...option,
        }).compile({
          checkpointer: saver(),
        });
      await conversation(t, team(), [human('go'), human('again')]);
      await events(t, team(), [human('go')]);
    }
  },

  'a supervisor whose agent asks a person': async (t) => {
    const team = () =>
      createSupervisor({
        agents: [worker('ann', { toolCalls: [{ name: 'asks', args: {}, id: 'call-asks' }] }, 'ann was here')],
        llm: hands('ann', 'ann was here'),
      }).compile({ checkpointer: saver(), store: new InMemoryStore() });
    await conversation(t, team(), [human('go'), new Command({ resume: 'yes' })]);
    await events(t, team(), [human('go'), new Command({ resume: 'yes' })]);
    t.note('drawing', (await team().getGraphAsync({ xray: true })).drawMermaid());
  },

  'a supervisor of a supervisor': async (t) => {
    const inner = createSupervisor({
      agents: [worker('ann', 'ann was here')],
      llm: hands('ann', 'ann was here'),
      supervisorName: 'lead',
    }).compile({ name: 'team' });
    const outer = createSupervisor({
      agents: [inner, worker('bob', 'bob was here')],
      llm: hands('team', 'All done.'),
      tools: [toAgent({ agentName: 'team' }), toAgent({ agentName: 'bob' })],
    }).compile({ checkpointer: saver() });
    await conversation(t, outer, [human('go')]);
    t.note('drawing', (await outer.getGraphAsync({ xray: 1 })).drawMermaid());
  },

  'a swarm with a state of its own, and one put together by hand': async (t) => {
    const State = Annotation.Root({
      ...SwarmState.spec,
      visits: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
    });
    const member = (name: string, other: string) =>
      createReactAgent({
        name,
        llm: new FakeChatModel({
          replies: (messages) =>
            last(messages)?.text === other
              ? { toolCalls: [{ name: `transfer_to_${other}`, args: {}, id: `call-${messages.length}` }] }
              : `${name} speaking.`,
        }),
        tools: [createHandoffTool({ agentName: other, description: `To ${other}.` }), asks],
      });
    const swarms = [
      createSwarm({
        agents: [member('ann', 'bob'), member('bob', 'ann')],
        defaultActiveAgent: 'ann',
        stateSchema: State as never,
      }),
      addActiveAgentRouter(
        new StateGraph(State)
          .addNode('ann', member('ann', 'bob'), { ends: ['bob'] })
          .addNode('bob', member('bob', 'ann'), { ends: ['ann'] }) as never,
        { routeTo: ['ann', 'bob'], defaultActiveAgent: 'bob' },
      ),
    ];
    for (const swarm of swarms) {
      const graph = swarm.compile({ checkpointer: saver() });
      await conversation(t, graph, ['hello', 'bob', 'ann', 'hello again'].map(human));
      await events(t, swarm.compile({ checkpointer: saver() }), ['bob', 'ann'].map(human));
      t.note('drawing', (await graph.getGraphAsync()).drawMermaid());
    }
  },
};
