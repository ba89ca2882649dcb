import { sql, type Kysely, type Migration } from 'kysely';

// A column of its own: Postgres reads no field of a `json` value that holds a NUL anywhere, and kwargs may hold any string.
export const temporaryRuns: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table runs add column temporary boolean not null default false`.execute(db);
    await sql`update runs set temporary = true where kwargs::text ~ '"temporary":\\s*true'`.execute(db);
  },
};
