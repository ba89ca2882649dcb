import type { BaseMessage } from '@langchain/core/messages';
import { ROOT } from '../constants.js';
import { messagesStateReducer, type Messages } from '../messages/messages-reducer.js';
import { reducerChannel, type SingleReducer } from './annotation.js';
import { StateGraph } from './state-graph.js';
import type { LastValue } from '../channels/last-value.js';

/**
 * A graph whose whole state is a list of messages.
 * @deprecated Use a StateGraph over `MessagesAnnotation`.
 */
export class MessageGraph extends StateGraph<Record<string, LastValue<BaseMessage[]>>, BaseMessage[], Messages> {
  constructor() {
    super({
      [ROOT]: reducerChannel({ reducer: messagesStateReducer, default: () => [] } as SingleReducer<unknown>),
    } as never);
  }
}
