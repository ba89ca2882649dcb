// A Command given as input, as writes.
import type { CheckpointPendingWrite } from '@langchain/langgraph-checkpoint';
import { Command, updateAsWrites } from '../command.js';
import { branchTo, NULL_TASK_ID, RESUME, START, TASKS } from '../constants.js';
import { InvalidUpdateError } from '../errors.js';
import { isSend } from '../send.js';
import type { Write } from './apply-writes.js';
import { isResumeMap } from './interrupt-id.js';

/**
 * By owner: the null task for goto, update and an answer to whoever asks; an interrupt's id for an answer to it.
 * @throws InvalidUpdateError for a Command to a parent: input has none.
 */
export function commandWrites(
  { graph, goto, resume, update }: Command,
  pending: readonly CheckpointPendingWrite[],
): Map<string, Write[]> {
  if (graph === Command.PARENT) throw new InvalidUpdateError('There is no parent graph.');
  const writes = new Map<string, Write[]>();
  const add = (taskId: string, write: Write): void => {
    const own = writes.get(taskId);
    if (own) own.push(write);
    else writes.set(taskId, [write]);
  };
  for (const to of goto) add(NULL_TASK_ID, isSend(to) ? [TASKS, to] : [branchTo(to), START]);
  if (resume !== undefined && resume !== null) {
    if (isResumeMap(resume) && Object.keys(resume).length > 0) {
      for (const [id, answer] of Object.entries(resume)) add(id, [RESUME, [...answersTo(id, pending), answer]]);
    } else {
      add(NULL_TASK_ID, [RESUME, resume]);
    }
  }
  if (update) for (const write of updateAsWrites(update)) add(NULL_TASK_ID, write);
  return writes;
}

const answersTo = (id: string, pending: readonly CheckpointPendingWrite[]): readonly unknown[] =>
  pending
    .filter(([taskId, channel]) => taskId === id && channel === RESUME)
    .slice(0, 1)
    .map(([, , answers]) => answers);
