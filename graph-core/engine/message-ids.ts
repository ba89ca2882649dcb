// Ids of messages that are written to a delta channel: a replay of the write must find the same ones each time.
import { BaseMessage, coerceMessageLikeToMessage, type BaseMessageLike } from '@langchain/core/messages';
import { v4 as uuid4 } from '@langchain/core/utils/uuid';
import type { Channel } from '../channels/channel.js';
import { isDeltaChannel } from '../channels/delta.js';
import { isMessagesDeltaReducer } from '../messages/messages-delta-reducer.js';
import { withSomeId } from '../messages/message-id.js';
import { Overwrite, overwriteOf } from '../overwrite.js';

/** The write as it is stored. Where the channel holds messages, all that can be one gets an id; elsewhere instances do. */
export function identified(channel: Channel | undefined, value: unknown): unknown {
  if (!isDeltaChannel(channel)) return value;
  if (!isMessagesDeltaReducer(channel.reducer)) {
    stamp(value);
    return value;
  }
  const overwrite = overwriteOf(value);
  if (overwrite === undefined) return Array.isArray(value) ? each(value, likeWithId) : likeWithId(value);
  if (!Array.isArray(overwrite.value)) return value;
  const messages = each(overwrite.value, messageWithId);
  return messages === overwrite.value ? value : new Overwrite(messages);
}

/** The same list if no item changes. */
function each(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

/** Plain objects stay plain. */
function likeWithId(item: unknown): unknown {
  if (!isPlain(item)) return messageWithId(item);
  const message = messageOf(item);
  return message === undefined || message.id ? item : { ...item, id: uuid4() };
}

function messageWithId(item: unknown): unknown {
  const message = messageOf(item);
  return message === undefined ? item : withSomeId(message);
}

/** What is no message is left for the reducer to refuse. */
function messageOf(item: unknown): BaseMessage | undefined {
  if (BaseMessage.isInstance(item)) return item;
  try {
    return coerceMessageLikeToMessage(item as BaseMessageLike);
  } catch {
    return undefined;
  }
}

function stamp(value: unknown): void {
  if (BaseMessage.isInstance(value)) withSomeId(value);
  else if (Array.isArray(value)) value.forEach(stamp);
  else {
    const overwrite = overwriteOf(value);
    if (overwrite !== undefined) stamp(overwrite.value);
  }
}

function isPlain(item: unknown): item is object {
  if (typeof item !== 'object' || item === null || 'lc' in item) return false;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === Object.prototype || prototype === null;
}
