// Rows become records here and nowhere else.
import type { Selectable } from 'kysely';
import type { Assistant, Pause, Run, Thread } from './records.js';
import type { AssistantTable, PauseJson, RunTable, ThreadTable } from './schema.js';

/** Columns of a thread that are read. */
export const THREAD_COLUMNS = [
  'thread_id',
  'created_at',
  'updated_at',
  'status',
  'metadata',
  'values',
  'interrupts',
  'config',
  'error',
] as const;
type ThreadRow = Pick<Selectable<ThreadTable>, (typeof THREAD_COLUMNS)[number]>;

export function toThread(row: ThreadRow): Thread {
  return {
    threadId: row.thread_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    metadata: row.metadata,
    status: row.status,
    values: row.values,
    interrupts: row.interrupts,
    config: row.config,
    error: row.error,
  };
}

export function toRun(row: Selectable<RunTable>): Run {
  return {
    runId: row.run_id,
    threadId: row.thread_id,
    assistantId: row.assistant_id,
    graphId: row.graph_id,
    state: row.state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    metadata: row.metadata,
    kwargs: row.kwargs,
    multitaskStrategy: row.multitask_strategy,
    notBefore: row.not_before,
    attempt: row.attempt,
    segments: row.segments,
    pause: row.pause && toPause(row.pause),
    resume: row.resume,
    lastStep: row.last_step,
    attempts: row.attempts,
    error: row.error,
  };
}

/** JSON has no dates: `at` is ISO 8601 text in the row. */
const toPause = (pause: PauseJson): Pause => ({ ...pause, at: new Date(pause.at) });

export const ASSISTANT_COLUMNS = [
  'assistant_id',
  'graph_id',
  'name',
  'description',
  'version',
  'config',
  'context',
  'metadata',
  'created_at',
  'updated_at',
] as const;
type AssistantRow = Pick<Selectable<AssistantTable>, (typeof ASSISTANT_COLUMNS)[number]>;

export function toAssistant(row: AssistantRow): Assistant {
  return {
    assistantId: row.assistant_id,
    graphId: row.graph_id,
    name: row.name,
    description: row.description,
    version: row.version,
    config: row.config,
    context: row.context,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
