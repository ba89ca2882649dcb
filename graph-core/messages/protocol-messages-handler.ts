// The source of `messages` for `streamEvents` v3: what chat models say as the protocol's events. Models that stream such
// events themselves are passed on; of others, and of nodes, the whole message is told in events.
import type { ChatModelStreamEvent } from '@langchain/core/language_models/event';
import { isBaseMessage, isToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { MessagesEventData } from '../stream/protocol.js';
import { MessageCallbacks } from './message-callbacks.js';
import { messageEvents } from './message-events.js';
import type { MessageMetadata, MessageSource } from './message-sources.js';
import type { StreamScope } from './stream-scope.js';

export type EmitMessageEvent = (
  ns: readonly string[],
  payload: readonly [event: MessagesEventData, metadata: MessageMetadata],
) => void;

export class ProtocolMessagesHandler extends MessageCallbacks {
  override name = 'StreamProtocolMessagesHandler';

  /** Read by chat models in @langchain/core: with it they stream events even where `invoke()` is called. */
  readonly lc_prefer_chat_model_stream_events = true;

  override awaitHandlers = true;

  readonly #emit: EmitMessageEvent;

  constructor(emit: EmitMessageEvent, scope: StreamScope) {
    super(scope);
    this.#emit = emit;
  }

  override handleChatModelStreamEvent(event: ChatModelStreamEvent, runId: string): void {
    const source = this.sourceOf(runId);
    if (source === undefined) return;
    if (event.event !== 'message-start') {
      this.#emitFrom(source, event, runId);
      return;
    }
    const id = event.id ?? `run-${runId}`;
    this.streamed.add(runId);
    this.known.add(id);
    this.messageId(id, runId);
    this.#emitFrom(source, { ...event, id }, runId);
  }

  protected override modelEnded(source: MessageSource, message: BaseMessage, runId: string): void {
    if (this.streamed.has(runId)) this.known.add(this.named(message, runId).id);
    else this.#emitNews(source, message, runId);
  }

  /** Tools' messages are told by `tools` events. */
  protected override nodeEnded(source: MessageSource, output: unknown, runId: string): void {
    for (const message of messagesIn(output)) if (!isToolMessage(message)) this.#emitNews(source, message, runId);
  }

  override push(message: BaseMessage, metadata: MessageMetadata): void {
    const ns = String((metadata['langgraph_checkpoint_ns'] as string | undefined) ?? '').split('|');
    this.known.add(message.id);
    for (const event of messageEvents(message)) this.#emitFrom({ ns, metadata }, event, undefined);
  }

  #emitNews(source: MessageSource, message: BaseMessage, runId: string): void {
    if (this.known.has(message.id ?? this.decidedId(runId))) return;
    const named = this.named(message, runId);
    this.known.add(named.id);
    for (const event of messageEvents(named)) this.#emitFrom(source, event, runId);
  }

  #emitFrom({ ns, metadata }: MessageSource, event: MessagesEventData, runId: string | undefined): void {
    this.#emit(ns, [event, runId === undefined ? metadata : { ...metadata, run_id: runId }]);
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
