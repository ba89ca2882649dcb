import { Annotation } from 'superstep';
import type { Passage } from './passage-index.js';

export const ResearchState = Annotation.Root({
  question: Annotation<string>(),
  /** What to search next. */
  queries: Annotation<readonly string[]>(),
  searched: Annotation<readonly string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  /** Found so far, each once. */
  passages: Annotation<readonly Passage[]>({ reducer: mergePassages, default: () => [] }),
  /** Times the critic has looked. */
  reviews: Annotation<number>({ reducer: (_, count) => count, default: () => 0 }),
  report: Annotation<string>(),
  outcome: Annotation<Outcome>(),
});
export type ResearchStateType = typeof ResearchState.State;

export type Outcome =
  | { readonly kind: 'published'; readonly title: string; readonly report: string }
  | { readonly kind: 'rejected'; readonly reason: string };

function mergePassages(found: readonly Passage[], more: readonly Passage[]): readonly Passage[] {
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...more.filter(({ id }) => !known.has(id))];
}
