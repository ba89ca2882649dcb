import { sql, type Kysely, type Migration } from 'kysely';

// `value` as in threads: kept as it was written, with a second, escaped form where `jsonb` would refuse it. Items have
// the order of their first put; `position` says so where two of them have the same time.
export const storeAndTaskCache: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table store_items (
        namespace text[] not null,
        key text not null,
        position bigint generated always as identity,
        value json not null,
        value_search jsonb,
        created_at timestamptz(3) not null default clock_timestamp(),
        updated_at timestamptz(3) not null default clock_timestamp(),
        primary key (namespace, key)
      )`.execute(db);

    await sql`
      create table task_cache (
        namespace text not null,
        key text not null,
        type text not null,
        value bytea not null,
        expires_at timestamptz,
        primary key (namespace, key)
      )`.execute(db);
    await sql`create index task_cache_expiry on task_cache (expires_at) where expires_at is not null`.execute(db);
  },
};
