// Translate in one node and ask in the next. The draft is in the state, and thus in a checkpoint, before anybody is
// asked: the answer, days later, runs the asking node again and not the model.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { END, START, StateGraph, type NodeConfig } from 'superstep';
import { chatModel } from '../models/chat-model.js';
import { askForEdit, ReviewState, type ReviewStateType } from './state.js';
import { translationPrompt, translationScript } from './translator.js';

export function twoNodesBuilder(model: BaseChatModel) {
  const translate = async ({ text }: ReviewStateType, config: NodeConfig) => ({
    draft: (await model.invoke(translationPrompt(text), config)).text,
  });
  const review = ({ text, draft }: ReviewStateType) => ({ translation: askForEdit(text, draft) });
  return new StateGraph(ReviewState)
    .addNode('translate', translate)
    .addNode('review', review)
    .addEdge(START, 'translate')
    .addEdge('translate', 'review')
    .addEdge('review', END);
}

export const graph = (async () =>
  twoNodesBuilder(await chatModel(translationScript)).compile({ name: 'review_two_nodes' }))();
