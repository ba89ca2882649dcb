// Groups the `messages` events of one graph into a stream for each message.
import { ChatModelStream } from '@langchain/core/language_models/stream';
import type { ChatModelStreamEvent } from '@langchain/core/language_models/event';
import { isWithin, type Namespace } from './namespace.js';
import type { ChatModelStreamHandle, MessagesEventData, ProtocolEvent, StreamTransformer } from './protocol.js';
import { StreamChannel } from './stream-channel.js';

export interface MessagesTransformerProjection {
  messages: AsyncIterable<ChatModelStreamHandle>;
}

/**
 * @param path The graph whose nodes' messages are wanted; those of graphs below are not.
 * @param node Only what this node says.
 */
export function createMessagesTransformer(
  path: Namespace,
  node?: string,
): StreamTransformer<MessagesTransformerProjection> {
  return new MessagesTransformer(path, node);
}

class MessagesTransformer implements StreamTransformer<MessagesTransformerProjection> {
  readonly #messages = StreamChannel.local<ChatModelStreamHandle>();
  /** Messages that have begun and not ended; tools' messages are no model's, and stay out. */
  readonly #open = new Map<string, StreamChannel<ChatModelStreamEvent> | 'ignored'>();

  constructor(
    private readonly path: Namespace,
    private readonly node: string | undefined,
  ) {}

  init(): MessagesTransformerProjection {
    return { messages: this.#messages.toAsyncIterable() };
  }

  process(event: ProtocolEvent): boolean {
    const { method, params } = event;
    // A model runs in a task, one level below its graph.
    const wanted =
      method === 'messages' &&
      params.namespace.length === this.path.length + 1 &&
      isWithin(params.namespace, this.path) &&
      (this.node === undefined || params.node === this.node);
    if (wanted) this.#take(params.data as MessagesEventData, params);
    return true;
  }

  #take(data: MessagesEventData, { namespace, node }: ProtocolEvent['params']): void {
    const key = messageKey(data);
    if (data.event === 'message-start') {
      this.#open.set(key, data.role === 'tool' ? 'ignored' : this.#begin(data, namespace, node));
      return;
    }
    const message = this.#open.get(key);
    if (message === undefined) return;
    if (message !== 'ignored' && isPart(data)) message.push(data);
    if (data.event === 'message-finish') {
      if (message !== 'ignored') message.close();
      this.#open.delete(key);
    }
  }

  #begin(data: MessagesEventData, namespace: Namespace, node: string | undefined): StreamChannel<ChatModelStreamEvent> {
    const events = StreamChannel.local<ChatModelStreamEvent>();
    events.push(data);
    this.#messages.push(Object.assign(new ChatModelStream(events.toAsyncIterable()), { namespace, node }));
    return events;
  }

  finalize(): void {
    for (const message of this.#open.values()) {
      if (message === 'ignored') continue;
      message.push({ event: 'message-finish' });
      message.close();
    }
    this.#open.clear();
    this.#messages.close();
  }

  fail(error: unknown): void {
    for (const message of this.#open.values()) if (message !== 'ignored') message.fail(error);
    this.#open.clear();
    this.#messages.fail(error);
  }
}

const PARTS: readonly string[] = [
  'content-block-start',
  'content-block-delta',
  'content-block-finish',
  'message-finish',
  'error',
];

const isPart = ({ event }: MessagesEventData): boolean => PARTS.includes(event);

/** Messages of parallel models are told apart by their runs. */
function messageKey(data: MessagesEventData): string {
  if (typeof data.run_id === 'string') return `run:${data.run_id}`;
  return data.event === 'message-start' && typeof data.id === 'string' ? `message:${data.id}` : '';
}
