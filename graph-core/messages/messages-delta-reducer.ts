// The reducer of a `messages` channel that stores what was written: it folds many writes at once, and gives the same
// however they are grouped.
import { BaseMessage, RemoveMessage, type BaseMessageLike } from '@langchain/core/messages';
import { REMOVE_ALL_MESSAGES, toWholeMessage, type Messages } from './messages-reducer.js';

/** Tells the engine that ids have to be given to messages before they are stored: a replay must find the same ones. */
const BRAND = Symbol.for('langgraph.messages_delta_reducer');

/**
 * The same id replaces, a RemoveMessage deletes (an unknown id is no error), the rest is appended; messages without an id
 * are kept as they are.
 */
export const messagesDeltaReducer = Object.defineProperty(
  (state: BaseMessage[], writes: Messages[]): BaseMessage[] => {
    const result: (BaseMessage | undefined)[] = BaseMessage.isInstance(state[0])
      ? [...state]
      : state.map(toWholeMessage);
    const positions = new Map<string, number>();
    for (const [position, message] of result.entries()) if (message?.id != null) positions.set(message.id, position);
    for (const message of (writes.flat() as BaseMessageLike[]).map(toWholeMessage)) {
      const { id } = message;
      const position = id == null ? undefined : positions.get(id);
      if (RemoveMessage.isInstance(message)) {
        if (id === REMOVE_ALL_MESSAGES) {
          result.length = 0;
          positions.clear();
        } else if (id == null) {
          result.push(message);
        } else if (position !== undefined) {
          result[position] = undefined;
          positions.delete(id);
        }
      } else if (position !== undefined) {
        result[position] = message;
      } else {
        if (id != null) positions.set(id, result.length);
        result.push(message);
      }
    }
    return result.filter((message) => message !== undefined);
  },
  BRAND,
  { value: true },
);

export const isMessagesDeltaReducer = (reducer: unknown): boolean =>
  typeof reducer === 'function' && (reducer as { [BRAND]?: unknown })[BRAND] === true;
