// The part that both sources of `messages` share: callbacks that follow a run's chat models and nodes.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import { isBaseMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatGeneration, LLMResult } from '@langchain/core/outputs';
import type { ChainValues } from '@langchain/core/utils/types';
import { withId } from './message-id.js';
import { KnownMessages, MessageSources, type MessageMetadata, type MessageSource } from './message-sources.js';
import type { StreamScope } from './stream-scope.js';

export abstract class MessageCallbacks extends BaseCallbackHandler {
  protected readonly known = new KnownMessages();
  /** Model runs that have streamed anything. */
  protected readonly streamed = new Set<string>();
  readonly #sources: MessageSources;
  /** The one id of a model run's messages. */
  readonly #messageIds = new Map<string, string>();

  constructor(scope: StreamScope) {
    super();
    this.#sources = new MessageSources(scope);
  }

  /** Emits a message that no model made, from the task that the metadata are of. */
  abstract push(message: BaseMessage, metadata: MessageMetadata): void;

  protected abstract modelEnded(source: MessageSource, message: BaseMessage, runId: string): void;

  protected abstract nodeEnded(source: MessageSource, output: unknown, runId: string): void;

  /** Who speaks; undefined where the stream leaves it out. */
  protected sourceOf(runId: string): MessageSource | undefined {
    return this.#sources.get(runId);
  }

  /** The first id that the provider gives decides; without one it is `run-<run id>`. */
  protected messageId(id: string | undefined, runId: string): string {
    const ownId = `run-${runId}`;
    const decided = id === undefined || id === ownId ? (this.#messageIds.get(runId) ?? ownId) : id;
    if (!this.#messageIds.has(runId)) this.#messageIds.set(runId, decided);
    return decided;
  }

  /** The same, if it is decided. */
  protected decidedId(runId: string): string | undefined {
    return this.#messageIds.get(runId);
  }

  protected named(message: BaseMessage, runId: string): BaseMessage {
    return withId(message, this.messageId(message.id, runId));
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

  override handleLLMEnd(output: LLMResult, runId: string): void {
    const source = this.sourceOf(runId);
    const message = (output.generations[0]?.[0] as ChatGeneration | undefined)?.message;
    if (source !== undefined && isBaseMessage(message)) this.modelEnded(source, message, runId);
    this.#forget(runId);
  }

  override handleLLMError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  /** Messages that a node was given are not its own. */
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
    if (this.#sources.node({ runId, tags, metadata, name })) this.known.addFrom(Object.values(inputs ?? {}));
  }

  override handleChainEnd(outputs: ChainValues, runId: string): void {
    const source = this.sourceOf(runId);
    if (source !== undefined) this.nodeEnded(source, outputs, runId);
    this.#forget(runId);
  }

  override handleChainError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  #forget(runId: string): void {
    this.#sources.end(runId);
    this.#messageIds.delete(runId);
    this.streamed.delete(runId);
  }
}
