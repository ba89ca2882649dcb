import { sql, type Kysely, type Migration } from 'kysely';

// `json` keeps any string as it is; `jsonb` only where it is searched or changed in place, and for text of our own.
// Times have the precision of a JavaScript Date, so that what was read compares with what is stored.
export const threadsAndRuns: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table threads (
        thread_id text primary key,
        created_at timestamptz(3) not null default clock_timestamp(),
        updated_at timestamptz(3) not null default clock_timestamp(),
        status text not null default 'idle' check (status in ('idle', 'busy', 'interrupted', 'error')),
        metadata json not null,
        metadata_search jsonb,
        "values" json,
        values_search jsonb,
        interrupts json not null default '{}',
        config json not null default '{}',
        error json
      )`.execute(db);
    await sql`
      create index threads_metadata on threads
      using gin ((coalesce(metadata_search, metadata::jsonb)) jsonb_path_ops)`.execute(db);
    await sql`create index threads_created on threads (created_at)`.execute(db);
    await sql`create index threads_updated on threads (updated_at)`.execute(db);

    await sql`
      create table runs (
        run_id text primary key,
        thread_id text not null references threads on delete cascade,
        assistant_id text not null,
        graph_id text not null,
        state text not null default 'pending'
          check (state in ('pending', 'running', 'paused', 'success', 'error', 'timeout', 'interrupted')),
        created_at timestamptz(3) not null default clock_timestamp(),
        updated_at timestamptz(3) not null default clock_timestamp(),
        started_at timestamptz(3),
        ended_at timestamptz(3),
        metadata json not null,
        kwargs json not null,
        multitask_strategy text not null
          check (multitask_strategy in ('reject', 'enqueue', 'interrupt', 'rollback')),
        not_before timestamptz(3),
        attempt integer not null default 1,
        segments jsonb not null default '[]',
        pause json,
        resume json,
        committed_step integer,
        last_step json,
        attempts json,
        error json
      )`.execute(db);
    // The order of a thread's runs is the order of submitting.
    await sql`create unique index runs_of_thread on runs (thread_id, created_at)`.execute(db);
    // No time in it: a committed superstep then changes no index.
    await sql`create index runs_open on runs (thread_id) where state in ('pending', 'running')`.execute(db);

    await sql`
      create table blobs (
        blob_id text not null,
        run_id text not null references runs on delete cascade,
        bytes bytea not null,
        primary key (blob_id, run_id)
      )`.execute(db);
    await sql`create index blobs_of_run on blobs (run_id)`.execute(db);
  },
};
