// A message's id is kept in two places.
import type { BaseMessage } from '@langchain/core/messages';
import { v4 as uuid4 } from '@langchain/core/utils/uuid';

/**
 * Set in place: what streams and states recognise is this very object. The id goes into `lc_kwargs` too, because that is
 * what serialisation reads.
 */
export function withId(message: BaseMessage, id: string): BaseMessage {
  if (message.id !== id) {
    message.id = id;
    (message.lc_kwargs as Record<string, unknown>)['id'] = id;
  }
  return message;
}

/** With a UUID where it has no id. */
export const withSomeId = (message: BaseMessage): BaseMessage =>
  message.id === undefined || message.id === null ? withId(message, uuid4()) : message;
