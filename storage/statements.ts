// Statements that several transactions share: on the thread's row, on a run's checkpoints, and conditions on a run.
//   L1. Whoever changes a run's state or a thread's status locks the thread's row first: one order, so no deadlocks,
//       and what is read behind the lock is read fresh.
import { sql, type Compilable, type ExpressionBuilder, type SqlBool, type Expression } from 'kysely';
import type { Database } from './database.js';
import { jsonText, jsonTextOrNull, searchColumn } from './json-text.js';
import type { JsonObject, RunState, SettledThread, ThreadStatus } from './records.js';
import { THREAD_COLUMNS } from './rows.js';
import type { Schema } from './schema.js';

type Query = Database['query'];
type RunExpressions = ExpressionBuilder<Schema, 'runs'>;

/** States in which a superstep may run. */
export const RUNNABLE = ['pending', 'running'] as const satisfies readonly RunState[];
/** States of a run that is not over. */
export const INFLIGHT = [...RUNNABLE, 'paused'] as const satisfies readonly RunState[];

export const now = sql<Date>`clock_timestamp()`;

export const uncommitted =
  (step: number) =>
  (is: RunExpressions): Expression<SqlBool> =>
    is.or([is('committed_step', 'is', null), is('committed_step', '<', step)]);

/** An attempt of a superstep, as what it saves is guarded. */
export interface StepAttempt {
  readonly runId: string;
  readonly step: number;
  readonly attempt: number;
}

/**
 * A row if the attempt is the one that the run is at. Shared: siblings save side by side. A later attempt, and any end of
 * the run, waits for them.
 */
export function presentAttempt(query: Query, { runId, step, attempt }: StepAttempt) {
  return query
    .selectFrom('runs')
    .select('run_id')
    .where('run_id', '=', runId)
    .where('state', 'in', RUNNABLE)
    .where(uncommitted(step))
    .where('attempt', '<=', attempt)
    .forShare();
}

/** The superstep is committed, or the run is over: what was told of it before is in the log. */
export const emptyJournal = (query: Query, runId: string): Compilable<unknown> =>
  query.deleteFrom('step_journal').where('run_id', '=', runId);

export function lockThread(query: Query, threadId: string) {
  return query.selectFrom('threads').select(THREAD_COLUMNS).where('thread_id', '=', threadId).forNoKeyUpdate();
}

export function lockThreadOfRun(query: Query, runId: string) {
  return query
    .selectFrom('threads')
    .select(THREAD_COLUMNS)
    .where('thread_id', '=', (run) => run.selectFrom('runs').select('thread_id').where('run_id', '=', runId))
    .forNoKeyUpdate();
}

export function selectRun(query: Query, runId: string) {
  return query.selectFrom('runs').selectAll().where('run_id', '=', runId);
}

/** Busy if the run is: after an update that may have found nothing to do. */
export function markBusyWith(query: Query, runId: string): Compilable<unknown> {
  return query
    .updateTable('threads')
    .set({ status: 'busy', updated_at: now })
    .where('status', '<>', 'busy')
    .where('thread_id', '=', (run) =>
      run.selectFrom('runs').select('thread_id').where('run_id', '=', runId).where('state', 'in', RUNNABLE),
    );
}

/** The end or pause of a run, as the thread shows it. `error`: the run failed. */
export function settleThread(
  query: Query,
  threadId: string,
  thread: SettledThread,
  error: JsonObject | null,
): Compilable<unknown> {
  return query
    .updateTable('threads')
    .set({
      values: jsonTextOrNull(thread.values),
      values_search: searchColumn(thread.values),
      interrupts: jsonText(thread.interrupts),
      error: jsonTextOrNull(error),
      status: error ? 'error' : thread.next.length > 0 ? 'interrupted' : statusByRuns(threadId),
      updated_at: now,
    })
    .where('thread_id', '=', threadId);
}

/** The end of a run that left no checkpoint: only the status changes. */
export function settleThreadStatus(query: Query, threadId: string, error: JsonObject | null): Compilable<unknown> {
  return query
    .updateTable('threads')
    .set({ error: jsonTextOrNull(error), status: error ? 'error' : statusByRuns(threadId), updated_at: now })
    .where('thread_id', '=', threadId);
}

function statusByRuns(threadId: string) {
  const anyRun = (states: readonly RunState[]) =>
    sql`exists (select from runs where thread_id = ${threadId} and state in (${sql.join(states)}))`;
  return sql<ThreadStatus>`case when ${anyRun(RUNNABLE)} then 'busy' when ${anyRun(['paused'])} then 'interrupted' else 'idle' end`;
}

/**
 * Deletes what a run has checkpointed, in all namespaces: its checkpoints by their metadata, the writes on them, and
 * the channel values that no other checkpoint refers to. Of the checkpoint that the run went on from, questions stay and
 * what its tasks did goes: they have not run any more.
 */
export function deleteCheckpointsOf(query: Query, threadId: string, runId: string): Compilable<unknown> {
  const statement = sql`
    with gone as (
      delete from checkpoints where thread_id = ${threadId} and metadata @> ${jsonText({ run_id: runId })}::jsonb
      returning checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint -> 'channel_versions' as versions
    ), writes as (
      delete from checkpoint_writes w using gone
      where w.thread_id = ${threadId} and w.checkpoint_ns = gone.checkpoint_ns and w.checkpoint_id = gone.checkpoint_id
    ), undone as (
      delete from checkpoint_writes w using gone
      where w.thread_id = ${threadId} and w.checkpoint_ns = gone.checkpoint_ns
        and w.checkpoint_id = gone.parent_checkpoint_id and w.channel <> '__interrupt__'
        and not exists (
          select from gone g where (g.checkpoint_ns, g.checkpoint_id) = (w.checkpoint_ns, w.checkpoint_id)
        )
    ), named as (
      select distinct checkpoint_ns, channel, version from gone, jsonb_each_text(versions) as each (channel, version)
    )
    delete from checkpoint_blobs b using named
    where b.thread_id = ${threadId}
      and (b.checkpoint_ns, b.channel, b.version) = (named.checkpoint_ns, named.channel, named.version)
      and not exists (
        select from checkpoints c
        where c.thread_id = b.thread_id and c.checkpoint_ns = b.checkpoint_ns
          and c.checkpoint -> 'channel_versions' ->> b.channel = b.version
          and (c.checkpoint_ns, c.checkpoint_id) not in (select checkpoint_ns, checkpoint_id from gone)
      )`;
  return { compile: () => statement.compile(query) };
}
