// A node that runs the tools which the last assistant message calls.
import {
  isAIMessage,
  isBaseMessage,
  isToolMessage,
  ToolMessage,
  type AIMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { Runnable, type RunnableConfig, type RunnableToolLike } from '@langchain/core/runnables';
import type { DynamicTool, StructuredToolInterface } from '@langchain/core/tools';
import type { BaseStore } from '@langchain/langgraph-checkpoint';
import { Command, isCommand } from '../command.js';
import { END } from '../constants.js';
import { ambientConfig, runAmbient } from '../engine/ambient-config.js';
import type { NodeConfig } from '../engine/node-config.js';
import { isGraphInterrupt } from '../errors.js';
import { isSend, type Send } from '../send.js';

type Tool = StructuredToolInterface | DynamicTool | RunnableToolLike;

export interface ToolNodeOptions {
  /** Default `tools`, as `toolsCondition` expects. */
  readonly name?: string;
  readonly tags?: string[];
  /** Answer the model with the error instead of failing the node. Default true. */
  readonly handleToolErrors?: boolean;
}

/** What a tool gets as its second argument, besides the fields of the node's config. */
export interface ToolRuntime<State = unknown, Context = unknown> {
  /** The state that the node was given. */
  readonly state: State;
  readonly toolCallId: string;
  readonly config: NodeConfig<Record<string, unknown>, Context>;
  readonly context: Context | undefined;
  readonly store: BaseStore | null;
  readonly writer: ((chunk: unknown) => void) | null;
}

/** A state that holds messages, or the messages alone. */
type MessagesInput = BaseMessage[] | { readonly messages: BaseMessage[] };
/** Made by an author who sends each call to a task of its own. */
type SingleCall = { readonly lg_tool_call: ToolCall };
type ToolOutput = ToolMessage | Command;

/**
 * Runs the calls of the last AI message that have no answer yet, in parallel. Its output has the form of its input: a
 * list of ToolMessages, or `{messages}`; a list of updates and Commands if a tool returned a Command.
 *
 * A tool that fails is answered with a ToolMessage of status `error`. A tool that calls `interrupt()` is not failing: the
 * node waits, and runs all its calls again after the answer.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a node of any state that holds messages
export class ToolNode<State = any> extends Runnable<State, State> {
  override lc_namespace = ['superstep'];
  override name: string;
  readonly tools: readonly Tool[];
  readonly handleToolErrors: boolean;
  readonly tags: string[] | undefined;

  constructor(tools: readonly Tool[], options: ToolNodeOptions = {}) {
    super();
    this.tools = tools;
    this.name = options.name ?? 'tools';
    this.tags = options.tags;
    this.handleToolErrors = options.handleToolErrors ?? true;
  }

  /** @throws Error for an input without messages, or without an AI message. */
  override async invoke(input: State, options: Partial<RunnableConfig> = {}): Promise<State> {
    const given = { ...ambientConfig(), ...options };
    const config = { ...given, tags: [...(given.tags ?? []), ...(this.tags ?? [])] } as NodeConfig;
    return combine(await runAmbient(config, () => this.#runCalls(input, config)), Array.isArray(input)) as State;
  }

  #runCalls(input: unknown, config: NodeConfig): Promise<ToolOutput[]> {
    if (isSingleCall(input)) {
      const { lg_tool_call: call, ...state } = input;
      return Promise.all([this.#runTool(call, state, config)]);
    }
    return Promise.all(openCalls(messagesOf(input)).map((call) => this.#runTool(call, input, config)));
  }

  async #runTool(call: ToolCall, state: unknown, config: NodeConfig): Promise<ToolOutput> {
    try {
      const tool = this.tools.find(({ name }) => name === call.name);
      if (tool === undefined) throw new Error(`Tool "${call.name}" not found.`);
      const runtime: ToolRuntime = {
        ...config,
        state,
        toolCallId: call.id ?? '',
        config,
        context: config.context,
        store: config.store ?? null,
        writer: config.writer ?? null,
      };
      const output: unknown = await tool.invoke({ ...call, type: 'tool_call' }, runtime as RunnableConfig);
      if ((isBaseMessage(output) && isToolMessage(output)) || isCommand(output)) return output;
      return new ToolMessage({
        status: 'success',
        name: tool.name,
        content: typeof output === 'string' ? output : JSON.stringify(output),
        tool_call_id: call.id ?? '',
      });
    } catch (error) {
      if (!this.handleToolErrors || isGraphInterrupt(error)) throw error;
      return new ToolMessage({
        status: 'error',
        name: call.name,
        content: `Error: ${(error as Error).message}\n Please fix your mistakes.`,
        tool_call_id: call.id ?? '',
      });
    }
  }
}

/** A conditional edge after a model's node: `tools` if its last message calls any, else `END`. */
export function toolsCondition(state: MessagesInput): 'tools' | typeof END {
  const last = (Array.isArray(state) ? state : state.messages).at(-1) as Partial<AIMessage> | undefined;
  return (last?.tool_calls?.length ?? 0) > 0 ? 'tools' : END;
}

const isSingleCall = (input: unknown): input is SingleCall =>
  typeof input === 'object' && input !== null && 'lg_tool_call' in input;

const isMessages = (value: unknown): value is BaseMessage[] => Array.isArray(value) && value.every(isBaseMessage);

function messagesOf(input: unknown): BaseMessage[] {
  const messages = isMessages(input) ? input : (input as { messages?: unknown } | null | undefined)?.messages;
  if (!isMessages(messages)) {
    throw new Error('ToolNode only accepts BaseMessage[] or { messages: BaseMessage[] } as input.');
  }
  return messages;
}

function openCalls(messages: BaseMessage[]): ToolCall[] {
  const answered = new Set(messages.filter((message) => isToolMessage(message)).map((message) => message.tool_call_id));
  const asking = messages.findLast((message) => isAIMessage(message));
  if (asking === undefined) throw new Error('ToolNode only accepts AIMessages as input.');
  return (asking.tool_calls ?? []).filter((call) => call.id === undefined || !answered.has(call.id));
}

function combine(outputs: readonly ToolOutput[], asList: boolean): unknown {
  if (!outputs.some(isCommand)) return asList ? outputs : { messages: outputs };
  const combined: unknown[] = [];
  const sentToParent: Send[] = [];
  for (const output of outputs) {
    if (!isCommand(output)) combined.push(asList ? [output] : { messages: [output] });
    else if (output.graph === Command.PARENT && output.goto.length > 0 && output.goto.every(isSend))
      sentToParent.push(...(output.goto as Send[]));
    else combined.push(output);
  }
  // One Command leaves the graph, so the tools' Sends to the parent travel in one.
  if (sentToParent.length > 0) combined.push(new Command({ graph: Command.PARENT, goto: sentToParent }));
  return combined;
}
