// Runs as processes that people watch: the second projection of the log, under /api. Errors are RFC 9457 problems.
import { Router, type Request } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { acceptRun } from '../accept-run.js';
import { answerPause } from '../answer-pause.js';
import type { ServerContext } from '../context.js';
import { cursorOfEnvelopeId, heartbeatEnvelope } from '../../events/projections/monitoring.js';
import type { Cursor } from '../../events/batch.js';
import { ServiceError } from '../errors.js';
import { findRun } from '../find-run.js';
import { parse } from '../parse.js';
import { processSnapshot, snapshotOf } from '../process-snapshot.js';
import { configurableHeaders } from '../request-config.js';
import { monitoringStream } from '../run-events.js';
import { runParams } from '../schemas/common.js';
import { processRunCancel, processRunThread } from '../schemas/process-runs.js';
import { runCreate, runResume } from '../schemas/runs.js';
import { encodeFrame } from '../sse/frame.js';
import { sendEventStream } from '../sse/response.js';

export const processRunRoutes = (context: ServerContext): Router =>
  Router()
    .post('/api/runs', async (req, res) => {
      const { threadId } = parse(processRunThread, req.body);
      const body = parse(runCreate, req.body);
      // A progress view outlives its run: the thread is kept, named or not.
      const create = threadId === undefined ? ({ ...body, ifNotExists: 'create' } as const) : body;
      const target = { kind: 'thread', threadId: threadId ?? uuidv7() } as const;
      const run = await acceptRun(context, target, create, configurableHeaders(req.headers));
      res.status(201).set('Location', `/api/runs/${run.runId}`).json(snapshotOf(run));
    })
    .get('/api/runs/:run_id', async (req, res) => {
      res.json(await processSnapshot(context, parse(runParams, req.params).runId));
    })
    .get('/api/runs/:run_id/events', async (req, res) => {
      const run = await findRun(context, parse(runParams, req.params));
      const after = eventCursor(req, run.runId);
      let lastSeq = after.after;
      await sendEventStream(
        res,
        (signal) =>
          monitoringStream(context, run, after, signal, (seq) => {
            lastSeq = seq;
          }),
        {
          heartbeatMs: context.limits.heartbeatMs,
          closing: context.closing,
          // No id: a heartbeat must not move the reader's cursor.
          heartbeat: () =>
            encodeFrame({ event: 'heartbeat', data: JSON.stringify(heartbeatEnvelope(lastSeq, Date.now(), run)) }),
        },
      );
    })
    .post('/api/runs/:run_id/cancel', async (req, res) => {
      const { action } = parse(processRunCancel, req.body);
      const run = await findRun(context, parse(runParams, req.params));
      await context.control.cancel(run, action);
      res.status(202).json({ run_id: run.runId, action });
    })
    .post('/api/runs/:run_id/resume', async (req, res) => {
      const { resume } = parse(runResume, req.body);
      const run = await findRun(context, parse(runParams, req.params));
      const resumed = await answerPause(context, run, resume);
      res.status(202).json({ run_id: resumed.runId, status: resumed.state });
    });

/** Absent: everything, so that a plain EventSource sees the whole run. */
function eventCursor(req: Request, runId: string): Cursor {
  const id = req.get('last-event-id');
  if (id === undefined || id === '') return { kind: 'seq', after: -1 };
  const cursor = cursorOfEnvelopeId(id, runId);
  if (cursor === undefined) {
    throw new ServiceError(
      'INVALID_LAST_EVENT_ID',
      `Last-Event-ID "${id.slice(0, 80)}" is no id of this stream: send "${runId}:<seq>", a bare seq, or -1 for everything.`,
      { field: 'Last-Event-ID' },
    );
  }
  return cursor;
}
