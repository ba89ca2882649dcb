// The event log of a run: what happened, in order, written once and read by everybody. Entries are made where things
// happen (the superstep and settle activities), kept closed in batches by the thread workflow, and projected for
// Platform clients (projections/platform-frames.ts) and progress views (projections/monitoring.ts).

/** Events that only progress views show. They take a `seq` but no `frame`. */
export const PROGRESS_EVENTS = [
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
] as const;
export type ProgressEvent = (typeof PROGRESS_EVENTS)[number];

/** Events of Platform streams: the SSE event name without its namespace suffix. */
export const FRAME_EVENTS = [
  'metadata',
  'values',
  'updates',
  'messages',
  'messages/metadata',
  'messages/partial',
  'messages/complete',
  'custom',
  'tools',
  'tasks',
  'checkpoints',
  'debug',
  'error',
] as const;
export type FrameEvent = (typeof FRAME_EVENTS)[number];

/** Where an entry's data is kept when it is too large for the log. */
export type DataRef =
  /** The output values of the thread's root checkpoint. */
  | { readonly kind: 'checkpoint'; readonly checkpointId: string }
  /** JSON text in the blobs table, by content hash. */
  | { readonly kind: 'blob'; readonly blobId: string; readonly bytes: number };

interface EntryBase {
  /** Place in the log: from 0 in each run, strictly increasing. Gaps are legal (a dead attempt), repeats are not. */
  readonly seq: number;
  /** When it was made; milliseconds since the epoch. */
  readonly at: number;
  /** JSON text, made once by the writer. Absent when `ref` is given. */
  readonly json?: string;
  readonly ref?: DataRef;
}

/** An entry that Platform streams show. */
export interface FrameEntry extends EntryBase {
  readonly event: FrameEvent;
  /**
   * The SSE id: counts only these entries, from 0, so that a plain `values` stream reads 0, 1, 2, 3 as on the reference
   * servers whatever else the log holds. Strictly increasing, gaps legal.
   */
  readonly frame: number;
  /** Subgraph namespace: `node:task_id` segments; empty at the root. */
  readonly ns: readonly string[];
}

/** An entry that progress views show; its JSON is the envelope's payload (whitelisted, bounded, redacted by the writer). */
export interface ProgressEntry extends EntryBase {
  readonly event: ProgressEvent;
}

/**
 * `messages/partial` holds the new chunk only; the Platform projection accumulates it into the message so far. All other
 * entries hold what the client gets.
 */
export type Entry = FrameEntry | ProgressEntry;

export const isFrameEntry = (entry: Entry): entry is FrameEntry => 'frame' in entry;

/** The last numbers used: -1 and -1 before the first entry. */
export interface LogPosition {
  readonly seq: number;
  readonly frame: number;
}
export const LOG_START: LogPosition = { seq: -1, frame: -1 };

/**
 * Room for one attempt of one superstep. Attempt k begins k-1 strides above the log's end, above every number that a
 * dead attempt may have shown to a live reader without logging it. 2^24 entries is four days at 50 tokens a second.
 */
export const ATTEMPT_STRIDE = 2 ** 24;

/** Where an attempt (1-based) of a superstep starts numbering, given the log's end before the superstep. */
export const attemptStart = (end: LogPosition, attempt: number): LogPosition =>
  attempt === 1
    ? end
    : { seq: end.seq + (attempt - 1) * ATTEMPT_STRIDE, frame: end.frame + (attempt - 1) * ATTEMPT_STRIDE };

/**
 * Room above a step's end that a settling leaves free: 1,024 attempts may have shown entries to live readers without
 * logging them. One settling a run, so numbers stay far below 2^53.
 */
const SETTLE_STRIDE = ATTEMPT_STRIDE * 2 ** 10;

/** Where a settling starts numbering when an attempt of the superstep before it ended without telling its last number. */
export const settleStart = (end: LogPosition): LogPosition => ({
  seq: end.seq + SETTLE_STRIDE,
  frame: end.frame + SETTLE_STRIDE,
});

/** The progress events after which a run's log holds nothing. */
const TERMINAL_EVENTS: ReadonlySet<string> = new Set<ProgressEvent>(['run.completed', 'run.failed', 'run.cancelled']);

export const isTerminalEntry = (entry: Entry): boolean => TERMINAL_EVENTS.has(entry.event);
