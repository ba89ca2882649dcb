// Results of a thread's runs, waited for.
import { Router } from 'express';
import { acceptRun } from '../accept-run.js';
import type { ServerContext } from '../context.js';
import { parse } from '../parse.js';
import { configurableHeaders } from '../request-config.js';
import { deliverResult, setRunHeaders } from '../run-delivery.js';
import { joinResult } from '../run-joining.js';
import { threadParams } from '../schemas/common.js';
import { runCreate } from '../schemas/runs.js';

export const runResultRoutes = (context: ServerContext): Router =>
  Router()
    .post('/threads/:thread_id/runs/wait', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const body = parse(runCreate, req.body);
      const run = await acceptRun(context, { kind: 'thread', threadId }, body, configurableHeaders(req.headers));
      setRunHeaders(res, run, 'on_thread', 'join');
      await deliverResult(context, res, run, body);
    })
    .get('/threads/:thread_id/runs/:run_id/join', (req, res) => joinResult(context, req, res, 'on_thread'));
