// Runs without a thread of the client's: each has one of its own, deleted afterwards unless `on_completion` is "keep".
import { Router } from 'express';
import { acceptRun } from '../accept-run.js';
import type { ServerContext } from '../context.js';
import { parse } from '../parse.js';
import { configurableHeaders } from '../request-config.js';
import { deliverResult, deliverStream, setRunHeaders } from '../run-delivery.js';
import { FROM_THE_START } from '../run-events.js';
import { joinResult, joinStream } from '../run-joining.js';
import { runCreate } from '../schemas/runs.js';
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
    .get('/runs/:run_id/stream', (req, res) => joinStream(context, req, res, 'stateless'))
    .get('/runs/:run_id/join', (req, res) => joinResult(context, req, res, 'stateless'));
