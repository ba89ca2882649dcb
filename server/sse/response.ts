// One response that stays open: headers that keep proxies from holding it back, a first byte at once, heartbeats while
// nothing happens, no more in memory than the socket takes, and an end that says why.
//   S1. A frame is asked for only when the socket has taken the one before: a slow reader slows its own stream alone.
//   S2. A heartbeat never waits in a full socket, and once they have begun they do not stop.
//   S3. The source is told by its signal when nobody listens any more.
import { once } from 'node:events';
import type { Response } from 'express';
import { ServiceError } from '../errors.js';
import { encodeFrame, HEARTBEAT, type SseFrame } from './frame.js';

export type StreamEnd =
  /** Everything was sent. */
  | 'complete'
  /** The client went away, or took nothing for so long that it must be presumed gone. */
  | 'disconnected'
  /** The process is stopping; the client will reconnect elsewhere. */
  | 'closing';

export interface EventStreamOptions {
  readonly heartbeatMs: number;
  readonly closing: AbortSignal;
  /** What a heartbeat looks like; a comment unless told. */
  readonly heartbeat?: () => string;
  /** How long a reader may take nothing from a full socket before it is cut off; milliseconds. */
  readonly stallMs?: number;
}

/** Three heartbeats of the default cadence and a proxy's patience beyond them. */
const STALL_MS = 60_000;

const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
} as const;

/** Sends what `source` yields and ends the response. `source` stops when its signal is aborted. */
export async function sendEventStream(
  res: Response,
  source: (signal: AbortSignal) => AsyncIterable<SseFrame>,
  options: EventStreamOptions,
): Promise<StreamEnd> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  res.once('close', leave);
  options.closing.addEventListener('abort', leave, { once: true });
  if (options.closing.aborted || res.destroyed) leave();

  res.status(200).set(EVENT_STREAM_HEADERS).flushHeaders();
  res.socket?.setNoDelay(true);
  res.write(HEARTBEAT);
  const heartbeat = startHeartbeat(res, options);
  try {
    for await (const frame of source(gone.signal)) {
      if (gone.signal.aborted) break;
      heartbeat.refresh();
      if (!res.write(encodeFrame(frame))) await drained(res, gone.signal, options.stallMs ?? STALL_MS);
    }
    if (!gone.signal.aborted) res.end();
  } catch (error) {
    if (!gone.signal.aborted) endWithError(res, error);
    if (!(error instanceof ServiceError) && !(error instanceof Stalled) && !gone.signal.aborted) throw error;
  } finally {
    heartbeat.stop();
    res.off('close', leave);
    options.closing.removeEventListener('abort', leave);
  }
  if (res.writableEnded) return 'complete';
  if (options.closing.aborted && !res.destroyed) {
    res.end();
    return 'closing';
  }
  return 'disconnected';
}

/** The status is long gone: an error that is the client's business becomes an event, any other a cut connection. */
function endWithError(res: Response, error: unknown): void {
  if (error instanceof ServiceError) {
    res.end(encodeFrame({ event: 'error', data: JSON.stringify({ error: error.code, message: error.message }) }));
  } else {
    res.destroy();
  }
}

class Stalled extends Error {}

async function drained(res: Response, gone: AbortSignal, stallMs: number): Promise<void> {
  const patience = AbortSignal.timeout(stallMs);
  try {
    await once(res, 'drain', { signal: AbortSignal.any([gone, patience]) });
  } catch (error) {
    if (gone.aborted) return;
    if (patience.aborted) throw new Stalled(`The reader took nothing for ${stallMs} ms.`);
    throw error;
  }
}

function startHeartbeat(res: Response, options: EventStreamOptions): { refresh(): void; stop(): void } {
  const timer = setInterval(() => {
    if (!res.writableNeedDrain && !res.writableEnded) res.write(options.heartbeat?.() ?? HEARTBEAT);
  }, options.heartbeatMs);
  return { refresh: () => timer.refresh(), stop: () => clearInterval(timer) };
}
