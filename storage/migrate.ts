// Brings the database to the schema of this code.
import type { Database } from './database.js';

/** Creates or upgrades all tables. Safe when several processes start at once. @throws SchemaTooNew */
export async function migrate(db: Database): Promise<void> {
  void db;
  throw new Error('not built');
}
