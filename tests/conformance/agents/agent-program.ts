// Programs over agents of `langchain` and its like. Those packages import LangGraph themselves, so a program runs in two
// processes: one as it is installed, one with this engine in LangGraph's place.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { langchainEvents, protocolEvents } from '../event-traces.js';
import { saver, thread, type Graph, type Trace } from '../trace.js';

export type AgentPrograms = Readonly<Record<string, (t: Trace) => void | Promise<void>>>;

/** An agent of `langchain` is no graph, but holds one. */
export type Agent = object;

const asGraph = (agent: Agent): Graph => agent as Graph;

export const human = (content: string): { messages: HumanMessage[] } => ({
  messages: [new HumanMessage({ content, id: `human: ${content}` })],
});

export const last = (messages: readonly { text: string; name?: string; getType(): string }[]) => messages.at(-1);

const MODES = ['values', 'updates', 'messages', 'custom', 'tools', 'tasks', 'checkpoints', 'debug'];

/** Inputs one after the other, each in all modes, with the state in between and the history in the end. */
export async function conversation(
  t: Trace,
  agent: Agent,
  inputs: readonly unknown[],
  config: object = {},
): Promise<void> {
  const graph = asGraph(agent);
  const { configurable } = config as { configurable?: object };
  const on = { ...config, configurable: { ...thread().configurable, ...configurable } };
  for (const input of inputs) {
    await t.stream(graph, input, { ...on, streamMode: MODES, subgraphs: true });
    await t.state(graph, on, { subgraphs: true });
  }
  await t.history(graph, on);
}

/** The same by `invoke`, which gives the result alone. */
export async function results(
  t: Trace,
  agent: Agent,
  inputs: readonly unknown[],
  config: Record<string, unknown> = {},
): Promise<void> {
  for (const input of inputs) await t.invoke(asGraph(agent), input, { ...thread('results'), ...config });
}

/** The same as events, in each version that the agent has. */
export async function events(t: Trace, agent: Agent, inputs: readonly unknown[]): Promise<void> {
  for (const version of ['v1', 'v2'] as const) {
    for (const input of inputs) await langchainEvents(t, agent, input, { ...thread(version), version });
  }
  for (const input of inputs) await protocolEvents(t, agent, input, thread('v3'));
}

export { AIMessage, saver, thread };
