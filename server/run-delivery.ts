// Sends a run's stream or result to the client that owns it or joined it, and does what follows when the client leaves.
import type { Response } from 'express';
import type { Run } from '../storage/records.js';
import type { ServerContext } from './context.js';
import { platformStream, type PlatformReader } from './run-events.js';
import { runResult } from './run-result.js';
import { sendWhenReady } from './keep-alive.js';
import { sendEventStream, type StreamEnd } from './sse/response.js';

export interface Delivery {
  /** What becomes of the run when this connection is lost before the run has ended. */
  readonly onDisconnect: 'continue' | 'cancel';
}

export async function deliverStream(
  context: ServerContext,
  res: Response,
  run: Run,
  reader: PlatformReader,
  delivery: Delivery,
): Promise<void> {
  const end = await sendEventStream(res, (signal) => platformStream(context, run, reader, signal), {
    heartbeatMs: context.limits.heartbeatMs,
    closing: context.closing,
  });
  await afterDelivery(context, run, end, delivery);
}

export async function deliverResult(
  context: ServerContext,
  res: Response,
  run: Run,
  delivery: Delivery,
): Promise<void> {
  const end = await sendWhenReady(res, (signal) => runResult(context, run, signal), context.closing);
  await afterDelivery(context, run, end, delivery);
}

/** The response is over: what fails here concerns the run alone, and is reported like any fault. */
async function afterDelivery(
  context: ServerContext,
  run: Run,
  end: StreamEnd,
  { onDisconnect }: Delivery,
): Promise<void> {
  if (end === 'disconnected' && onDisconnect === 'cancel') {
    const present = await context.runs.get(run.threadId, run.runId);
    if (present !== null && present.state !== 'paused') await context.control.cancel(present, 'interrupt');
  }
}

/** Where the client finds the run again. `Content-Location` names it; nothing may follow the id. `Location` is the way back. */
export function setRunHeaders(
  res: Response,
  run: Run,
  created: 'on_thread' | 'stateless',
  way?: 'stream' | 'join',
): void {
  const path = `/threads/${run.threadId}/runs/${run.runId}`;
  res.set('Content-Location', created === 'stateless' ? `/runs/${run.runId}` : path);
  if (way !== undefined) res.set('Location', `${path}/${way}`);
}
