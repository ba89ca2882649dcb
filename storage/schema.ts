// The tables as the query builder sees them.
export interface Schema {
  threads: { thread_id: string };
}
