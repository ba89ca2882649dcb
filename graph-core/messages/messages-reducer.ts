// How a `messages` channel takes an update: by id. The same id replaces, a RemoveMessage deletes, the rest is appended.
import {
  AIMessage,
  BaseMessageChunk,
  ChatMessage,
  coerceMessageLikeToMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
  type BaseMessageLike,
} from '@langchain/core/messages';
import { withSomeId } from './message-id.js';

/** The id of a RemoveMessage that drops every message before it, those of the same update included. */
export const REMOVE_ALL_MESSAGES = '__remove_all__';

/** What a `messages` channel accepts: one message or several, as instances, `[role, text]` pairs, dicts or plain text. */
export type Messages = BaseMessage | BaseMessageLike | readonly (BaseMessage | BaseMessageLike)[];

type MessageClass = new (fields: never) => BaseMessage;

const WHOLE_MESSAGE_CLASS: Readonly<Record<string, MessageClass>> = {
  human: HumanMessage,
  ai: AIMessage,
  system: SystemMessage,
  tool: ToolMessage,
  function: FunctionMessage,
  generic: ChatMessage,
};

/** Fields of a chunk that a whole message does not have. */
const isChunkField = (field: string): boolean =>
  field === 'type' || field === 'tool_call_chunks' || field.startsWith('lc_');

/** State holds whole messages only: a chunk that a node returned is complete by then. */
export function toWholeMessage(like: BaseMessage | BaseMessageLike): BaseMessage {
  const message = coerceMessageLikeToMessage(like);
  if (!BaseMessageChunk.isInstance(message)) return message;
  const Whole = WHOLE_MESSAGE_CLASS[message.getType()];
  if (Whole === undefined) return message;
  const fields = Object.fromEntries(Object.entries(message).filter(([field]) => !isChunkField(field)));
  return new Whole(fields as never);
}

const toMessages = (messages: Messages): BaseMessage[] =>
  // A pair such as ['user', 'hi'] is an array too, and is read as two messages, as everywhere in LangGraph.
  (Array.isArray(messages) ? (messages as readonly BaseMessageLike[]) : [messages as BaseMessageLike])
    .map(toWholeMessage)
    .map(withSomeId);

/**
 * Merges an update into a list of messages. Messages without an id get a UUID.
 * @throws Error if a RemoveMessage names an id that neither the list nor the update so far contains.
 */
export function messagesStateReducer(current: Messages, update: Messages): BaseMessage[] {
  const existing = toMessages(current);
  const incoming = toMessages(update);

  const clearAt = incoming.findLastIndex(
    (message) => RemoveMessage.isInstance(message) && message.id === REMOVE_ALL_MESSAGES,
  );
  if (clearAt >= 0) return incoming.slice(clearAt + 1);

  const merged = [...existing];
  const positions = new Map(existing.map((message, position) => [message.id, position]));
  const removed = new Set<string | undefined>();
  for (const message of incoming) {
    const position = positions.get(message.id);
    if (RemoveMessage.isInstance(message)) {
      if (position === undefined) {
        throw new Error(`Attempting to delete a message with an ID that doesn't exist ('${message.id}')`);
      }
      removed.add(message.id);
    } else if (position === undefined) {
      positions.set(message.id, merged.length);
      merged.push(message);
    } else {
      removed.delete(message.id);
      merged[position] = message;
    }
  }
  return merged.filter((message) => !removed.has(message.id));
}
