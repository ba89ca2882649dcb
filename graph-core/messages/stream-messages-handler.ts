// The source of stream mode `messages`: a callback handler that rides along with a run and sees every chat model and
// every node in it.
//   M1. A chat model's tokens are emitted as they come, even where the node calls `invoke()`: the handler asks for
//       streaming (`lc_prefer_streaming`), and the model obliges.
//   M2. All chunks of one model run carry one id, and the message a node then returns with that id is not emitted again.
//   M3. A message that a node was given, or that a nested graph had before it resumed, is never emitted as if it were new.
import { BaseCallbackHandler, type HandleLLMNewTokenCallbackFields } from '@langchain/core/callbacks/base';
import { AIMessageChunk, isBaseMessage, isToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { Serialized } from '@langchain/core/load/serializable';
import type { ChatGeneration, ChatGenerationChunk, LLMResult } from '@langchain/core/outputs';
import type { ChainValues } from '@langchain/core/utils/types';
import { isCommand } from '../command.js';
import { KnownMessages, MessageSources, withId, type MessageMetadata, type MessageSource } from './message-sources.js';
import { namespaceIn, showsGraph, taskNamespaceOf, WHOLE_RUN, type StreamScope } from './stream-scope.js';

export type { MessageMetadata } from './message-sources.js';

/** `ns`: namespace of the graph the node belongs to, `[]` for the root. */
export type EmitMessage = (
  ns: readonly string[],
  payload: readonly [message: BaseMessage, metadata: MessageMetadata],
) => void;

export class StreamMessagesHandler extends BaseCallbackHandler {
  override name = 'StreamMessagesHandler';

  /** Read by chat models in @langchain/core: with it `invoke()` streams internally. */
  readonly lc_prefer_streaming = true;

  readonly #emit: EmitMessage;
  readonly #scope: StreamScope;
  readonly #sources: MessageSources;
  readonly #known = new KnownMessages();
  /** The one id of a model run's chunks. */
  readonly #messageIds = new Map<string, string>();
  /** Model runs that have sent at least one token. */
  readonly #streamed = new Set<string>();

  constructor(emit: EmitMessage, scope: StreamScope = WHOLE_RUN) {
    super();
    this.#emit = emit;
    this.#scope = scope;
    this.#sources = new MessageSources(scope);
  }

  override handleChatModelStart(
    _model: Serialized,
    _messages: BaseMessage[][],
    runId: string,
    _parentRunId?: string,
    _extraParams?: Record<string, unknown>,
    tags?: string[],
    metadata?: Record<string, unknown>,
    name?: string,
  ): void {
    this.#sources.model({ runId, tags, metadata, name });
  }

  override handleLLMNewToken(
    token: string,
    _index: unknown,
    runId: string,
    _parentRunId?: string,
    _tags?: string[],
    fields?: HandleLLMNewTokenCallbackFields,
  ): void {
    this.#streamed.add(runId);
    const source = this.#sources.get(runId);
    if (source === undefined) return;
    const chunk = fields?.chunk as ChatGenerationChunk | undefined;
    this.#emitFrom(source, this.#withRunId(chunk?.message ?? new AIMessageChunk({ content: token }), runId));
  }

  override handleLLMEnd(output: LLMResult, runId: string): void {
    const source = this.#sources.get(runId);
    const message = (output.generations[0]?.[0] as ChatGeneration | undefined)?.message;
    if (source !== undefined && !this.#streamed.has(runId) && isBaseMessage(message) && !this.#known.has(message.id)) {
      this.#emitFrom(source, this.#withRunId(message, runId));
    }
    this.#forget(runId);
  }

  override handleLLMError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  override handleChainStart(
    _chain: Serialized,
    inputs: ChainValues,
    runId: string,
    _parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    name?: string,
  ): void {
    if (this.#sources.node({ runId, tags, metadata, name })) this.#known.addFrom(Object.values(inputs ?? {}));
  }

  /**
   * Of a graph that resumes: the messages among the values, or in lists among them, were emitted when they were made (M3),
   * unless its nodes are not part of the stream.
   */
  resumes(ns: string, values: readonly unknown[]): void {
    if (showsGraph(this.#scope, ns)) this.#known.addFrom(values);
  }

  override handleChainEnd(outputs: ChainValues, runId: string): void {
    const source = this.#sources.get(runId);
    this.#forget(runId);
    if (source === undefined) return;
    let position = 0;
    for (const message of messagesIn(outputs)) {
      if (!this.#known.has(message.id)) {
        const fallback = isToolMessage(message)
          ? `run-${runId}-tool-${message.tool_call_id}`
          : `run-${runId}-out-${position}`;
        this.#emitFrom(source, withId(message, message.id ?? fallback));
      }
      position += 1;
    }
  }

  override handleChainError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  /** Emits a message that no model made, from the task that the metadata are of. */
  push(message: BaseMessage, metadata: MessageMetadata): void {
    const taskNs = taskNamespaceOf(metadata);
    const ns = taskNs === undefined ? [] : namespaceIn(this.#scope, taskNs, metadata);
    if (ns !== undefined) this.#emitFrom({ ns, metadata }, message);
  }

  #forget(runId: string): void {
    this.#sources.end(runId);
    this.#messageIds.delete(runId);
    this.#streamed.delete(runId);
  }

  /** The first chunk that brings an id of the provider's own decides; until then it is `run-<run id>`. */
  #withRunId(message: BaseMessage, runId: string): BaseMessage {
    const ownId = `run-${runId}`;
    const id = message.id === undefined || message.id === ownId ? (this.#messageIds.get(runId) ?? ownId) : message.id;
    if (!this.#messageIds.has(runId)) this.#messageIds.set(runId, id);
    return withId(message, id);
  }

  #emitFrom(source: MessageSource, message: BaseMessage): void {
    this.#known.add(message.id);
    this.#emit(source.ns, [message, source.metadata]);
  }
}

/** Messages of a node's output: alone, in a list, in the fields of an update, in Commands among them. */
function* messagesIn(output: unknown): Generator<BaseMessage> {
  if (isBaseMessage(output)) yield output;
  else if (isCommand(output)) yield* messagesIn(output.update);
  else if (Array.isArray(output)) {
    const items = output as unknown[];
    if (items.some(isCommand)) for (const item of items) yield* messagesIn(item);
    else yield* items.filter((item): item is BaseMessage => isBaseMessage(item));
  } else if (typeof output === 'object' && output !== null) {
    for (const value of Object.values(output) as unknown[]) {
      if (Array.isArray(value)) yield* messagesIn(value);
      else if (isBaseMessage(value)) yield value;
    }
  }
}
