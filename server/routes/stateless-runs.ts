// Runs without a thread of the client's: each has one of its own, deleted afterwards unless `on_completion` is "keep".
import { Router } from 'express';
import { acceptRun } from '../accept-run.js';
import type { ServerContext } from '../context.js';
import { findRun } from '../find-run.js';
import { parse } from '../parse.js';
import { configurableHeaders } from '../request-config.js';
import { deliverResult, deliverStream, setRunHeaders } from '../run-delivery.js';
import { FROM_THE_START, platformStart } from '../run-events.js';
import { checkStreamModes } from '../run-kwargs.js';
import { runParams } from '../schemas/common.js';
import { runCreate, runJoinQuery, runStreamQuery } from '../schemas/runs.js';
import { runView } from '../views/run-view.js';

const STATELESS = { kind: 'stateless' } as const;

export const statelessRunRoutes = (context: ServerContext): Router =>
  Router()
    .post('/runs', async (req, res) => {
      const run = await acceptRun(context, STATELESS, parse(runCreate, req.body), configurableHeaders(req.headers));
      setRunHeaders(res, run, 'stateless');
      res.json(runView(run));
    })
    .post('/runs/stream', async (req, res) => {
      const body = parse(runCreate, req.body);
      const run = await acceptRun(context, STATELESS, body, configurableHeaders(req.headers));
      setRunHeaders(res, run, 'stateless', 'stream');
      await deliverStream(context, res, run, { start: FROM_THE_START }, body);
    })
    .post('/runs/wait', async (req, res) => {
      const body = parse(runCreate, req.body);
      const run = await acceptRun(context, STATELESS, body, configurableHeaders(req.headers));
      setRunHeaders(res, run, 'stateless', 'join');
      await deliverResult(context, res, run, body);
    })
    .get('/runs/:run_id/stream', async (req, res) => {
      const { cancelOnDisconnect, streamModes } = parse(runStreamQuery, req.query);
      const start = platformStart(req.get('last-event-id'));
      const modes = streamModes && checkStreamModes(streamModes);
      const run = await findRun(context, parse(runParams, req.params));
      setRunHeaders(res, run, 'stateless', 'stream');
      await deliverStream(
        context,
        res,
        run,
        { start, streamModes: modes },
        { onDisconnect: cancelOnDisconnect ? 'cancel' : 'continue' },
      );
    })
    .get('/runs/:run_id/join', async (req, res) => {
      const { cancelOnDisconnect } = parse(runJoinQuery, req.query);
      const run = await findRun(context, parse(runParams, req.params));
      setRunHeaders(res, run, 'stateless', 'join');
      await deliverResult(context, res, run, { onDisconnect: cancelOnDisconnect ? 'cancel' : 'continue' });
    });
