// A run's stream for one reader: where it starts, the log followed from there, and the projection the reader asked for.
// First connection, reconnection, late join and finished runs differ in the cursor only.
import { readValues, savedOf, withDeltas } from '../graph-core/index.js';
import { isFrameEntry, type DataRef, type Entry } from '../events/entry.js';
import type { Cursor } from '../events/batch.js';
import { follow, LogExpiredError, RunMissingError, type FollowOptions } from '../events/follow.js';
import { envelopeOf } from '../events/projections/monitoring.js';
import { platformFrames, readFrom } from '../events/projections/platform-frames.js';
import { toWireJson } from '../events/wire-json.js';
import type { Run } from '../storage/records.js';
import type { ServerContext } from './context.js';
import { ServiceError } from './errors.js';
import type { SseFrame } from './sse/frame.js';

/** Of entries that wait for a slow reader; a few MB at most, as large ones are references. */
const MAX_BUFFERED_ENTRIES = 10_000;

export type StreamStart =
  | { readonly kind: 'after'; readonly cursor: Cursor }
  /** Only what is new from now on. */
  | { readonly kind: 'now' };

export const FROM_THE_START: StreamStart = { kind: 'after', cursor: { kind: 'frame', after: -1 } };

/** `Last-Event-ID` of a Platform stream: a frame id, -1 for everything, absent for what is new. */
export function platformStart(lastEventId: string | undefined): StreamStart {
  if (lastEventId === undefined || lastEventId === '') return { kind: 'now' };
  if (!/^(-1|\d{1,16})$/.test(lastEventId) || !Number.isSafeInteger(Number(lastEventId))) {
    throw new ServiceError(
      'INVALID_LAST_EVENT_ID',
      `Last-Event-ID "${lastEventId.slice(0, 60)}" is no id of this stream: send the last id you received, -1 for everything, or nothing.`,
      { field: 'Last-Event-ID' },
    );
  }
  return { kind: 'after', cursor: { kind: 'frame', after: Number(lastEventId) } };
}

export interface PlatformReader {
  readonly start: StreamStart;
  /** Absent: every mode that the run makes. */
  readonly streamModes?: readonly string[] | undefined;
}

/** SSE frames of a Platform stream; ends where the run is settled, waits for an answer, or is gone. */
export async function* platformStream(
  context: ServerContext,
  run: Run,
  reader: PlatformReader,
  signal: AbortSignal,
): AsyncGenerator<SseFrame, void, void> {
  const { cursor, afterFrame } = await place(context, run, reader.start);
  const entries = runEntries(context, run, {
    after: readFrom(run.kwargs, cursor, reader.streamModes),
    until: 'pause',
    signal,
  });
  const frames = platformFrames(entries, {
    after: afterFrame,
    streamModes: reader.streamModes,
    resolve: (ref) => resolveRef(context, run, ref),
  });
  for await (const { event, data, id } of frames) yield { event, data, id: String(id) };
}

/** SSE frames of the monitoring stream; stays open over pauses. `seen` is told each seq that goes by. */
export async function* monitoringStream(
  context: ServerContext,
  run: Run,
  after: Cursor,
  signal: AbortSignal,
  seen: (seq: number) => void,
): AsyncGenerator<SseFrame, void, void> {
  for await (const entry of runEntries(context, run, { after, until: 'end', signal })) {
    seen(entry.seq);
    if (isFrameEntry(entry)) continue;
    const envelope = envelopeOf(entry, run);
    yield { event: envelope.type, data: JSON.stringify(envelope), id: envelope.id };
  }
}

/** The run's entries after a cursor. A run that is gone (rolled back) ends its stream; a log that is gone is an error. */
export async function* runEntries(
  context: ServerContext,
  run: Run,
  { after, until, signal }: Pick<FollowOptions, 'after' | 'until' | 'signal'>,
): AsyncGenerator<Entry, void, void> {
  try {
    yield* follow({
      log: context.log,
      bus: context.bus,
      runId: run.runId,
      after,
      signal,
      until,
      pollMs: context.limits.pollMs,
      maxBufferedEntries: MAX_BUFFERED_ENTRIES,
    });
  } catch (error) {
    if (error instanceof RunMissingError) return;
    if (error instanceof LogExpiredError) {
      throw new ServiceError(
        'LOG_EXPIRED',
        `The events of run ${run.runId} are no longer kept; read its thread's state.`,
        { cause: error },
      );
    }
    throw error;
  }
}

async function place(
  context: ServerContext,
  run: Run,
  start: StreamStart,
): Promise<{ readonly cursor: Cursor; readonly afterFrame: number }> {
  if (start.kind === 'after') return { cursor: start.cursor, afterFrame: start.cursor.after };
  const { end } = await context.log.read(run.runId, { kind: 'seq', after: Number.MAX_SAFE_INTEGER });
  const live = liveTail(context, run);
  return {
    cursor: { kind: 'seq', after: Math.max(end.seq, live.at(-1)?.seq ?? -1) },
    afterFrame: Math.max(end.frame, live.findLast(isFrameEntry)?.frame ?? -1),
  };
}

/** What has happened and is not logged yet, as far as it is known here. */
function liveTail({ bus }: ServerContext, { runId }: Run): readonly Entry[] {
  const subscription = bus?.subscribe(runId, () => undefined);
  subscription?.close();
  return subscription?.tail.map(({ entry }) => entry) ?? [];
}

/** The JSON text that an entry refers to. */
export async function resolveRef(context: ServerContext, run: Run, ref: DataRef): Promise<string> {
  switch (ref.kind) {
    case 'blob': {
      const bytes = await context.blobs.get(ref.blobId);
      if (bytes === null) throw new ServiceError('LOG_EXPIRED', `Data of run ${run.runId}'s events is no longer kept.`);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    }
    case 'checkpoint':
      return checkpointValues(context, run, ref.checkpointId);
  }
}

async function checkpointValues(context: ServerContext, run: Run, checkpointId: string): Promise<string> {
  const graph = await context.graphs.get(run.graphId, run.kwargs.config);
  const at = { configurable: { thread_id: run.threadId, checkpoint_ns: '', checkpoint_id: checkpointId } };
  const tuple = await context.saver.getTuple(at);
  if (tuple === undefined) {
    throw new ServiceError(
      'LOG_EXPIRED',
      `Checkpoint ${checkpointId}, whose values the events of run ${run.runId} show, is gone.`,
    );
  }
  const saved = await withDeltas(graph, context.saver, savedOf(tuple));
  return toWireJson(readValues(graph, saved, graph.spec.outputChannels));
}
