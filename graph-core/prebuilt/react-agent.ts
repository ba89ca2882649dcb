// An agent that calls its model, runs the tools that the model asks for, and goes on until it asks for none.
import { isAIMessage, isToolMessage, SystemMessage, type AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { LanguageModelLike } from '@langchain/core/language_models/base';
import type { Runnable } from '@langchain/core/runnables';
import { END, START } from '../constants.js';
import type { NodeConfig } from '../engine/node-config.js';
import { Annotation, type StateDefinition } from '../graph/annotation.js';
import type { CompiledStateGraph } from '../graph/compiled-state-graph.js';
import type { StateDefinitionInit, ExtractStateType, ExtractUpdateType } from '../graph/state-definition.js';
import { StateGraph } from '../graph/state-graph.js';
import { messagesStateReducer, type Messages } from '../messages/messages-reducer.js';
import { Send } from '../send.js';
import { chatModelIn, isChatModel, isClientTool, withTools, type AgentTool } from './agent-model.js';
import { withAgentName } from './agent-name.js';
import { promptRunnable } from './agent-prompt.js';
import type {
  AgentStateSchema,
  CreateReactAgentParams,
  ModelOfState,
  ResponseFormat,
  StructuredResponse,
} from './react-agent-params.js';
import { ToolNode } from './tool-node.js';

/** The state of an agent without a schema of its own: `messages`, and `structuredResponse`. */
export const createReactAgentAnnotation = <Response extends StructuredResponse = StructuredResponse>() =>
  Annotation.Root({
    messages: Annotation<BaseMessage[], Messages>({ reducer: messagesStateReducer, default: () => [] }),
    structuredResponse: Annotation<Response>(),
  });

/** What a hook leaves for the next call of the model; it does not add up. */
const modelInput = Annotation.Root({
  llmInputMessages: Annotation<BaseMessage[], Messages>({
    reducer: (_, update) => messagesStateReducer([], update),
    default: () => [],
  }),
});

type MessagesState = { readonly messages: BaseMessage[] };
type ModelState = MessagesState & { readonly llmInputMessages?: BaseMessage[] };
/** By the schema that an author gave, or the default one. */
type AnyAgent = StateGraph<StateDefinitionInit, MessagesState, Record<string, unknown>, string>;
type Destination = string | Send;

type AgentOf<Schema extends AgentStateSchema | undefined, Response extends StructuredResponse> = CompiledStateGraph<
  ExtractStateType<SchemaOf<Schema, Response>>,
  ExtractUpdateType<SchemaOf<Schema, Response>>,
  string,
  SchemaOf<Schema, Response>,
  SchemaOf<Schema, Response>
>;
type SchemaOf<
  Schema extends AgentStateSchema | undefined,
  Response extends StructuredResponse,
> = Schema extends AgentStateSchema ? Schema : ReturnType<typeof createReactAgentAnnotation<Response>>;

/**
 * Nodes `agent` and `tools`; with hooks `pre_model_hook` and `post_model_hook`, with a response format
 * `generate_structured_response`.
 * @throws Error for a state schema without `messages`, or more than one prompt.
 */
export function createReactAgent<
  Schema extends AgentStateSchema | undefined = undefined,
  Response extends StructuredResponse = StructuredResponse,
  Context extends AgentStateSchema = AgentStateSchema,
>(
  params: CreateReactAgentParams<Schema extends AgentStateSchema ? Schema : DefaultSchema, Response, Context>,
): AgentOf<Schema, Response>;
export function createReactAgent(params: CreateReactAgentParams): unknown {
  const { preModelHook, postModelHook, responseFormat, interruptBefore, interruptAfter, store, name, description } =
    params;
  const tools = Array.isArray(params.tools) ? (params.tools as readonly AgentTool[]) : (params.tools as ToolNode).tools;
  const toolNode = !Array.isArray(params.tools) ? params.tools : new ToolNode(tools.filter(isClientTool));
  const agent = new StateGraph(
    (params.stateSchema ?? createReactAgentAnnotation()) as StateDefinitionInit,
    params.contextSchema as StateDefinitionInit | undefined,
  ) as unknown as AnyAgent;
  if (!('messages' in agent.channels)) throw new Error('Missing required `messages` key in state schema.');
  const own = { ...agent.channels };

  const first = preModelHook ? 'pre_model_hook' : 'agent';
  const last = responseFormat ? 'generate_structured_response' : END;
  agent.addNode('tools', toolNode as never);
  if (preModelHook) agent.addNode('pre_model_hook', preModelHook as never).addEdge('pre_model_hook', 'agent');
  agent
    .addNode('agent', callModel(params, tools) as never, preModelHook && ({ input: hookedState(own) } as never))
    .addEdge(START, first);
  const toTools = params.version === 'v2' ? sendEach : () => 'tools';
  if (postModelHook) agent.addNode('post_model_hook', postModelHook as never).addEdge('agent', 'post_model_hook');
  if (responseFormat) agent.addNode(last, structuredResponse(params.llm, responseFormat) as never).addEdge(last, END);
  if (postModelHook) {
    agent.addConditionalEdges('post_model_hook', afterHook(toTools, first, last), [...new Set(['tools', first, last])]);
  } else {
    agent.addConditionalEdges('agent', afterModel(toTools, last), ['tools', last]);
  }
  const direct = new Set(tools.filter((tool) => isClientTool(tool) && returnsDirectly(tool)).map(({ name }) => name));
  if (direct.size > 0) agent.addConditionalEdges('tools', afterTools(direct, first), [first, END]);
  else agent.addEdge('tools', first);

  return agent.compile({
    checkpointer: params.checkpointer ?? params.checkpointSaver,
    interruptBefore,
    interruptAfter,
    store,
    name,
    description,
  });
}

type DefaultSchema = ReturnType<typeof createReactAgentAnnotation>;

const hookedState = (own: StateDefinition): StateDefinition => ({ ...own, ...modelInput.spec });

const returnsDirectly = (tool: AgentTool): boolean => (tool as { returnDirect?: boolean }).returnDirect === true;

/** The node that asks the model. What the model needs for it is found out once, unless it is chosen by the state. */
function callModel(params: CreateReactAgentParams, tools: readonly AgentTool[]) {
  const { llm, name, includeAgentName } = params;
  const prompted = (model: LanguageModelLike): Runnable =>
    promptRunnable(params).pipe(
      includeAgentName === 'inline' ? withAgentName(model, includeAgentName) : model,
    ) as Runnable;
  let fixed: Promise<Runnable> | undefined;
  const modelFor = async (state: ModelState, config: NodeConfig): Promise<Runnable> => {
    if (isModelOfState(llm)) return prompted(await llm(state as never, config as never));
    fixed ??= withTools(llm, tools).then(prompted);
    return fixed;
  };
  return async (state: ModelState, config: NodeConfig) => {
    const model = await modelFor(state, config);
    const { messages, llmInputMessages, ...rest } = state;
    const input = { messages: llmInputMessages?.length ? llmInputMessages : messages, ...rest };
    const answer = (await model.invoke(input, config)) as AIMessage;
    answer.name = name;
    (answer.lc_kwargs as { name?: string }).name = name;
    return { messages: [answer] };
  };
}

const isModelOfState = (llm: CreateReactAgentParams['llm']): llm is ModelOfState<AgentStateSchema, AgentStateSchema> =>
  typeof llm === 'function';

/** The node that asks for the response in the form wanted. */
function structuredResponse(llm: CreateReactAgentParams['llm'], format: ResponseFormat<StructuredResponse>) {
  const { schema, prompt, ...options } = 'schema' in format ? format : { schema: format, prompt: undefined };
  return async (state: MessagesState, config: NodeConfig) => {
    const model = isModelOfState(llm) ? await llm(state as never, config as never) : await chatModelIn(llm);
    if (!isChatModel(model)) {
      throw new Error(
        `Expected \`llm\` to be a ChatModel with .withStructuredOutput() method, got ${(model as object).constructor.name}`,
      );
    }
    const system = typeof prompt === 'string' ? [new SystemMessage(prompt)] : [];
    const structured = model.withStructuredOutput(schema as never, options) as Runnable;
    const response: unknown = await structured.invoke([...system, ...state.messages], config);
    if (response === null || response === undefined) {
      throw new Error(
        'The model gave no response that fits `responseFormat`: its structured-output parser returned null or undefined.',
      );
    }
    return { structuredResponse: response };
  };
}

/** A task for each call, with the state it was made in. */
const sendEach = (state: MessagesState, calls: readonly ToolCall[]): Destination[] =>
  calls.map((call) => new Send('tools', { ...state, lg_tool_call: call }));

type ToTools = (state: MessagesState, calls: readonly ToolCall[]) => Destination | Destination[];

const afterModel = (toTools: ToTools, last: string) => (state: MessagesState) => {
  const message = state.messages.at(-1);
  const calls = message && isAIMessage(message) ? (message.tool_calls ?? []) : [];
  return calls.length > 0 ? toTools(state, calls) : last;
};

/** A hook may have answered some calls, or all of them: then the model goes on. */
const afterHook = (toTools: ToTools, first: string, last: string) => (state: MessagesState) => {
  const answered = new Set(state.messages.filter(isToolMessage).map((message) => message.tool_call_id));
  const asking = state.messages.findLast(isAIMessage);
  const open = (asking?.tool_calls ?? []).filter(({ id }) => id === undefined || !answered.has(id));
  if (open.length > 0) return toTools(state, open);
  const message = state.messages.at(-1);
  return message && isToolMessage(message) ? first : last;
};

/** A tool whose answer is the agent's ends the run. */
const afterTools = (direct: ReadonlySet<unknown>, first: string) => (state: MessagesState) => {
  const before = state.messages.findLastIndex((message) => !isToolMessage(message));
  return state.messages.slice(before + 1).some(({ name }) => direct.has(name)) ? END : first;
};
