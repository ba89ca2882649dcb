// State of a thread: read from its checkpoints, edited by a checkpoint of its own. No workflow is asked.
import { Router, type Response } from 'express';
import { checkCheckpoint } from '../accept-run.js';
import type { ServerContext } from '../context.js';
import { ServiceError, threadNotFound } from '../errors.js';
import { toWireJson } from '../../events/wire-json.js';
import { parse } from '../parse.js';
import { threadParams, type CheckpointAddress } from '../schemas/common.js';
import { historyQuery, historySearch, stateAt, stateAtParams, stateUpdate } from '../schemas/thread-state.js';
import { subgraphsQuery } from '../schemas/threads.js';
import { threadGraph } from '../thread-graph.js';
import { checkpointView, EMPTY_STATE, stateView, type ThreadStateView } from '../views/state-view.js';
import type { z } from 'zod';
import type { Json, Thread } from '../../storage/records.js';

export const threadStateRoutes = (context: ServerContext): Router =>
  Router()
    .get('/threads/:thread_id/state', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      sendState(res, await readState(context, threadId, {}, parse(subgraphsQuery, req.query)));
    })
    .get('/threads/:thread_id/state/:checkpoint_id', async (req, res) => {
      const { threadId, checkpointId } = parse(stateAtParams, req.params);
      const at = { checkpoint_id: checkpointId };
      sendState(res, await readState(context, threadId, at, parse(subgraphsQuery, req.query)));
    })
    .post('/threads/:thread_id/state/checkpoint', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const { checkpoint, subgraphs } = parse(stateAt, req.body);
      sendState(res, await readState(context, threadId, checkpoint, { subgraphs }));
    })
    .post('/threads/:thread_id/state', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const checkpoint = await editState(context, threadId, parse(stateUpdate, req.body));
      res.json({ checkpoint, configurable: checkpoint, checkpoint_id: checkpoint?.checkpoint_id });
    })
    .get('/threads/:thread_id/history', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      sendState(res, await readHistory(context, threadId, parse(historyQuery, req.query)));
    })
    .post('/threads/:thread_id/history', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      sendState(res, await readHistory(context, threadId, parse(historySearch, req.body)));
    });

/** State holds messages and other objects that JSON alone would print as they are inside. */
const sendState = (res: Response, view: ThreadStateView | readonly ThreadStateView[]): void => {
  res.type('application/json').send(toWireJson(view));
};

async function readState(
  context: ServerContext,
  threadId: string,
  at: CheckpointAddress,
  { subgraphs }: { readonly subgraphs: boolean },
): Promise<ThreadStateView> {
  const graph = await threadGraph(context, await existingThread(context, threadId));
  await checkCheckpoint(context, threadId, at.checkpoint_id ?? undefined, at.checkpoint_ns ?? '');
  if (graph === null) return EMPTY_STATE;
  return stateView(await graph.getState(configAt(threadId, at), { subgraphs }));
}

async function readHistory(
  context: ServerContext,
  threadId: string,
  { limit, before, metadata, checkpoint }: z.output<typeof historySearch>,
): Promise<readonly ThreadStateView[]> {
  const graph = await threadGraph(context, await existingThread(context, threadId));
  if (graph === null) return [];
  const states: ThreadStateView[] = [];
  const history = graph.getStateHistory(configAt(threadId, checkpoint), {
    limit,
    ...(before !== undefined && { before: configAt(threadId, { ...checkpoint, checkpoint_id: before }) }),
    ...(metadata && { filter: metadata }),
  });
  for await (const state of history) states.push(stateView(state));
  return states;
}

/** A paused run goes on waiting, and its answer continues from the edited state: the thread's latest checkpoint. */
async function editState(
  context: ServerContext,
  threadId: string,
  { values, asNode, checkpoint }: z.output<typeof stateUpdate>,
) {
  const thread = await existingThread(context, threadId);
  const graph = await threadGraph(context, thread);
  if (graph === null)
    throw new ServiceError('THREAD_WITHOUT_GRAPH', `Thread ${threadId} has no graph ID: start a run on it first.`);
  const busy = (await context.runs.listInflight(threadId)).find(({ state }) => state !== 'paused');
  if (busy) {
    throw new ServiceError(
      'THREAD_BUSY',
      `Thread is busy: run ${busy.runId} is ${busy.state}. Wait for it or cancel it, then edit the state.`,
    );
  }
  await checkCheckpoint(context, threadId, checkpoint.checkpoint_id ?? undefined, checkpoint.checkpoint_ns ?? '');
  try {
    const config = await graph.updateState(configAt(threadId, checkpoint), values, asNode);
    const state = await graph.getState(configAt(threadId, {}));
    await context.threads.updateValues(threadId, JSON.parse(toWireJson(state.values)) as Json);
    return checkpointView(config);
  } catch (error) {
    throw isRefusal(error) ? refusal(error) : error;
  }
}

const configAt = (threadId: string, at: CheckpointAddress) => ({
  configurable: {
    thread_id: threadId,
    checkpoint_ns: at.checkpoint_ns ?? '',
    ...(at.checkpoint_id != null && { checkpoint_id: at.checkpoint_id }),
    ...(at.checkpoint_map != null && { checkpoint_map: at.checkpoint_map }),
  },
});

async function existingThread(context: ServerContext, threadId: string): Promise<Thread> {
  const thread = await context.threads.get(threadId);
  if (thread === null) throw threadNotFound(threadId);
  return thread;
}

/** What the engine says of an edit that it cannot apply; by name, as everywhere. */
const REFUSALS: ReadonlySet<string> = new Set([
  'InvalidUpdateError',
  'GraphValueError',
  'EmptyChannelError',
  'WireJsonError',
]);

const isRefusal = (error: unknown): error is Error => error instanceof Error && REFUSALS.has(error.name);

const refusal = (error: Error): ServiceError =>
  new ServiceError('INVALID_STATE_UPDATE', error.message, {
    field: /does not exist|asNode/.test(error.message) ? 'as_node' : 'values',
    cause: error,
  });
