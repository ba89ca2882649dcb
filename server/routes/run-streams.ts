// Streams of a thread's runs: a new one from its start, any one from where the reader was.
import { Router } from 'express';
import { acceptRun } from '../accept-run.js';
import type { ServerContext } from '../context.js';
import { parse } from '../parse.js';
import { configurableHeaders } from '../request-config.js';
import { deliverStream, setRunHeaders } from '../run-delivery.js';
import { FROM_THE_START } from '../run-events.js';
import { joinStream } from '../run-joining.js';
import { threadParams } from '../schemas/common.js';
import { runCreate } from '../schemas/runs.js';

export const runStreamRoutes = (context: ServerContext): Router =>
  Router()
    .post('/threads/:thread_id/runs/stream', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const body = parse(runCreate, req.body);
      const run = await acceptRun(context, { kind: 'thread', threadId }, body, configurableHeaders(req.headers));
      setRunHeaders(res, run, 'on_thread', 'stream');
      await deliverStream(context, res, run, { start: FROM_THE_START }, body);
    })
    .get('/threads/:thread_id/runs/:run_id/stream', (req, res) => joinStream(context, req, res, 'on_thread'));
