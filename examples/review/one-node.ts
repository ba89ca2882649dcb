// Translate and ask in one node. The shortest form, and its price: a node runs again from its top when its interrupt is
// answered, so the model is called twice. two-nodes.ts shows the other form.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { END, START, StateGraph, type NodeConfig } from 'superstep';
import { chatModel } from '../models/chat-model.js';
import { askForEdit, ReviewState, type ReviewStateType } from './state.js';
import { translationPrompt, translationScript } from './translator.js';

export function oneNodeBuilder(model: BaseChatModel) {
  const translateAndReview = async ({ text }: ReviewStateType, config: NodeConfig) => {
    const draft = (await model.invoke(translationPrompt(text), config)).text;
    return { draft, translation: askForEdit(text, draft) };
  };
  return new StateGraph(ReviewState)
    .addNode('translate_and_review', translateAndReview)
    .addEdge(START, 'translate_and_review')
    .addEdge('translate_and_review', END);
}

export const graph = (async () => oneNodeBuilder(await chatModel(translationScript)).compile({ name: 'review' }))();
