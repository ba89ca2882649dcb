import type { BaseMessage } from '@langchain/core/messages';
import { z } from 'zod/v3';
import { Annotation } from '../graph/annotation.js';
import { withLangGraph, type SchemaMeta } from '../zod/meta.js';
import { messagesStateReducer, type Messages } from './messages-reducer.js';

/** A state of one key, `messages`, to use as it is or to spread: `Annotation.Root({...MessagesAnnotation.spec, …})`. */
export const MessagesAnnotation = Annotation.Root({
  messages: Annotation<BaseMessage[], Messages>({ reducer: messagesStateReducer, default: () => [] }),
});

/** The same of a key of a zod state: `withLangGraph(z.custom<BaseMessage[]>(), MessagesZodMeta)`. */
export const MessagesZodMeta: SchemaMeta<BaseMessage[], Messages> = {
  reducer: { fn: messagesStateReducer },
  jsonSchemaExtra: { langgraph_type: 'messages' },
  default: () => [],
};

/** The same state as a zod 3 object, to use as it is or to extend. */
export const MessagesZodState = z.object({ messages: withLangGraph(z.custom<BaseMessage[]>(), MessagesZodMeta) });
