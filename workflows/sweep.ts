// The `sweep` workflow: a Temporal Schedule starts it, so that lost runs are found once however many servers there are.
import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities } from './messages.js';

/** One attempt: the schedule is the retry. */
const { sweep: findLostRuns } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
});

export const sweep: SweepActivities['sweep'] = () => findLostRuns();
