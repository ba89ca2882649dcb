// Cancels a run and waits for it to have stopped.
import type { Response } from 'express';
import type { Run } from '../storage/records.js';
import type { CancelAction } from '../workflows/messages.js';
import type { ServerContext } from './context.js';
import { ServiceError } from './errors.js';
import { runEntries } from './run-events.js';

/** Returns when its nodes have stopped and its row is settled, or gone; or when nobody waits for that any more. */
export async function stopRunAndWait(
  context: ServerContext,
  run: Run,
  action: CancelAction,
  res: Response,
): Promise<void> {
  await context.control.cancel(run, action);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  res.once('close', leave);
  try {
    const signal = AbortSignal.any([gone.signal, context.closing]);
    // The log ends with the run.
    for await (const entry of runEntries(context, run, { after: { kind: 'frame', after: -1 }, until: 'end', signal }))
      void entry;
  } finally {
    res.off('close', leave);
  }
  if (context.closing.aborted) {
    throw new ServiceError('UNAVAILABLE', `The server is stopping. Run ${run.runId} has been asked to stop as well.`);
  }
}
