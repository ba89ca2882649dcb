// Cancels a run, and waits for it to have stopped where that is asked for.
import type { Run } from '../storage/records.js';
import type { CancelAction } from '../workflows/messages.js';
import type { ServerContext } from './context.js';
import { runEntries } from './run-events.js';

export async function stopRun(
  context: ServerContext,
  run: Run,
  action: CancelAction,
  returns: 'at_once' | 'until_stopped',
): Promise<void> {
  await context.control.cancel(run, action);
  if (returns === 'at_once') return;
  // The log ends when the run's row is settled, or gone: its nodes have stopped by then.
  const entries = runEntries(context, run, {
    after: { kind: 'frame', after: -1 },
    until: 'end',
    signal: context.closing,
  });
  for await (const entry of entries) void entry;
}
