// A run as Platform clients see it: a paused one reads as the success that those servers call it.
import type { Run, RunState } from '../../storage/records.js';

export type PlatformRunStatus = Exclude<RunState, 'paused'>;

const platformStatus = (state: RunState): PlatformRunStatus => (state === 'paused' ? 'success' : state);

/** The states that a Platform status filter selects. */
export const statesOf = (status: PlatformRunStatus): readonly RunState[] =>
  status === 'success' ? ['success', 'paused'] : [status];

export const runView = (run: Run) => ({
  run_id: run.runId,
  thread_id: run.threadId,
  assistant_id: run.assistantId,
  status: platformStatus(run.state),
  metadata: run.metadata,
  kwargs: kwargsView(run),
  multitask_strategy: run.multitaskStrategy,
  created_at: (run.notBefore ?? run.createdAt).toISOString(),
  updated_at: run.updatedAt.toISOString(),
});

function kwargsView({ kwargs }: Run) {
  const { stream_subgraphs: subgraphs, stream_resumable: resumable, ...rest } = kwargs;
  return { ...rest, subgraphs, resumable };
}
