// The source of `messages` for `streamEvents` v3: what chat models say as the protocol's events. Models that stream such
// events themselves are passed on; of others, and of nodes, the whole message is told in events.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { ChatModelStreamEvent } from '@langchain/core/language_models/event';
import type { Serialized } from '@langchain/core/load/serializable';
import { isBaseMessage, isToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatGeneration, LLMResult } from '@langchain/core/outputs';
import type { ChainValues } from '@langchain/core/utils/types';
import type { MessagesEventData } from '../stream/protocol.js';
import { messageEvents } from './message-events.js';
import { KnownMessages, MessageSources, withId, type MessageMetadata, type MessageSource } from './message-sources.js';
import type { StreamScope } from './stream-scope.js';

export type EmitMessageEvent = (
  ns: readonly string[],
  payload: readonly [event: MessagesEventData, metadata: MessageMetadata],
) => void;

export class ProtocolMessagesHandler extends BaseCallbackHandler {
  override name = 'StreamProtocolMessagesHandler';

  /** Read by chat models in @langchain/core: with it they stream events even where `invoke()` is called. */
  readonly lc_prefer_chat_model_stream_events = true;

  override awaitHandlers = true;

  readonly #emit: EmitMessageEvent;
  readonly #sources: MessageSources;
  readonly #known = new KnownMessages();
  /** Model runs that stream events. */
  readonly #streamed = new Set<string>();
  /** The one id of a run's messages. */
  readonly #messageIds = new Map<string, string>();

  constructor(emit: EmitMessageEvent, scope: StreamScope) {
    super();
    this.#emit = emit;
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

  override handleChatModelStreamEvent(event: ChatModelStreamEvent, runId: string): void {
    const source = this.#sources.get(runId);
    if (source === undefined) return;
    if (event.event !== 'message-start') {
      this.#emitFrom(source, event, runId);
      return;
    }
    const id = event.id ?? `run-${runId}`;
    this.#streamed.add(runId);
    this.#known.add(id);
    if (!this.#messageIds.has(runId)) this.#messageIds.set(runId, id);
    this.#emitFrom(source, { ...event, id }, runId);
  }

  override handleLLMEnd(output: LLMResult, runId: string): void {
    const source = this.#sources.get(runId);
    const message = (output.generations[0]?.[0] as ChatGeneration | undefined)?.message;
    if (source !== undefined && isBaseMessage(message)) {
      if (this.#streamed.has(runId)) this.#known.add(this.#withRunId(message, runId).id);
      else this.#emitNews(source, message, runId);
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

  /** Tools' messages are told by `tools` events. */
  override handleChainEnd(outputs: ChainValues, runId: string): void {
    const source = this.#sources.get(runId);
    if (source !== undefined) {
      for (const message of messagesIn(outputs)) {
        if (!isToolMessage(message)) this.#emitNews(source, message, runId);
      }
    }
    this.#forget(runId);
  }

  override handleChainError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  /** Emits a message that no model made, from the task that the metadata are of. */
  push(message: BaseMessage, metadata: MessageMetadata): void {
    const ns = String((metadata['langgraph_checkpoint_ns'] as string | undefined) ?? '').split('|');
    this.#known.add(message.id);
    for (const event of messageEvents(message)) this.#emitFrom({ ns, metadata }, event, undefined);
  }

  #emitNews(source: MessageSource, message: BaseMessage, runId: string): void {
    if (this.#known.has(message.id ?? this.#messageIds.get(runId))) return;
    const named = this.#withRunId(message, runId);
    this.#known.add(named.id);
    for (const event of messageEvents(named)) this.#emitFrom(source, event, runId);
  }

  #withRunId(message: BaseMessage, runId: string): BaseMessage {
    const ownId = `run-${runId}`;
    if (isToolMessage(message)) return withId(message, message.id ?? `${ownId}-tool-${message.tool_call_id}`);
    const id = message.id === undefined || message.id === ownId ? (this.#messageIds.get(runId) ?? ownId) : message.id;
    if (!this.#messageIds.has(runId)) this.#messageIds.set(runId, id);
    return withId(message, id);
  }

  #emitFrom({ ns, metadata }: MessageSource, event: MessagesEventData, runId: string | undefined): void {
    this.#emit(ns, [event, runId === undefined ? metadata : { ...metadata, run_id: runId }]);
  }

  #forget(runId: string): void {
    this.#sources.end(runId);
    this.#streamed.delete(runId);
    this.#messageIds.delete(runId);
  }
}

/** Of a node's output: alone, in a list, in the fields of an update. What Commands carry is not looked at. */
function* messagesIn(output: unknown): Generator<BaseMessage> {
  if (isBaseMessage(output)) yield output;
  else if (Array.isArray(output))
    yield* (output as unknown[]).filter((item): item is BaseMessage => isBaseMessage(item));
  else if (typeof output === 'object' && output !== null) {
    for (const value of Object.values(output) as unknown[])
      if (Array.isArray(value) || isBaseMessage(value)) yield* messagesIn(value);
  }
}
