// Cancels a run and waits for it to have stopped.
import type { Response } from 'express';
import type { Run } from '../storage/records.js';
import type { CancelAction } from '../workflows/messages.js';
import type { ServerContext } from './context.js';
import { ServiceError } from './errors.js';
import { runEntries } from './run-events.js';

/** A node that ignores its signal is left behind within seconds; longer it takes only where no worker is there to stop it. */
const MAX_WAIT_MS = 60_000;

/**
 * `stopped`: its nodes have stopped, or were left behind, and its row is settled, or gone. `stopping`: it has been asked
 * to, and has not yet; or nobody waits for it any more.
 */
export async function stopRunAndWait(
  context: ServerContext,
  run: Run,
  action: CancelAction,
  res: Response,
): Promise<'stopped' | 'stopping'> {
  await context.control.cancel(run, action);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  res.once('close', leave);
  const patience = AbortSignal.timeout(MAX_WAIT_MS);
  try {
    const signal = AbortSignal.any([gone.signal, context.closing, patience]);
    // The log ends with the run.
    for await (const entry of runEntries(context, run, { after: { kind: 'frame', after: -1 }, until: 'end', signal }))
      void entry;
  } finally {
    res.off('close', leave);
  }
  if (context.closing.aborted) {
    throw new ServiceError('UNAVAILABLE', `The server is stopping. Run ${run.runId} has been asked to stop as well.`);
  }
  return gone.signal.aborted || patience.aborted ? 'stopping' : 'stopped';
}
