// Streams of a thread's runs: a new one from its start, any one from where the reader was.
import { Router } from 'express';
import { acceptRun } from '../accept-run.js';
import type { ServerContext } from '../context.js';
import { findRun } from '../find-run.js';
import { parse } from '../parse.js';
import { configurableHeaders } from '../request-config.js';
import { deliverStream, setRunHeaders } from '../run-delivery.js';
import { FROM_THE_START, platformStart } from '../run-events.js';
import { checkStreamModes } from '../run-kwargs.js';
import { threadParams, threadRunParams } from '../schemas/common.js';
import { runCreate, runStreamQuery } from '../schemas/runs.js';

export const runStreamRoutes = (context: ServerContext): Router =>
  Router()
    .post('/threads/:thread_id/runs/stream', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const body = parse(runCreate, req.body);
      const run = await acceptRun(context, { kind: 'thread', threadId }, body, configurableHeaders(req.headers));
      setRunHeaders(res, run, 'on_thread', 'stream');
      await deliverStream(context, res, run, { start: FROM_THE_START }, body);
    })
    .get('/threads/:thread_id/runs/:run_id/stream', async (req, res) => {
      const { cancelOnDisconnect, streamModes } = parse(runStreamQuery, req.query);
      const start = platformStart(req.get('last-event-id'));
      const modes = streamModes && checkStreamModes(streamModes);
      const run = await findRun(context, parse(threadRunParams, req.params));
      setRunHeaders(res, run, 'on_thread', 'stream');
      await deliverStream(
        context,
        res,
        run,
        { start, streamModes: modes },
        { onDisconnect: cancelOnDisconnect ? 'cancel' : 'continue' },
      );
    });
