// The ledger of a superstep's attempts, in the run's row until the superstep is committed.
import type { Database } from './database.js';
import { jsonText } from './json-text.js';
import type { AttemptLedger, ToldTasks } from './records.js';
import { now, uncommitted } from './statements.js';
import { inTransaction } from './transaction.js';

export interface AttemptNote {
  readonly step: number;
  /** 1-based. */
  readonly attempt: number;
}

export interface ClosedAttempt extends AttemptNote {
  readonly told?: ToldTasks | undefined;
}

/** Changes the ledger under the row's lock, so that tasks that fail at the same time are all counted. */
export async function recordAttempt(
  db: Database,
  runId: string,
  step: number,
  change: (ledger: AttemptLedger) => AttemptLedger,
): Promise<AttemptLedger | null> {
  return inTransaction(db, async (tx) => {
    const run = await tx.firstRow(
      db.query.selectFrom('runs').select('attempts').where('run_id', '=', runId).where(uncommitted(step)).forUpdate(),
    );
    if (!run) return null;
    const ledger = change(run.attempts?.step === step ? run.attempts : emptyLedger(step));
    tx.send(
      db.query
        .updateTable('runs')
        .set({ attempts: jsonText(ledger), attempt: latest(ledger), updated_at: now })
        .where('run_id', '=', runId),
    );
    return ledger;
  });
}

const emptyLedger = (step: number): AttemptLedger => ({ step, opened: [], closed: [], nodeFailures: {} });

const latest = ({ opened }: AttemptLedger): number => Math.max(1, ...opened);
