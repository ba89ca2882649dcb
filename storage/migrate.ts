// Brings the database to the schema of this code: our tables, and those of the checkpoint saver.
import { Migrator, sql, type Migration } from 'kysely';
import { txSaver } from './checkpoint-saver.js';
import { ADD_TASK_PATH, TASK_PATH_MISSING } from './checkpoint-statements.js';
import type { Database } from './database.js';
import { assistants } from './migrations/0002-assistants.js';
import { threadsAndRuns } from './migrations/0001-threads-and-runs.js';
import { temporaryRuns } from './migrations/0003-temporary-runs.js';
import { storeAndTaskCache } from './migrations/0004-store-and-task-cache.js';
import { stepJournal } from './migrations/0005-step-journal.js';

/** In order. Added to, never edited. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-threads-and-runs': threadsAndRuns,
  '0002-assistants': assistants,
  '0003-temporary-runs': temporaryRuns,
  '0004-store-and-task-cache': storeAndTaskCache,
  '0005-step-journal': stepJournal,
};

/** Advisory lock of the saver's own set-up, which is not made for several at once. An arbitrary number of ours. */
const SAVER_SETUP_LOCK = 7_352_914_017;

/** The database was migrated by a newer version of this code. */
class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
  readonly code = 'SCHEMA_TOO_NEW';

  constructor(readonly unknownMigrations: readonly string[]) {
    super(
      `The database was migrated by a newer version (${unknownMigrations.join(', ')}). Start that version, or use another database.`,
    );
  }
}

/** Creates or upgrades all tables. Safe when several processes start at once. @throws SchemaTooNew */
export async function migrate(db: Database): Promise<void> {
  await refuseNewerSchema(db);
  const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
  const { error } = await new Migrator({ db: db.query, provider }).migrateToLatest();
  if (error !== undefined) {
    await refuseNewerSchema(db);
    throw new Error('The database could not be migrated.', { cause: error });
  }
  await setUpCheckpointTables(db);
}

async function refuseNewerSchema(db: Database): Promise<void> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db.query);
  if (tables[0]?.exists !== true) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db.query);
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in MIGRATIONS));
  if (unknown.length > 0) throw new SchemaTooNew(unknown);
}

async function setUpCheckpointTables(db: Database): Promise<void> {
  const client = await db.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('select pg_advisory_lock($1)', [SAVER_SETUP_LOCK]);
    await txSaver(client).setup();
    // Asked first: the change itself would wait for all that reads or writes checkpoints.
    const { rows } = await client.query<{ missing: boolean }>(TASK_PATH_MISSING);
    if (rows[0]?.missing === true) await client.query(ADD_TASK_PATH);
    await client.query('select pg_advisory_unlock($1)', [SAVER_SETUP_LOCK]);
  } catch (error) {
    broken = error as Error; // The lock goes with the connection.
    throw error;
  } finally {
    client.release(broken);
  }
}
