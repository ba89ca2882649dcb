// The projects of `tests/fixtures/projects`, unmodified, as events of each version.
import { Command } from '@langchain/langgraph';
import { agent as approval } from '../../fixtures/projects/approval/agent.js';
import { agent as deepAgent } from '../../fixtures/projects/deep-agent/agent.js';
import { agent as stateGraphAgent } from '../../fixtures/projects/state-graph-agent/agent.js';
import { agent as supervisor } from '../../fixtures/projects/supervisor/agent.js';
import { agent as swarm } from '../../fixtures/projects/swarm/agent.js';
import { events, human, saver, type Agent, type AgentPrograms } from './agent-program.js';

const remembering = (agent: Agent): Agent => Object.assign(agent, { checkpointer: saver() });
const answer = (...decisions: object[]) => new Command({ resume: { decisions } });

export const programs: AgentPrograms = {
  'project state-graph-agent': (t) =>
    events(t, remembering(stateGraphAgent), [human('How far is Ulm?'), new Command({ resume: true })]),

  'project approval': (t) =>
    events(t, remembering(approval), [
      human('Write to Ada.'),
      answer({ type: 'approve' }),
      human('Write to Ada again.'),
      answer({ type: 'reject', message: 'Not today.' }),
    ]),

  'project deep-agent': (t) => events(t, remembering(deepAgent), [human('Report on whales.')]),

  'project supervisor': (t) => events(t, remembering(supervisor), [human('How many live in Ulm and Bern?')]),

  'project swarm': (t) =>
    events(t, remembering(swarm), [human('A pirate, please.'), human('And now?'), human('Alice again.')]),
};
