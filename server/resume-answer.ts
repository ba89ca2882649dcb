// Whether an answer says which of the waiting interrupts it is for.
import { isResumeMap } from '../graph-core/index.js';
import type { Json } from '../storage/records.js';
import type { ResumeOutcome } from './run-control.js';

/**
 * What speaks against an answer to a pause at the interrupts `waiting` (ids). An object with the id of one is meant as a
 * map, so its other keys must be ids that wait as well. Undefined: nothing, as far as can be told without the pause's row.
 */
export function answerFault(
  answer: Exclude<Json, null>,
  waiting: readonly string[],
): Extract<ResumeOutcome, { readonly kind: 'unknown_interrupt' | 'ambiguous' }> | undefined {
  const keys = typeof answer === 'object' && !Array.isArray(answer) ? Object.keys(answer) : [];
  const unknown = keys.filter((key) => !waiting.includes(key));
  if (unknown.length > 0 && unknown.length < keys.length) return { kind: 'unknown_interrupt', unknown, waiting };
  // `[]` and `{}` are answers, not maps.
  const isMap = keys.length > 0 && isResumeMap(answer);
  return waiting.length > 1 && !isMap ? { kind: 'ambiguous', waiting } : undefined;
}
