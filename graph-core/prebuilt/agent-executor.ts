// The loop of LangChain's oldest agents: they give an action or an end, and see the steps so far.
import type { AgentAction, AgentFinish } from '@langchain/core/agents';
import type { BaseMessage } from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';
import type { Tool } from '@langchain/core/tools';
import { END, START } from '../constants.js';
import type { LangGraphRunnableConfig } from '../graph/runtime.js';
import { Annotation } from '../graph/annotation.js';
import { StateGraph } from '../graph/state-graph.js';
import { toolExecutorOf, type ToolExecutor } from './tool-executor.js';

interface Step {
  readonly action: AgentAction | AgentFinish;
  readonly observation: unknown;
}

export interface AgentExecutorState {
  agentOutcome?: AgentAction | AgentFinish;
  steps: Step[];
  input: string;
  chatHistory?: BaseMessage[];
}

const State = Annotation.Root({
  input: Annotation<string>(),
  agentOutcome: Annotation<AgentAction | AgentFinish | undefined>(),
  steps: Annotation<Step[]>({ reducer: (steps, more) => steps.concat(more), default: () => [] }),
});

const isFinish = (outcome: AgentAction | AgentFinish | undefined): outcome is AgentFinish =>
  outcome !== undefined && 'returnValues' in outcome;

/** @deprecated Use {@link createReactAgent}, or `createAgent` of langchain. */
export function createAgentExecutor({
  agentRunnable,
  tools,
}: {
  readonly agentRunnable: Runnable;
  readonly tools: Tool[] | ToolExecutor;
}) {
  const executor = toolExecutorOf(tools);
  return new StateGraph(State)
    .addNode('agent', async (state, config: LangGraphRunnableConfig) => ({
      agentOutcome: (await agentRunnable.invoke(state, config)) as AgentAction | AgentFinish,
    }))
    .addNode('action', async ({ agentOutcome }, config: LangGraphRunnableConfig) => {
      if (!agentOutcome || isFinish(agentOutcome)) throw new Error('Agent has not been run yet');
      const observation: unknown = await executor.invoke(agentOutcome, config);
      return { steps: [{ action: agentOutcome, observation }] };
    })
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ agentOutcome }) => (isFinish(agentOutcome) ? 'end' : 'continue'), {
      continue: 'action',
      end: END,
    })
    .addEdge('action', 'agent')
    .compile();
}
