// Activities that do what a test says, in place of graph and database: for tests of the workflow alone.
import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Batch } from '../../events/batch.js';
import type { LogPosition } from '../../events/entry.js';
import {
  FAILURE,
  type RunProgress,
  type SettleInput,
  type SettleResult,
  type SuperstepInput,
  type SuperstepResult,
  type ThreadActivities,
} from '../../workflows/messages.js';

/** One superstep of a script. `hang`: until it is cancelled. */
export type ScriptedStep = 'continue' | 'pause' | 'done' | 'hang' | 'fail' | 'gone';

export class ScriptedSteps implements ThreadActivities {
  /** By run id; the last entry is repeated. */
  readonly scripts = new Map<string, readonly ScriptedStep[]>();
  readonly supersteps: SuperstepInput[] = [];
  readonly settled: SettleInput[] = [];
  /** What `settle` answers to `superseded`. */
  supersede: 'settled' | 'answered' = 'settled';

  readonly superstep = async (input: SuperstepInput): Promise<SuperstepResult> => {
    this.supersteps.push(input);
    const step = input.progress?.step ?? 1;
    const script = this.scripts.get(input.run.runId) ?? ['done'];
    const end = after(input.end);
    const batches = [batchOf(input.end, end)];
    const progress = { ...start(input, end), step: step + 1 };
    switch (script[step - 1] ?? script.at(-1)) {
      case 'continue':
        return { kind: 'continue', progress, batches };
      case 'pause': {
        const waitingFor = [{ interruptId: 'a'.repeat(32), node: 'review', summary: 'May I?' }];
        return { kind: 'paused', progress: { ...progress, pauses: progress.pauses + 1 }, waitingFor, batches };
      }
      case 'hang':
        return this.#hang(end);
      case 'fail': {
        const error = { error: 'TypeError', message: 'It broke.', node: 'research' };
        throw ApplicationFailure.nonRetryable(error.message, FAILURE.nodeFailed, error, end);
      }
      case 'gone':
        return { kind: 'gone' };
      case 'done':
      case undefined:
        return { kind: 'done', end, batches };
    }
  };

  readonly settle = async (input: SettleInput): Promise<SettleResult> => {
    if (input.outcome.kind === 'superseded' && this.supersede === 'answered') return { kind: 'answered' };
    this.settled.push(input);
    const end = after(input.end);
    return { kind: 'settled', batches: [batchOf(input.end, end)], end };
  };

  async #hang(end: LogPosition): Promise<never> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), 100);
    try {
      return await context.cancelled;
    } catch {
      throw new CancelledFailure('stopped', [end]);
    } finally {
      clearInterval(beat);
    }
  }
}

const start = ({ progress }: SuperstepInput, end: LogPosition): RunProgress => ({
  step: progress?.step ?? 1,
  checkpointId: `checkpoint-${progress?.step ?? 1}`,
  stop: 25,
  next: ['research', 'critic'],
  pauses: progress?.pauses ?? 0,
  end,
});

const after = ({ seq, frame }: LogPosition): LogPosition => ({ seq: seq + 2, frame: frame + 1 });

const batchOf = (before: LogPosition, last: LogPosition): Batch => ({
  first: { seq: before.seq + 1, frame: before.frame + 1 },
  last,
  entries: 2,
  body: { kind: 'inline', deflated: '' },
});
