// What `createReactAgent` takes.
import type { LanguageModelLike } from '@langchain/core/language_models/base';
import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableLike } from '@langchain/core/runnables';
import type { InteropZodObject, InteropZodType } from '@langchain/core/utils/types';
import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph-checkpoint';
import type { NodeConfig } from '../engine/node-config.js';
import type { AnnotationRoot } from '../graph/annotation.js';
import type { StateDefinitionInit, ExtractStateType, ExtractUpdateType } from '../graph/state-definition.js';
import type { AgentTool } from './agent-model.js';
import type { MessageModifier, Prompt, StateModifier } from './agent-prompt.js';
import type { ToolNode } from './tool-node.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a definition's type parameter is invariant
export type AgentStateSchema = AnnotationRoot<any> | InteropZodObject;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any object that the schema describes
export type StructuredResponse = Record<string, any>;

/** The state of an agent without a schema of its own. */
export interface AgentState<Response extends StructuredResponse = StructuredResponse> {
  messages: BaseMessage[];
  structuredResponse: Response;
}

/** What `preModelHook` may return besides the state: messages for the model that are not kept. */
interface ModelInput {
  llmInputMessages: BaseMessage[];
}

/** The model of a call, chosen by the state. */
export type ModelOfState<Schema extends StateDefinitionInit, Context extends StateDefinitionInit> = (
  state: ExtractStateType<Schema> & ModelInput,
  runtime: NodeConfig<Record<string, unknown>, ExtractStateType<Context>>,
) => LanguageModelLike | Promise<LanguageModelLike>;

export type ResponseFormat<Response extends StructuredResponse> =
  | InteropZodType<Response>
  | {
      readonly schema: InteropZodType<Response> | Record<string, unknown>;
      /** Put before the conversation in the call that makes the response. */
      readonly prompt?: string;
      /** Further options of the model's `withStructuredOutput`. */
      readonly [option: string]: unknown;
    }
  | Record<string, unknown>;

type AgentNode = '__start__' | 'agent' | 'tools';

export interface CreateReactAgentParams<
  Schema extends AgentStateSchema = AgentStateSchema,
  Response extends StructuredResponse = StructuredResponse,
  Context extends AgentStateSchema = AgentStateSchema,
> {
  /** A chat model that calls tools, or a function that chooses it for each call. */
  llm: LanguageModelLike | ModelOfState<Schema, Context>;
  tools: ToolNode | readonly AgentTool[];
  prompt?: Prompt;
  /** @deprecated Use `prompt`. */
  stateModifier?: StateModifier;
  /** @deprecated Use `prompt`. */
  messageModifier?: MessageModifier;
  /** Must have the key `messages`; `structuredResponse` too if there is a `responseFormat`. */
  stateSchema?: Schema;
  contextSchema?: Context;
  checkpointer?: BaseCheckpointSaver | boolean;
  /** The older name of `checkpointer`. */
  checkpointSaver?: BaseCheckpointSaver | boolean;
  interruptBefore?: AgentNode[] | '*';
  interruptAfter?: AgentNode[] | '*';
  store?: BaseStore;
  /** Adds a node that asks the model once more, for the key `structuredResponse`. */
  responseFormat?: ResponseFormat<Response>;
  /** Of the graph, and of its messages. */
  name?: string;
  description?: string;
  /** `inline`: the model reads each agent's name within the text, in tags. */
  includeAgentName?: 'inline';
  /** A node before each call of the model: to trim the messages, say. */
  preModelHook?: RunnableLike<ExtractStateType<Schema> & ModelInput, ExtractUpdateType<Schema> & Partial<ModelInput>>;
  /** A node after each call of the model: to check what it says, say. */
  postModelHook?: RunnableLike<ExtractStateType<Schema>, ExtractUpdateType<Schema>>;
  /** `v1` (default): one task runs all tool calls of a message; `v2`: a task for each. */
  version?: 'v1' | 'v2';
}
