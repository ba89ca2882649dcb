// A transaction in few round trips: statements whose rows nobody waits for are sent behind one another, COMMIT included.
import type { Compilable } from 'kysely';
import type pg from 'pg';
import { CheckpointSaver, txSaver } from './checkpoint-saver.js';
import { firstRow, rows, type Database } from './database.js';

/** A statement that had to find a row found none, and so nothing of its transaction was done. */
export class NothingFoundError extends Error {
  override readonly name = 'NothingFoundError';
}

/** SQLSTATE of a division by zero. */
const DIVISION_BY_ZERO = '22012';

export class Transaction {
  readonly #sent: Promise<unknown>[] = [];

  constructor(readonly client: pg.ClientBase) {}

  rows<Row>(statement: Compilable<Row>): Promise<Row[]> {
    return rows(this.client, statement);
  }

  firstRow<Row>(statement: Compilable<Row>): Promise<Row | undefined> {
    return firstRow(this.client, statement);
  }

  /** Sends a statement without waiting for it; if it fails, so does the transaction. */
  send(statement: Compilable<unknown>): void {
    this.#note(rows(this.client, statement));
  }

  /**
   * Sends a guard: a statement that returns rows, or else the transaction fails with {@link NothingFoundError}. What is sent
   * behind it need not wait for its answer: the server refuses all of it when the guard has failed.
   */
  require(guard: Compilable<unknown>): void {
    const { sql, parameters } = guard.compile();
    const counted = this.client.query(`with found as (${sql}) select 1 / count(*) from found`, [...parameters]);
    this.#note(
      counted.catch((error: unknown) => {
        throw (error as { code?: unknown }).code === DIVISION_BY_ZERO ? new NothingFoundError() : error;
      }),
    );
  }

  /**
   * Sends a statement whose first row is wanted when the transaction is committed. Returned by itself it would be awaited
   * before that: put it into an object.
   */
  laterRow<Row>(statement: Compilable<Row>): Promise<Row | undefined> {
    const row = firstRow(this.client, statement);
    this.#note(row);
    return row;
  }

  /** For reading and writing checkpoints within this transaction. */
  saver(): CheckpointSaver {
    return txSaver(this.client);
  }

  /** For writing checkpoints only: its statements are sent as with {@link send}. */
  checkpointWriter(): Pick<CheckpointSaver, 'put' | 'putWrites'> {
    return CheckpointSaver.within({
      query: (text, values) => {
        this.#note(this.client.query(text, values));
        return Promise.resolve({ rows: [] });
      },
    });
  }

  begin(): void {
    this.#note(this.client.query('BEGIN'));
  }

  /**
   * Resolves when everything that was sent is committed. A statement that failed has made COMMIT a roll-back; the first one
   * says why, those behind it were refused.
   */
  async commit(): Promise<void> {
    this.#note(this.client.query('COMMIT'));
    const failed = (await Promise.allSettled(this.#sent)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  async rollback(): Promise<void> {
    await this.client.query('ROLLBACK');
  }

  #note(answer: Promise<unknown>): void {
    answer.catch(() => {}); // Seen by commit().
    this.#sent.push(answer);
  }
}

/**
 * Runs `work` in one transaction: all that it writes is committed, or nothing is. When the connection dies during COMMIT
 * nobody knows which; every verb of storage can be repeated for that reason.
 */
export async function inTransaction<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  let broken: Error | undefined;
  try {
    const tx = new Transaction(client);
    tx.begin();
    try {
      const result = await work(tx);
      await tx.commit();
      return result;
    } catch (error) {
      await tx.rollback().catch((cause: unknown) => {
        broken = cause instanceof Error ? cause : new Error(String(cause));
      });
      throw error;
    }
  } finally {
    client.release(broken);
  }
}
