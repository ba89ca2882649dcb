import { Annotation, interrupt } from 'superstep';

export const ReviewState = Annotation.Root({
  /** English. */
  text: Annotation<string>(),
  /** As the model wrote it. */
  draft: Annotation<string>(),
  /** As the person left it. */
  translation: Annotation<string>(),
});
export type ReviewStateType = typeof ReviewState.State;

/**
 * Waits for a person's version: any text. An empty one keeps the draft.
 * @throws Error for an answer that is no text.
 */
export function askForEdit(text: string, draft: string): string {
  const answer: unknown = interrupt({ task: 'Edit the translation; an empty answer keeps it.', text, draft });
  if (typeof answer !== 'string')
    throw new Error(`Expected the edited translation as text, got ${JSON.stringify(answer)}.`);
  return answer.trim() === '' ? draft : answer;
}
