// `pushMessage()`: a node says something before it has finished.
import { coerceMessageLikeToMessage, type BaseMessage, type BaseMessageLike } from '@langchain/core/messages';
import { CallbackManager } from '@langchain/core/callbacks/manager';
import type { RunnableConfig } from '@langchain/core/runnables';
import { callConfig } from '../engine/call-options.js';
import { taskContextOf } from '../engine/task-context.js';
import { MessageCallbacks } from './message-callbacks.js';

export interface PushMessageOptions extends RunnableConfig {
  /** The state key it is written to as well, with what the node returns. Default `messages`; `null`: none. */
  readonly stateKey?: string | null;
}

/**
 * Streams a message at once, in mode `messages`, and writes it to the state when the task finishes.
 * @param message with an id.
 * @param options The node's config, where the call is not in the node's own async context.
 * @throws Error for a message without an id.
 */
export function pushMessage(
  message: BaseMessage | BaseMessageLike,
  { stateKey = 'messages', ...given }: PushMessageOptions = {},
): BaseMessage {
  const config = callConfig(undefined, given);
  const pushed = coerceMessageLikeToMessage(message);
  if (!pushed.id) throw new Error('Message ID is required.');
  const { callbacks } = config;
  const handlers = callbacks instanceof CallbackManager ? callbacks.handlers : (callbacks ?? []);
  for (const handler of handlers) {
    if (handler instanceof MessageCallbacks) {
      handler.push(pushed, config.metadata ?? {});
    }
  }
  if (stateKey) taskContextOf(config)?.write(stateKey, pushed);
  return pushed;
}
