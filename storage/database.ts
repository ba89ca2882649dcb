// The connection to Postgres: one pool, one query builder over it, and which errors mean that Postgres is away.
import { Kysely, PostgresDialect, type Compilable } from 'kysely';
import pg from 'pg';
import { BYTEA_ARRAY, parseByteaArrays } from './bytea-arrays.js';
import type { Schema } from './schema.js';

export interface Database {
  readonly pool: pg.Pool;
  /** Builds statements; {@link rows} runs them, on the pool or within a transaction. */
  readonly query: Kysely<Schema>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly maxConnections: number;
}

/** How long a request waits for a connection before Postgres counts as unavailable. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Connects when first used, and again by itself when Postgres was away. */
export function openDatabase(url: string, { maxConnections }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: typeParser },
  });
  // A connection that dies, idle or between two statements, is dropped by the pool. Whoever was using it learns of it
  // by its next statement; without these listeners the process would end instead.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { pool, query, close: () => query.destroy() };
}

const typeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === BYTEA_ARRAY && format !== 'binary'
    ? parseByteaArrays
    : (pg.types.getTypeParser as (oid: number, format?: string) => unknown)(
        oid,
        format,
      )) as typeof pg.types.getTypeParser;

/** Whatever takes statements: the pool, or the connection that a transaction is open on. */
export type Connection = Pick<pg.ClientBase, 'query'> | Pick<pg.Pool, 'query'>;

export async function rows<Row>(on: Connection, statement: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = statement.compile();
  const { rows } = await (on as pg.Pool).query(sql, [...parameters]);
  return rows as Row[];
}

export async function firstRow<Row>(on: Connection, statement: Compilable<Row>): Promise<Row | undefined> {
  return (await rows(on, statement))[0];
}

const NETWORK_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** SQLSTATE: connection exceptions; shutdown, crash and start-up of the server; too many connections. */
const UNAVAILABLE_STATES = /^(08...|57P0[123]|53300)$/;
/** What `pg` says without a code. */
const CONNECTION_LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|timeout exceeded when trying to connect|timeout expired)/;

/**
 * True when `error` says that Postgres could not be reached or went away, so that trying again later may succeed.
 * Judged by what the error carries: its class may come from another realm, or be lost on the way.
 */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, errors, cause } = error as Partial<Record<'code' | 'message' | 'errors' | 'cause', unknown>>;
  if (typeof code === 'string' && (NETWORK_ERRORS.has(code) || UNAVAILABLE_STATES.test(code))) return true;
  if (typeof message === 'string' && CONNECTION_LOST.test(message)) return true;
  return (Array.isArray(errors) && errors.some(isUnavailable)) || isUnavailable(cause);
}
