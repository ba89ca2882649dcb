// The run that a path names.
import type { Run } from '../storage/records.js';
import type { ServerContext } from './context.js';
import { runNotFound } from './errors.js';

/** Without a thread: wherever the run is. @throws ServiceError RUN_NOT_FOUND */
export async function findRun(
  context: ServerContext,
  { threadId, runId }: { readonly threadId?: string; readonly runId: string },
): Promise<Run> {
  const run = await context.runs.get(threadId, runId);
  if (run === null) throw runNotFound(runId);
  return run;
}
