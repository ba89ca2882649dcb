// An agent with a folder of files. Listing and reading it does by itself; before it deletes, a person approves, edits or
// rejects each call.
//
//   agent ──▶ approve ──▶ tools ──▶ agent …      approve asks only when a call is dangerous
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { Annotation, END, MessagesAnnotation, START, StateGraph, ToolNode, type NodeConfig } from 'superstep';
import { askForApproval, type Decision } from '../models/approval.js';
import { chatModel } from '../models/chat-model.js';
import { DANGEROUS_TOOLS, fileTools, mergeFiles, SAMPLE_FILES, type FileChanges, type Files } from './files.js';
import { agentScript } from './script.js';

const AgentState = Annotation.Root({
  ...MessagesAnnotation.spec,
  files: Annotation<Files, FileChanges>({ reducer: mergeFiles, default: () => SAMPLE_FILES }),
});
type AgentStateType = typeof AgentState.State;
type ToolCall = NonNullable<AIMessage['tool_calls']>[number];

export function agentBuilder(model: BaseChatModel) {
  const withTools = model.bindTools?.(fileTools) ?? model;
  const agent = async ({ messages }: AgentStateType, config: NodeConfig) => ({
    messages: [await withTools.invoke(messages, config)],
  });
  return new StateGraph(AgentState)
    .addNode('agent', agent)
    .addNode('approve', approve)
    .addNode('tools', new ToolNode(fileTools))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => (callsOf(messages).length > 0 ? 'approve' : END), ['approve', END])
    .addEdge('approve', 'tools')
    .addEdge('tools', 'agent');
}

/** Asks about the dangerous calls, all at once. What is rejected gets its answer here, and `tools` passes over it. */
function approve({ messages }: AgentStateType) {
  const calls = callsOf(messages);
  const dangerous = calls.filter(({ name }) => DANGEROUS_TOOLS.has(name));
  if (dangerous.length === 0) return {};
  const decisions = askForApproval(
    dangerous.map(({ name, args }) => ({ name, args: args as Record<string, unknown> })),
  );
  const decided = new Map(dangerous.map((call, index) => [call.id, decisions[index]]));
  const edited = calls.map((call) => withEdit(call, decided.get(call.id)));
  const rejections = calls.flatMap((call) => rejection(call, decided.get(call.id)));
  const last = messages.at(-1) as AIMessage;
  // The same id: the message with the edited calls takes the place of the one that was asked about.
  return { messages: [new AIMessage({ id: last.id, content: last.content, tool_calls: edited }), ...rejections] };
}

const withEdit = (call: ToolCall, decision: Decision | undefined): ToolCall =>
  decision?.type === 'edit' ? { ...call, name: decision.edited_action.name, args: decision.edited_action.args } : call;

function rejection({ id, name }: ToolCall, decision: Decision | undefined): readonly ToolMessage[] {
  if (decision?.type !== 'reject') return [];
  const reason = decision.message ? `: ${decision.message}` : '.';
  return [
    new ToolMessage({ tool_call_id: id ?? '', name, status: 'error', content: `The user rejected ${name}${reason}` }),
  ];
}

const callsOf = (messages: readonly BaseMessage[]): readonly ToolCall[] =>
  (messages.at(-1) as AIMessage | undefined)?.tool_calls ?? [];

export const graph = (async () => agentBuilder(await chatModel(agentScript)).compile({ name: 'tools' }))();
