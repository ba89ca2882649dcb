// Research with a person at the end: plan, search in parallel, let a critic send it back, write, and publish only what
// somebody has approved.
//
//   plan ──▶ search × n ──▶ critic ──▶ write ──▶ publish (asks)
//              ▲               │
//              └───────────────┘  while something is missing, twice at most
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { END, Send, START, StateGraph, type NodeConfig } from 'superstep';
import { askForApproval } from '../models/approval.js';
import { chatModel } from '../models/chat-model.js';
import { PassageIndex } from './passage-index.js';
import { criticPrompt, planPrompt, queriesOf, reportPrompt } from './prompts.js';
import { criticScript, planScript, reportScript } from './scripts.js';
import { ResearchState, type ResearchStateType } from './state.js';

export interface ResearchParts {
  readonly planner: BaseChatModel;
  readonly critic: BaseChatModel;
  readonly writer: BaseChatModel;
  readonly library: PassageIndex;
}

const MAX_REVIEWS = 2;
const HITS_PER_QUERY = 3;

export function researchBuilder({ planner, critic, writer, library }: ResearchParts) {
  const plan = async ({ question }: ResearchStateType, config: NodeConfig) => {
    if (!question?.trim()) throw new Error('The input needs a question: {"question": "…"}.');
    return { queries: queriesOf((await planner.invoke(planPrompt(question), config)).text) };
  };

  const search = (task: unknown, { writer: report }: NodeConfig) => {
    const { query } = task as { readonly query: string };
    const hits = library.search(query, HITS_PER_QUERY);
    report?.({ query, found: hits.map(({ passage }) => passage.id) });
    return { searched: [query], passages: hits.map(({ passage }) => passage) };
  };

  const review = async ({ question, searched, passages, reviews }: ResearchStateType, config: NodeConfig) => {
    const answer = await critic.invoke(criticPrompt(question, searched, passages), config);
    return { reviews: reviews + 1, queries: queriesOf(answer.text).filter((query) => !searched.includes(query)) };
  };

  const write = async ({ question, passages }: ResearchStateType, config: NodeConfig) => ({
    report: (await writer.invoke(reportPrompt(question, passages), config)).text,
  });

  // Nothing before the question may have an effect: this node runs again from its top once it is answered.
  const publish = ({ question, report }: ResearchStateType) => {
    const [decision] = askForApproval([
      { name: 'publish_report', args: { title: question, report }, description: 'Publish this report?' },
    ]);
    if (decision?.type === 'reject') return { outcome: { kind: 'rejected', reason: decision.message ?? '' } as const };
    const args = decision?.type === 'edit' ? decision.edited_action.args : {};
    return { outcome: { kind: 'published', title: question, report, ...args } as const };
  };

  const searches = ({ queries }: ResearchStateType) => queries.map((query) => new Send('search', { query }));

  return new StateGraph(ResearchState)
    .addNode('plan', plan)
    .addNode('search', search)
    .addNode('critic', review)
    .addNode('write', write)
    .addNode('publish', publish)
    .addEdge(START, 'plan')
    .addConditionalEdges('plan', searches, ['search'])
    .addEdge('search', 'critic')
    .addConditionalEdges(
      'critic',
      (state) => (state.queries.length > 0 && state.reviews <= MAX_REVIEWS ? searches(state) : 'write'),
      ['search', 'write'],
    )
    .addEdge('write', 'publish')
    .addEdge('publish', END);
}

export const corpus = new URL('./corpus/', import.meta.url);

/** A promise, because a provider's package is loaded only where there is a key for it. */
export const graph = (async () =>
  researchBuilder({
    planner: await chatModel(planScript),
    critic: await chatModel(criticScript),
    writer: await chatModel(reportScript),
    library: PassageIndex.ofFolder(corpus),
  }).compile({ name: 'research' }))();
