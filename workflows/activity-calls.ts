// The activities of a thread as the workflow calls them: time-outs, retries, cancellation, and how operators see them.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import { settleSummary, stepSummary } from './operator-view.js';
import type {
  SettleInput,
  SettleResult,
  StepPolicy,
  SuperstepInput,
  SuperstepResult,
  ThreadActivities,
} from './messages.js';

export interface ThreadCalls {
  superstep(input: SuperstepInput): Promise<SuperstepResult>;
  /** Retried until it succeeds. */
  settle(input: SettleInput): Promise<SettleResult>;
}

/**
 * What may be retried is decided by the activity (activities/failures.ts), which throws the rest as non-retryable; so
 * attempts are not limited here. A lost worker's attempt is retried for the same reason, and counted by the activity.
 */
const RETRY = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;
/** One transaction; a settling that takes longer has lost its worker. */
const SETTLE_TIMEOUT = '30s';

export function threadCalls({ startToCloseMs, heartbeatTimeoutMs }: StepPolicy): ThreadCalls {
  const { superstep } = proxyActivities<Pick<ThreadActivities, 'superstep'>>({
    startToCloseTimeout: startToCloseMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry: RETRY,
    // A run counts as stopped when its nodes have stopped, not when they were asked to.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
  const { settle } = proxyActivities<Pick<ThreadActivities, 'settle'>>({
    startToCloseTimeout: SETTLE_TIMEOUT,
    retry: RETRY,
  });
  return {
    superstep: (input) => {
      const { step, next } = input.progress ?? { step: 1, next: input.run.firstNodes ?? [] };
      return superstep.executeWithOptions({ summary: stepSummary(step, next) }, [input]);
    },
    settle: (input) => settle.executeWithOptions({ summary: settleSummary(input) }, [input]),
  };
}
