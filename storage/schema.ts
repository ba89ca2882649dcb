// The tables as the query builder sees them: JSON goes in as text (json-text.ts) and comes out parsed.
import type { ColumnType, Generated } from 'kysely';
import type { Batch } from '../events/batch.js';
import type {
  Json,
  JsonObject,
  MultitaskStrategy,
  Run,
  RunState,
  StepRecord,
  Thread,
  ThreadStatus,
  ToldTasks,
} from './records.js';

type JsonColumn<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
/** Only written and searched, never read. */
type SearchColumn = ColumnType<never, string | null | undefined, string | null>;
/** Set by the database unless given. */
type Time = ColumnType<Date, Date | undefined, Date>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface ThreadTable {
  thread_id: string;
  created_at: Time;
  updated_at: Time;
  status: Generated<ThreadStatus>;
  metadata: JsonColumn<JsonObject>;
  metadata_search: SearchColumn;
  values: NullableJson<Json>;
  values_search: SearchColumn;
  interrupts: ColumnType<Thread['interrupts'], string | undefined, string>;
  config: ColumnType<JsonObject, string | undefined, string>;
  error: NullableJson<JsonObject>;
}

export interface RunTable {
  run_id: string;
  thread_id: string;
  assistant_id: string;
  graph_id: string;
  state: Generated<RunState>;
  created_at: Time;
  updated_at: Time;
  started_at: NullableTime;
  ended_at: NullableTime;
  metadata: JsonColumn<JsonObject>;
  kwargs: JsonColumn<Run['kwargs']>;
  /** As in kwargs, for the sweep to search by. */
  temporary: Generated<boolean>;
  multitask_strategy: MultitaskStrategy;
  not_before: NullableTime;
  attempt: Generated<number>;
  segments: ColumnType<Run['segments'], string | undefined, string>;
  pause: NullableJson<PauseJson>;
  resume: NullableJson<NonNullable<Run['resume']>>;
  /** Number of the last committed superstep; a commit must be above it. */
  committed_step: ColumnType<number | null, number | null | undefined, number | null>;
  last_step: NullableJson<StepRecord>;
  attempts: NullableJson<NonNullable<Run['attempts']>>;
  error: NullableJson<NonNullable<Run['error']>>;
}
export type PauseJson = Omit<NonNullable<Run['pause']>, 'at'> & { readonly at: string };

interface BlobTable {
  blob_id: string;
  run_id: string;
  bytes: Buffer;
}

export interface AssistantTable {
  assistant_id: string;
  graph_id: string;
  name: string;
  description: string | null;
  version: Generated<number>;
  config: ColumnType<JsonObject, string | undefined, string>;
  context: ColumnType<JsonObject, string | undefined, string>;
  metadata: JsonColumn<JsonObject>;
  metadata_search: SearchColumn;
  created_at: Time;
  updated_at: Time;
}

interface AssistantVersionTable {
  assistant_id: string;
  version: number;
  graph_id: string;
  name: string;
  description: string | null;
  config: ColumnType<JsonObject, string | undefined, string>;
  context: ColumnType<JsonObject, string | undefined, string>;
  metadata: JsonColumn<JsonObject>;
  created_at: Time;
}

interface StoreItemTable {
  namespace: string[];
  key: string;
  /** Order of the first puts. */
  position: ColumnType<string, never, never>;
  value: JsonColumn<JsonObject>;
  value_search: SearchColumn;
  created_at: Time;
  updated_at: Time;
}

interface TaskCacheTable {
  /** A JSON array of strings. */
  namespace: string;
  key: string;
  /** Of the serializer. */
  type: string;
  value: Buffer;
  expires_at: NullableTime;
}

interface StepJournalTable {
  run_id: string;
  step: number;
  attempt: number;
  up_to: ColumnType<string, number, never>;
  told: JsonColumn<ToldTasks>;
  batches: JsonColumn<readonly Batch[]>;
}

export interface Schema {
  threads: ThreadTable;
  runs: RunTable;
  blobs: BlobTable;
  assistants: AssistantTable;
  assistant_versions: AssistantVersionTable;
  store_items: StoreItemTable;
  task_cache: TaskCacheTable;
  step_journal: StepJournalTable;
}
