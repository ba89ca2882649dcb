import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type Assistants, systemAssistantId } from '../../storage/assistants.js';
import { blobIdOf } from '../../storage/blobs.js';
import { isUnavailable, openDatabase } from '../../storage/database.js';
import { migrate } from '../../storage/migrate.js';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import { openStorage, submitted, type Storage } from './fixtures.js';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
}, POSTGRES_START_TIMEOUT_MS);
afterAll(() => storage.close());

async function emptyDatabase(name: string): Promise<string> {
  await sql`create database ${sql.id(name)}`.execute(storage.db.query);
  const url = new URL(storage.postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

const migrationNames = (): string[] =>
  readdirSync('storage/migrations')
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();

test('several processes may migrate an empty database at once', async () => {
  const url = await emptyDatabase('migrated_at_once');
  const databases = Array.from({ length: 5 }, () => openDatabase(url, { maxConnections: 1 }));
  try {
    await Promise.all(databases.map((db) => migrate(db)));
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      databases[0]!.query,
    );
    expect(rows.map(({ name }) => name)).toEqual(migrationNames());
  } finally {
    await Promise.all(databases.map((db) => db.close()));
  }
}, 60_000);

test('a database of a newer version is refused', async () => {
  const db = openDatabase(await emptyDatabase('newer'), { maxConnections: 2 });
  try {
    await migrate(db);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '')`.execute(db.query);
    await expect(migrate(db)).rejects.toMatchObject({
      code: 'SCHEMA_TOO_NEW',
      message: expect.stringContaining('9999-from-the-future'),
    });
  } finally {
    await db.close();
  }
}, 60_000);

test('connections that were killed are replaced', async () => {
  const db = openDatabase(storage.postgres.url, { maxConnections: 3 });
  try {
    const pids = await Promise.all(
      [1, 2, 3].map(async () => (await db.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid),
    );
    await sql`select pg_terminate_backend(pid) from unnest(${pids}::integer[]) as pid`.execute(storage.db.query);
    const answer = async (): Promise<unknown> => {
      try {
        return (await db.pool.query<{ one: number }>('select 1 as one')).rows[0];
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return answer();
      }
    };
    expect(await answer()).toEqual({ one: 1 });
  } finally {
    await db.close();
  }
});

test('a server that is not there is unavailable, a mistake in a statement is not', async () => {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none', { maxConnections: 1 });
  const refused = await db.pool.query('select 1').catch((error: unknown) => error);
  const mistake = await storage.db.pool.query('select nonsense').catch((error: unknown) => error);
  expect([isUnavailable(refused), isUnavailable(mistake)]).toEqual([true, false]);
  await db.close();
});

test.each(['57P01', '57P02', '57P03', '08006', '53300', 'ECONNRESET'])('%s means unavailable', (code) => {
  expect(isUnavailable({ code })).toBe(true);
  expect(isUnavailable(new Error('while committing', { cause: { code } }))).toBe(true);
});

test('the system assistant of a graph has the id that LangGraph servers give it', () => {
  expect(systemAssistantId('agent')).toBe('fe096781-5601-53d2-b2f6-0d3403f7e9ca');
});

test('system assistants are made once, and found by id, by graph and by filters', async () => {
  const assistants: Assistants = storage.assistants;
  await Promise.all([assistants.upsertSystem(['agent', 'other']), assistants.upsertSystem(['agent'])]);
  const byGraph = await assistants.get('agent');
  expect(byGraph).toMatchObject({ graphId: 'agent', name: 'agent', version: 1, metadata: { created_by: 'system' } });
  expect(await assistants.get(systemAssistantId('agent'))).toEqual(byGraph);
  expect(await assistants.get('missing')).toBeNull();
  const page = { limit: 10, offset: 0, sortBy: 'name', sortOrder: 'asc' } as const;
  const found = async (filter: object) => (await assistants.search({ ...page, ...filter })).map(({ name }) => name);
  expect(await found({ metadata: { created_by: 'system' } })).toEqual(['agent', 'other']);
  expect(await found({ graphId: 'other' })).toEqual(['other']);
  expect(await found({ name: 'GEN' })).toEqual(['agent']);
  expect(await assistants.count({ metadata: { created_by: 'ada' } })).toBe(0);
});

test('a blob stays as long as one of the runs that refer to it', async () => {
  const [first, second] = [await submitted(storage), await submitted(storage)];
  const bytes = Buffer.from([0, 1, 2, 255]);
  const ids = await storage.blobs.putMany(first.runId, [bytes, bytes, Buffer.from('other')]);
  expect(ids[0]).toBe(blobIdOf(bytes));
  expect(await storage.blobs.put(second.runId, bytes)).toBe(ids[0]);
  await storage.runs.delete(first.threadId, first.runId);
  expect(await storage.blobs.get(ids[0]!)).toEqual(bytes);
  expect(await storage.blobs.get(ids[2]!)).toBeNull();
});
