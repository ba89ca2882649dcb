// Statements on the saver's tables that the saver has not: writes with their task's path, and delta channels by their writes.

const INTO_WRITES = `insert into checkpoint_writes
  (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)`;

/** A task's own writes: the first of each place stands. */
export const INSERT_WRITE = `${INTO_WRITES} do nothing`;

/** Notes of what became of a task: the last counts. */
export const UPSERT_WRITE = `${INTO_WRITES} do update set
  channel = excluded.channel, type = excluded.type, blob = excluded.blob, task_path = excluded.task_path`;

/** LangGraph's savers in Python have this column; the one in JavaScript does without. */
export const TASK_PATH_MISSING = `select not exists (
  select from pg_attribute where attrelid = 'checkpoint_writes'::regclass and attname = 'task_path'
) as missing`;
export const ADD_TASK_PATH = `alter table checkpoint_writes add column if not exists task_path text not null default ''`;

const storedAt = (checkpoint: string): string => `exists (
  select from checkpoint_blobs b
  where b.thread_id = $1 and b.checkpoint_ns = $2 and b.channel = $4 and b.type <> 'empty'
    and b.version = ${checkpoint}.checkpoint -> 'channel_versions' ->> $4
)`;

/** The checkpoints before one (thread, namespace, id), nearest first, up to the nearest that has a channel's value. */
const BEFORE = `with recursive before (checkpoint_id, parent_checkpoint_id, version, distance, stored) as (
  select c.checkpoint_id, c.parent_checkpoint_id, c.checkpoint -> 'channel_versions' ->> $4, 0, ${storedAt('c')}
  from checkpoints c
  where c.thread_id = $1 and c.checkpoint_ns = $2 and c.checkpoint_id = (
    select parent_checkpoint_id from checkpoints
    where thread_id = $1 and checkpoint_ns = $2 and checkpoint_id = $3
  )
  union all
  select c.checkpoint_id, c.parent_checkpoint_id, c.checkpoint -> 'channel_versions' ->> $4, before.distance + 1,
    ${storedAt('c')}
  from checkpoints c join before on c.checkpoint_id = before.parent_checkpoint_id
  where c.thread_id = $1 and c.checkpoint_ns = $2 and not before.stored
)`;

export const SEED_OF_DELTA = `${BEFORE}
  select b.type, b.blob from before join checkpoint_blobs b
    on b.thread_id = $1 and b.checkpoint_ns = $2 and b.channel = $4 and b.version = before.version
  where before.stored`;

/** Oldest first; those of one superstep in the order in which they were applied. */
export const WRITES_OF_DELTA = `${BEFORE}
  select w.task_id, w.channel, w.type, w.blob from before join checkpoint_writes w
    on w.thread_id = $1 and w.checkpoint_ns = $2 and w.checkpoint_id = before.checkpoint_id and w.channel = $4
  order by before.distance desc, w.task_path collate "C", w.task_id, w.idx`;
