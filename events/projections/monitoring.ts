// The second projection: entries as envelopes for people's progress views. Payloads were whitelisted, bounded and
// redacted when the entry was made (progress-payloads.ts), so none of it depends on who reads.
import type { ProgressEntry, ProgressEvent } from '../entry.js';
import type { Cursor } from '../batch.js';

/** Of the envelope and its payloads; grows when a field changes its meaning. */
const ENVELOPE_VERSION = 1;

export interface MonitoringEnvelope {
  /** `<run>:<seq>`; also the SSE id. */
  readonly id: string;
  readonly version: typeof ENVELOPE_VERSION;
  readonly type: ProgressEvent | 'heartbeat';
  readonly run_id: string;
  readonly thread_id: string;
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly occurred_at: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface RunIds {
  readonly runId: string;
  readonly threadId: string;
}

export function envelopeOf(entry: ProgressEntry, run: RunIds): MonitoringEnvelope {
  const payload = JSON.parse(entry.json ?? '{}') as Record<string, unknown>;
  return envelope(entry.event, entry.seq, entry.at, payload, run);
}

/** Sent on an idle stream and never logged: it repeats the last seq, so that a reader's cursor stays where it is. */
export const heartbeatEnvelope = (lastSeq: number, at: number, run: RunIds): MonitoringEnvelope =>
  envelope('heartbeat', lastSeq, at, {}, run);

/**
 * The cursor that an envelope's id stands for; a bare seq is taken too. `undefined` for what is neither, and for an id
 * of another run.
 */
export function cursorOfEnvelopeId(id: string, runId: string): Cursor | undefined {
  const seq = id.startsWith(`${runId}:`) ? id.slice(runId.length + 1) : id;
  return /^(-1|\d{1,16})$/.test(seq) ? { kind: 'seq', after: Number(seq) } : undefined;
}

const envelope = (
  type: MonitoringEnvelope['type'],
  seq: number,
  at: number,
  payload: Readonly<Record<string, unknown>>,
  { runId, threadId }: RunIds,
): MonitoringEnvelope => ({
  id: `${runId}:${seq}`,
  version: ENVELOPE_VERSION,
  type,
  run_id: runId,
  thread_id: threadId,
  seq,
  occurred_at: new Date(at).toISOString(),
  payload,
});
