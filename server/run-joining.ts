// Joining a run that is there: its stream from where the reader was, or its result when it comes.
import type { Request, Response } from 'express';
import type { ServerContext } from './context.js';
import { findRun } from './find-run.js';
import { parse } from './parse.js';
import { deliverResult, deliverStream, setRunHeaders, type Delivery } from './run-delivery.js';
import { platformStart } from './run-events.js';
import { checkStreamModes } from './run-kwargs.js';
import { runParams, threadRunParams } from './schemas/common.js';
import { runJoinQuery, runStreamQuery } from './schemas/runs.js';

/** How the path names the run: with its thread, or alone. */
const ADDRESSES = { on_thread: threadRunParams, stateless: runParams } as const;
type AddressedAs = keyof typeof ADDRESSES;

export async function joinStream(context: ServerContext, req: Request, res: Response, as: AddressedAs): Promise<void> {
  const { cancelOnDisconnect, streamModes } = parse(runStreamQuery, req.query);
  const reader = {
    start: platformStart(req.get('last-event-id')),
    streamModes: streamModes && checkStreamModes(streamModes),
  };
  const run = await findRun(context, parse(ADDRESSES[as], req.params));
  setRunHeaders(res, run, as, 'stream');
  await deliverStream(context, res, run, reader, deliveryOf(cancelOnDisconnect));
}

export async function joinResult(context: ServerContext, req: Request, res: Response, as: AddressedAs): Promise<void> {
  const { cancelOnDisconnect } = parse(runJoinQuery, req.query);
  const run = await findRun(context, parse(ADDRESSES[as], req.params));
  setRunHeaders(res, run, as, 'join');
  await deliverResult(context, res, run, deliveryOf(cancelOnDisconnect));
}

const deliveryOf = (cancelOnDisconnect: boolean): Delivery => ({
  onDisconnect: cancelOnDisconnect ? 'cancel' : 'continue',
});
