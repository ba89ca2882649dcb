import { sql, type Kysely, type Migration } from 'kysely';

export const assistants: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table assistants (
        assistant_id text primary key,
        graph_id text not null,
        name text not null,
        description text,
        version integer not null default 1,
        config json not null default '{}',
        context json not null default '{}',
        metadata json not null,
        metadata_search jsonb,
        created_at timestamptz(3) not null default clock_timestamp(),
        updated_at timestamptz(3) not null default clock_timestamp()
      )`.execute(db);
    await sql`create index assistants_of_graph on assistants (graph_id)`.execute(db);
    await sql`
      create index assistants_metadata on assistants
      using gin ((coalesce(metadata_search, metadata::jsonb)) jsonb_path_ops)`.execute(db);

    await sql`
      create table assistant_versions (
        assistant_id text not null references assistants on delete cascade,
        version integer not null,
        graph_id text not null,
        name text not null,
        description text,
        config json not null default '{}',
        context json not null default '{}',
        metadata json not null,
        created_at timestamptz(3) not null default clock_timestamp(),
        primary key (assistant_id, version)
      )`.execute(db);
  },
};
