// Accepting a run, under the lock of its thread's row: runs of a thread are ordered as they were accepted.
import { sql } from 'kysely';
import type { Database } from './database.js';
import { jsonText, searchColumn } from './json-text.js';
import type { JsonObject, Run, SubmitRun, Submitted, Thread } from './records.js';
import { THREAD_COLUMNS, toRun, toThread } from './rows.js';
import { INFLIGHT, lockThread, now, selectRun } from './statements.js';
import type { Transaction } from './transaction.js';

type Query = Database['query'];

/** @returns what gives the answer when the transaction is committed */
export async function submitRun(tx: Transaction, query: Query, submit: SubmitRun): Promise<() => Promise<Submitted>> {
  if (submit.ifThreadMissing === 'create') tx.send(insertThread(query, submit.threadId));
  // In this order: what is read behind the lock is read when no other submit is under way.
  const [thread, known, inflight] = await Promise.all([
    tx.firstRow(lockThread(query, submit.threadId)),
    tx.firstRow(selectRun(query, submit.runId)),
    tx.rows(selectInflight(query, submit.threadId)),
  ]);
  if (!thread) return decided({ kind: 'thread_missing' });
  const others = inflight.map(toRun);
  if (known) return decided(repeated(toRun(known), toThread(thread), others));
  if (submit.multitaskStrategy === 'reject' && others.some((run) => run.state !== 'paused'))
    return decided({ kind: 'busy' });
  if (waitsInLine(submit) && others.filter(({ state }) => state === 'pending').length >= submit.maxWaiting)
    return decided({ kind: 'queue_full' });
  const stored = tx.laterRow(insertRun(query, submit));
  const engaged = tx.laterRow(engageThread(query, toThread(thread), submit));
  return async () => {
    const [run, busyThread] = await Promise.all([stored, engaged]);
    if (!run || !busyThread) throw new Error(`Run ${submit.runId} could not be stored.`);
    return { kind: 'accepted', run: toRun(run), thread: toThread(busyThread), inflight: others };
  };
}

const decided = (answer: Submitted) => () => Promise.resolve(answer);

const waitsInLine = ({ multitaskStrategy }: SubmitRun): boolean =>
  multitaskStrategy === 'enqueue' || multitaskStrategy === 'reject';

/** A client's retry: the answer it would have got, as things are now. */
function repeated(run: Run, thread: Thread, inflight: readonly Run[]): Submitted {
  if (run.threadId !== thread.threadId) {
    throw new Error(`Run ${run.runId} belongs to thread ${run.threadId}, not to ${thread.threadId}.`);
  }
  const earlier = inflight.filter(({ runId, createdAt }) => runId !== run.runId && createdAt < run.createdAt);
  return { kind: 'accepted', run, thread, inflight: earlier };
}

function insertThread(query: Query, threadId: string) {
  return query
    .insertInto('threads')
    .values({ thread_id: threadId, metadata: '{}' })
    .onConflict((conflict) => conflict.doNothing());
}

function selectInflight(query: Query, threadId: string) {
  return query
    .selectFrom('runs')
    .selectAll()
    .where('thread_id', '=', threadId)
    .where('state', 'in', INFLIGHT)
    .orderBy('created_at');
}

/** Later than every other run of the thread, also where the clock stands still or goes back. */
function insertRun(query: Query, submit: SubmitRun) {
  const createdAt = sql<Date>`greatest(clock_timestamp(), (
    select max(created_at) + interval '1 millisecond' from runs where thread_id = ${submit.threadId}
  ))`;
  return query
    .insertInto('runs')
    .values({
      run_id: submit.runId,
      thread_id: submit.threadId,
      assistant_id: submit.assistantId,
      graph_id: submit.graphId,
      created_at: createdAt,
      metadata: jsonText(submit.metadata),
      kwargs: jsonText(submit.kwargs),
      temporary: submit.kwargs.temporary,
      multitask_strategy: submit.multitaskStrategy,
      not_before: submit.notBefore ?? null,
    })
    .returningAll();
}

/** The thread is busy from now on, and names the graph of its latest run; its config stays that of its first run. */
function engageThread(query: Query, thread: Thread, submit: SubmitRun) {
  const metadata: JsonObject = { ...thread.metadata, graph_id: submit.graphId, assistant_id: submit.assistantId };
  const isFirst = Object.keys(thread.config).length === 0;
  return query
    .updateTable('threads')
    .set({
      status: 'busy',
      metadata: jsonText(metadata),
      metadata_search: searchColumn(metadata),
      ...(isFirst && { config: jsonText(submit.kwargs.config) }),
      updated_at: now,
    })
    .where('thread_id', '=', thread.threadId)
    .returning(THREAD_COLUMNS);
}
