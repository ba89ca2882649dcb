// Threads: who owns state, and what clients read of it without opening a checkpoint.
import { sql, type SelectQueryBuilder } from 'kysely';
import { firstRow, rows, type Database } from './database.js';
import { contains, jsonText, jsonTextOrNull, searchColumn } from './json-text.js';
import type { Json, JsonObject, Thread, ThreadStatus } from './records.js';
import { THREAD_COLUMNS, toThread } from './rows.js';
import type { Schema } from './schema.js';
import { lockThread, now } from './statements.js';
import { inTransaction } from './transaction.js';

export interface NewThread {
  readonly threadId: string;
  readonly metadata: JsonObject;
  readonly ifExists: 'raise' | 'do_nothing';
}
export type ThreadCreated =
  { readonly kind: 'created' | 'existing'; readonly thread: Thread } | { readonly kind: 'conflict' };

export interface ThreadFilter {
  /** Containment, as jsonb's `@>`. */
  readonly metadata?: JsonObject;
  /** Containment; a thread that has no values yet matches nothing. */
  readonly values?: JsonObject;
  readonly status?: ThreadStatus;
  readonly ids?: readonly string[];
}
export interface ThreadSearch extends ThreadFilter {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: 'thread_id' | 'status' | 'created_at' | 'updated_at';
  readonly sortOrder: 'asc' | 'desc';
}

export class Threads {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create({ threadId, metadata, ifExists }: NewThread): Promise<ThreadCreated> {
    const created = await firstRow(
      this.#db.pool,
      this.#db.query
        .insertInto('threads')
        .values({ thread_id: threadId, metadata: jsonText(metadata), metadata_search: searchColumn(metadata) })
        .onConflict((conflict) => conflict.doNothing())
        .returning(THREAD_COLUMNS),
    );
    if (created) return { kind: 'created', thread: toThread(created) };
    const thread = ifExists === 'do_nothing' ? await this.get(threadId) : null;
    return thread ? { kind: 'existing', thread } : { kind: 'conflict' };
  }

  async get(threadId: string): Promise<Thread | null> {
    const row = await firstRow(
      this.#db.pool,
      this.#db.query.selectFrom('threads').select(THREAD_COLUMNS).where('thread_id', '=', threadId),
    );
    return row ? toThread(row) : null;
  }

  /** Shallow merge. Null: no such thread. */
  async patchMetadata(threadId: string, metadata: JsonObject): Promise<Thread | null> {
    const { query } = this.#db;
    return inTransaction(this.#db, async (tx) => {
      const thread = await tx.firstRow(lockThread(query, threadId));
      if (!thread) return null;
      const merged = { ...thread.metadata, ...metadata };
      const patched = await tx.firstRow(
        query
          .updateTable('threads')
          .set({ metadata: jsonText(merged), metadata_search: searchColumn(merged), updated_at: now })
          .where('thread_id', '=', threadId)
          .returning(THREAD_COLUMNS),
      );
      return patched ? toThread(patched) : null;
    });
  }

  /** With its runs, their blobs, and its checkpoints. False: no such thread. */
  async delete(threadId: string): Promise<boolean> {
    return inTransaction(this.#db, async (tx) => {
      const deleted = await tx.firstRow(
        this.#db.query.deleteFrom('threads').where('thread_id', '=', threadId).returning('thread_id'),
      );
      if (deleted) await tx.saver().deleteThread(threadId);
      return deleted !== undefined;
    });
  }

  async search({ limit, offset, sortBy, sortOrder, ...filter }: ThreadSearch): Promise<Thread[]> {
    const found = await rows(
      this.#db.pool,
      matching(this.#db.query.selectFrom('threads').select(THREAD_COLUMNS), filter)
        .orderBy(sortBy, sortOrder)
        .orderBy('thread_id', sortOrder)
        .limit(limit)
        .offset(offset),
    );
    return found.map(toThread);
  }

  async count(filter: ThreadFilter): Promise<number> {
    const counted = this.#db.query.selectFrom('threads').select(sql<number>`count(*)::integer`.as('threads'));
    return (await firstRow(this.#db.pool, matching(counted, filter)))?.threads ?? 0;
  }

  /** After a state edit. The status stays. */
  async updateValues(threadId: string, values: Json): Promise<void> {
    await rows(
      this.#db.pool,
      this.#db.query
        .updateTable('threads')
        .set({ values: jsonTextOrNull(values), values_search: searchColumn(values), updated_at: now })
        .where('thread_id', '=', threadId),
    );
  }
}

function matching<Row>(
  threads: SelectQueryBuilder<Schema, 'threads', Row>,
  { metadata, values, status, ids }: ThreadFilter,
): SelectQueryBuilder<Schema, 'threads', Row> {
  if (metadata && Object.keys(metadata).length > 0) threads = threads.where(contains('metadata', metadata));
  if (values && Object.keys(values).length > 0) threads = threads.where(contains('values', values));
  if (status) threads = threads.where('status', '=', status);
  if (ids) threads = threads.where('thread_id', '=', sql<string>`any(${ids})`);
  return threads;
}
