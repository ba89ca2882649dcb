// Results of tasks under a cache policy, in Postgres: what one worker has computed, all of them know.
import { BaseCache, type CacheFullKey, type CacheNamespace } from '@langchain/langgraph-checkpoint';
import { sql } from 'kysely';
import { rows, type Database } from './database.js';
import { now } from './statements.js';

/** Of one sweep. */
const MAX_DELETED = 10_000;

export class TaskCache<Value = unknown> extends BaseCache<Value> {
  readonly #db: Database;

  constructor(db: Database) {
    super();
    this.#db = db;
  }

  /** Those of the keys that are there and have not expired. */
  async get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: Value }[]> {
    if (keys.length === 0) return [];
    const namespaces = keys.map(([namespace]) => columnOf(namespace));
    const wanted = sql`unnest(${namespaces}::text[], ${keys.map(([, key]) => key)}::text[])`;
    const found = await rows(
      this.#db.pool,
      this.#db.query
        .selectFrom('task_cache')
        .select(['namespace', 'key', 'type', 'value'])
        .where(sql<boolean>`(namespace, key) in (select * from ${wanted})`)
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)])),
    );
    return Promise.all(
      found.map(async ({ namespace, key, type, value }) => ({
        key: [JSON.parse(namespace) as CacheNamespace, key] as CacheFullKey,
        value: (await this.serde.loadsTyped(type, value)) as Value,
      })),
    );
  }

  /** @param pairs `ttl` in seconds; absent: until it is cleared. */
  async set(pairs: { key: CacheFullKey; value: Value; ttl?: number }[]): Promise<void> {
    // Of the same key twice the last: Postgres updates no row twice in one statement.
    const byKey = new Map(pairs.map((pair) => [JSON.stringify(pair.key), pair]));
    if (byKey.size === 0) return;
    const values = await Promise.all(
      [...byKey.values()].map(async ({ key: [namespace, key], value, ttl }) => {
        const [type, bytes] = await this.serde.dumpsTyped(value);
        const expires_at = ttl === undefined ? null : sql<Date>`${now} + make_interval(secs => ${ttl})`;
        return { namespace: columnOf(namespace), key, type, value: Buffer.from(bytes), expires_at };
      }),
    );
    values.sort((a, b) => (a.namespace + a.key < b.namespace + b.key ? -1 : 1)); // Two at once: no deadlock.
    await rows(
      this.#db.pool,
      this.#db.query
        .insertInto('task_cache')
        .values(values)
        .onConflict((conflict) =>
          conflict.columns(['namespace', 'key']).doUpdateSet((is) => ({
            type: is.ref('excluded.type'),
            value: is.ref('excluded.value'),
            expires_at: is.ref('excluded.expires_at'),
          })),
        ),
    );
  }

  /** All of these namespaces; without any, everything. */
  async clear(namespaces: CacheNamespace[]): Promise<void> {
    const all = this.#db.query.deleteFrom('task_cache');
    const statement = namespaces.length === 0 ? all : all.where('namespace', 'in', namespaces.map(columnOf));
    await rows(this.#db.pool, statement);
  }

  /** For the sweep: rows that nobody gets any more. Those that are being written again stay. */
  async deleteExpired(): Promise<void> {
    const { query } = this.#db;
    const expired = query.selectFrom('task_cache').select(['namespace', 'key']).where('expires_at', '<=', now);
    const free = expired.limit(MAX_DELETED).forUpdate().skipLocked();
    const statement = query.deleteFrom('task_cache').where(sql<boolean>`(namespace, key) in ${free}`);
    await rows(this.#db.pool, statement);
  }
}

/** Unlike joined labels, never that of another namespace. */
const columnOf = (namespace: CacheNamespace): string => JSON.stringify(namespace);
