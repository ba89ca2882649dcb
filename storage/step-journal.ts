// What a superstep has told readers before it is committed, so that whoever goes on after a crash knows it and tells none
// of it again.
//   J1. A row is written by the attempt that the run is at: one that a later attempt has overtaken writes none.
//   J2. It is written before a reader sees what it holds.
//   J3. The commit of the superstep, which has its batches, and the end of the run delete it.
import type { Batch } from '../events/batch.js';
import type { Database } from './database.js';
import { rows } from './database.js';
import { jsonText } from './json-text.js';
import type { ToldTasks } from './records.js';
import { presentAttempt, type StepAttempt } from './statements.js';
import { inTransaction } from './transaction.js';

export interface JournalEntry {
  /** Sequence number of the last entry that is known by it. */
  readonly upTo: number;
  /** Of the attempt so far. */
  readonly told: ToldTasks;
  /** Of the log, and not known to be in it. Entries may be in several rows, under the same numbers. */
  readonly batches: readonly Batch[];
}

export class StepJournal {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** `stale`: a later attempt has begun, the step is committed, or the run has ended; nothing was written. */
  async write({ runId, step, attempt }: StepAttempt, entry: JournalEntry): Promise<'written' | 'stale'> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx) => {
      const present = await tx.firstRow(presentAttempt(query, { runId, step, attempt }));
      if (present === undefined) return 'stale';
      const { upTo, told, batches } = entry;
      tx.send(
        query.insertInto('step_journal').values({
          run_id: runId,
          step,
          attempt,
          up_to: upTo,
          told: jsonText(told),
          batches: jsonText(batches),
        }),
      );
      return 'written';
    });
  }

  /** Of the superstep's attempts so far, oldest first. */
  async read(runId: string, step: number): Promise<readonly JournalEntry[]> {
    const found = await rows(
      this.#db.pool,
      this.#db.query
        .selectFrom('step_journal')
        .select(['up_to', 'told', 'batches'])
        .where('run_id', '=', runId)
        .where('step', '=', step)
        .orderBy('attempt')
        .orderBy('up_to'),
    );
    return found.map(({ up_to, told, batches }) => ({ upTo: Number(up_to), told, batches }));
  }
}
