// What the monitoring API (/api) tells of a run: what people's progress views show.

/** A snapshot's status: unlike the Platform's, it tells a run that waits (`paused`) from one that is done. */
export type ProcessStatus = 'pending' | 'running' | 'paused' | 'success' | 'error' | 'timeout' | 'interrupted';

export const PROCESS_EVENT_TYPES = [
  'run.started',
  'node.started',
  'node.progress',
  'node.retrying',
  'node.completed',
  'node.failed',
  'run.paused',
  'run.resumed',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'heartbeat',
] as const;
export type ProcessEventType = (typeof PROCESS_EVENT_TYPES)[number];

/** The envelope of a monitoring event. */
export interface ProcessEvent {
  /** `<run>:<seq>`. */
  readonly id: string;
  readonly version: number;
  readonly type: ProcessEventType;
  readonly run_id: string;
  readonly thread_id: string;
  readonly seq: number;
  /** ISO 8601. */
  readonly occurred_at: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface ProcessSnapshot {
  readonly run_id: string;
  readonly thread_id: string;
  readonly status: ProcessStatus;
  /** The last event that the snapshot includes: where to follow on. */
  readonly last_seq: number;
  readonly [field: string]: unknown;
}
