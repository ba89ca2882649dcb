// The connection to Postgres: one pool, one query builder over it, and which errors mean that Postgres is away.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.js';

export interface Database {
  readonly pool: pg.Pool;
  readonly query: Kysely<Schema>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly maxConnections: number;
}

/** Connects when first used, and again by itself when Postgres was away. */
export function openDatabase(url: string, { maxConnections }: DatabaseOptions): Database {
  const pool = new pg.Pool({ connectionString: url, max: maxConnections });
  pool.on('error', () => {});
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { pool, query, close: () => query.destroy() };
}

/** True when `error` says that Postgres could not be reached or went away, so that trying again later may succeed. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error;
}
