import type { BaseMessage } from '@langchain/core/messages';
import { Annotation } from '../graph/annotation.js';
import { messagesStateReducer, type Messages } from './messages-reducer.js';

/** A state of one key, `messages`, to use as it is or to spread: `Annotation.Root({...MessagesAnnotation.spec, …})`. */
export const MessagesAnnotation = Annotation.Root({
  messages: Annotation<BaseMessage[], Messages>({ reducer: messagesStateReducer, default: () => [] }),
});
