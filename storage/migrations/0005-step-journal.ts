import { sql, type Kysely, type Migration } from 'kysely';

// What a superstep has told before its commit, which empties it. Rows are as small as a batch of the log, and few.
export const stepJournal: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table step_journal (
        run_id text not null references runs on delete cascade,
        step integer not null,
        attempt integer not null,
        up_to bigint not null,
        told json not null,
        batches json not null,
        primary key (run_id, step, attempt, up_to)
      )`.execute(db);
  },
};
