// Strict answers, which a caller asks for by a key of its config: each has to fit a question that is open.
import type { CheckpointPendingWrite } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { INTERRUPT, isTaskOutput } from '../constants.js';
import { UnknownInterruptError, type Interrupt } from '../errors.js';
import { isResumeMap } from './interrupt-id.js';

/** LangGraph's; internal, as keys with `__` are. */
const STRICT_RESUME = '__pregel_strict_resume';

export const wantsStrictResume = ({ configurable }: RunnableConfig): boolean => configurable?.[STRICT_RESUME] === true;

/**
 * @throws UnknownInterruptError for an answer by ids that are not those of open questions, for one without ids, and for a
 *   single answer to several questions.
 */
export function requireOpenQuestions(resume: unknown, pendingWrites: readonly CheckpointPendingWrite[]): void {
  const open = openQuestions(pendingWrites);
  const pendingIds = [...open].sort();
  if (!isResumeMap(resume) || Array.isArray(resume)) {
    if (open.size < 2) return;
    throw new UnknownInterruptError(
      'When there are multiple pending interrupts, you must specify the interrupt id when resuming.',
      { reason: 'ambiguous', pendingIds },
    );
  }
  const ids = Object.keys(resume);
  if (ids.length === 0) {
    throw new UnknownInterruptError('The resume map names no interrupt', { reason: 'empty_map', pendingIds });
  }
  const unknown = ids.filter((id) => !open.has(id)).sort();
  if (unknown.length === 0) return;
  throw new UnknownInterruptError(`Unknown or already-consumed interrupt: ${unknown[0]}`, {
    reason: 'not_pending',
    interruptIds: unknown,
    pendingIds,
  });
}

function openQuestions(pendingWrites: readonly CheckpointPendingWrite[]): ReadonlySet<string> {
  const finished = new Set(pendingWrites.filter(([, channel]) => isTaskOutput(channel)).map(([taskId]) => taskId));
  return new Set(
    pendingWrites
      .filter(([taskId, channel]) => channel === INTERRUPT && !finished.has(taskId))
      .flatMap(([, , asked]) => asked as readonly Interrupt[])
      .flatMap(({ id }) => id ?? []),
  );
}
