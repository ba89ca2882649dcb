// Answers a paused run, so that the same run continues; says why where that cannot be.
import type { Json, Run } from '../storage/records.js';
import type { ServerContext } from './context.js';
import { runNotFound, ServiceError } from './errors.js';

/** @throws ServiceError RUN_NOT_PAUSED, PAUSE_ALREADY_ANSWERED, INTERRUPT_NOT_FOUND, AMBIGUOUS_RESUME, RUN_NOT_FOUND */
export async function answerPause(context: ServerContext, run: Run, answer: Exclude<Json, null>): Promise<Run> {
  const outcome = await context.control.resume(run, answer);
  switch (outcome.kind) {
    case 'resumed':
      return outcome.run;
    case 'missing':
      throw runNotFound(run.runId);
    case 'not_paused':
      throw outcome.answered
        ? new ServiceError(
            'PAUSE_ALREADY_ANSWERED',
            `Run ${run.runId} is not waiting any more: another answer was accepted first.`,
            { field: 'resume' },
          )
        : new ServiceError('RUN_NOT_PAUSED', `Run ${run.runId} is not waiting for an answer: it is ${outcome.state}.`, {
            field: 'run_id',
          });
    case 'cancelled':
      throw new ServiceError('RUN_NOT_PAUSED', `Run ${run.runId} is not waiting any more: it was cancelled.`, {
        field: 'run_id',
      });
    case 'unknown_interrupt':
      throw new ServiceError(
        'INTERRUPT_NOT_FOUND',
        `No interrupt ${outcome.unknown.join(', ')} waits in run ${run.runId}. Waiting: ${listed(outcome.waiting)}.`,
        { field: `resume.${outcome.unknown[0] ?? ''}` },
      );
    case 'ambiguous':
      throw new ServiceError(
        'AMBIGUOUS_RESUME',
        `${outcome.waiting.length} interrupts wait in run ${run.runId}: answer with a map by interrupt id. Waiting: ${listed(outcome.waiting)}.`,
        { field: 'resume' },
      );
  }
}

const listed = (ids: readonly string[]): string =>
  ids.length === 0 ? 'none by id (a breakpoint: any answer continues it)' : ids.join(', ');
