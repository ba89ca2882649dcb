// A list of chat messages as a field of a StateSchema.
import type { BaseMessage } from '@langchain/core/messages';
import { z } from 'zod/v4';
import { messagesDeltaReducer } from '../messages/messages-delta-reducer.js';
import { messagesStateReducer, type Messages } from '../messages/messages-reducer.js';
import { DeltaValue } from './delta-value.js';
import { ReducedValue } from './reduced-value.js';

const jsonSchemaExtra = { langgraph_type: 'messages', description: 'A list of chat messages' };
const value = z.custom<BaseMessage[]>().default(() => []);
/** Anything: the reducer makes messages of it, or refuses. */
const input = z.custom<Messages>();

/** Updates are messages in any form; the same id replaces, a RemoveMessage deletes, the rest is appended. */
export const MessagesValue = new ReducedValue<BaseMessage[], Messages>(value, {
  inputSchema: input,
  reducer: messagesStateReducer,
  jsonSchemaExtra,
});

/** The same, for long lists: a checkpoint stores the messages of its superstep, not all of them. */
export const MessagesDeltaValue = new DeltaValue<BaseMessage[], Messages>(value, {
  inputSchema: input,
  reducer: messagesDeltaReducer,
  jsonSchemaExtra,
});
