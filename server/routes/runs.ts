// Runs of a thread: created, listed, read, answered, cancelled, deleted.
import { Router } from 'express';
import { acceptRun } from '../accept-run.js';
import { findRun } from '../find-run.js';
import type { ServerContext } from '../context.js';
import { runNotFound, threadNotFound } from '../errors.js';
import { parse } from '../parse.js';
import { configurableHeaders } from '../request-config.js';
import { setRunHeaders } from '../run-delivery.js';
import { isSettled } from '../run-control.js';
import { stopRunAndWait } from '../stop-run.js';
import { answerPause } from '../answer-pause.js';
import { threadParams, threadRunParams } from '../schemas/common.js';
import { runCancelQuery, runCreate, runList, runResume } from '../schemas/runs.js';
import { selectFields } from '../views/page.js';
import { runView, statesOf } from '../views/run-view.js';

export const runRoutes = (context: ServerContext): Router =>
  Router()
    .post('/threads/:thread_id/runs', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const body = parse(runCreate, req.body);
      const run = await acceptRun(context, { kind: 'thread', threadId }, body, configurableHeaders(req.headers));
      setRunHeaders(res, run, 'on_thread');
      res.json(runView(run));
    })
    .get('/threads/:thread_id/runs', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const { limit, offset, status, select } = parse(runList, req.query);
      const states = status === undefined ? {} : { states: statesOf(status) };
      const [thread, runs] = await Promise.all([
        context.threads.get(threadId),
        context.runs.list(threadId, { limit, offset, ...states }),
      ]);
      if (thread === null) throw threadNotFound(threadId);
      res.json(runs.map((run) => selectFields(runView(run), select)));
    })
    .get('/threads/:thread_id/runs/:run_id', async (req, res) => {
      res.json(runView(await findRun(context, parse(threadRunParams, req.params))));
    })
    .post('/threads/:thread_id/runs/:run_id/resume', async (req, res) => {
      const run = await findRun(context, parse(threadRunParams, req.params));
      const resumed = await answerPause(context, run, parse(runResume, req.body).resume);
      setRunHeaders(res, resumed, 'on_thread', 'stream');
      res.json(runView(resumed));
    })
    .post('/threads/:thread_id/runs/:run_id/cancel', async (req, res) => {
      const { wait, action } = parse(runCancelQuery, req.query);
      const run = await findRun(context, parse(threadRunParams, req.params));
      const stopped = wait && (await stopRunAndWait(context, run, action, res)) === 'stopped';
      if (!wait) await context.control.cancel(run, action);
      res.status(stopped ? 204 : 202).end();
    })
    .delete('/threads/:thread_id/runs/:run_id', async (req, res) => {
      const { threadId, runId } = parse(threadRunParams, req.params);
      const run = await findRun(context, { threadId, runId });
      // A run that goes on is rolled back, which deletes it with its checkpoints once its nodes have stopped.
      if (!isSettled(run.state)) await stopRunAndWait(context, run, 'rollback', res);
      const deleted = await context.runs.delete(threadId, runId);
      if (!deleted && isSettled(run.state)) throw runNotFound(runId);
      res.status(204).end();
    });
