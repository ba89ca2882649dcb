// A run is accepted in this order: checked, stored (one transaction decides about the thread and the multitask
// strategy), handed to the workflow. A crash after the store loses nothing: the sweep finds the row.
import { v7 as uuidv7 } from 'uuid';
import type { ServerContext } from './context.js';
import { assistantNotFound, ServiceError, threadNotFound } from './errors.js';
import { checkRun } from './check-run.js';
import { firstNodesOf } from './first-nodes.js';
import { refuseSelfCall } from './refuse-self-call.js';
import { runKwargs } from './run-kwargs.js';
import type { RunCreate } from './schemas/runs.js';
import type { Assistant } from '../storage/assistants.js';
import type { JsonObject, Run, Thread } from '../storage/records.js';
import { MAX_QUEUED_RUNS } from '../workflows/messages.js';

/** Where a run goes. */
export type RunTarget =
  | { readonly kind: 'thread'; readonly threadId: string }
  /** A thread of its own, hidden or kept. */
  | { readonly kind: 'stateless' };

export async function acceptRun(
  context: ServerContext,
  target: RunTarget,
  body: RunCreate,
  headers: JsonObject,
): Promise<Run> {
  refuseUnsupported(body);
  const [assistant, thread] = await Promise.all([
    findAssistant(context, body.assistantId),
    findThread(context, target),
  ]);
  if (thread !== undefined) await refuseSelfCall(context, thread.threadId, body);
  const runId = uuidv7();
  const threadId = target.kind === 'thread' ? target.threadId : uuidv7();
  const kwargs = runKwargs(body, {
    runId,
    threadId,
    assistant,
    ...(thread && { thread }),
    headers,
    temporary: target.kind === 'stateless' && body.onCompletion === 'delete',
  });
  await checkCheckpoint(context, threadId, kwargs.checkpoint?.checkpoint_id, kwargs.checkpoint?.checkpoint_ns);

  // A factory that fails here fails in the worker as well, where the failure is the run's.
  const graph = await context.graphs.get(assistant.graphId, kwargs.config).catch(() => undefined);
  if (graph !== undefined) await checkRun(graph, kwargs);

  const submitted = await context.runs.submit({
    runId,
    threadId,
    ifThreadMissing: target.kind === 'stateless' ? 'create' : body.ifNotExists,
    assistantId: assistant.assistantId,
    graphId: assistant.graphId,
    kwargs,
    metadata: {
      ...assistant.metadata,
      ...thread?.metadata,
      graph_id: assistant.graphId,
      assistant_id: assistant.assistantId,
      ...body.metadata,
    },
    multitaskStrategy: body.multitaskStrategy,
    maxWaiting: MAX_QUEUED_RUNS,
    ...(body.afterSeconds > 0 && { notBefore: new Date(Date.now() + body.afterSeconds * 1_000) }),
  });
  switch (submitted.kind) {
    case 'thread_missing':
      throw threadNotFound(threadId);
    case 'busy':
      throw new ServiceError(
        'MULTITASK_REJECTED',
        'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.',
        { field: 'multitask_strategy' },
      );
    case 'queue_full':
      throw new ServiceError(
        'QUEUE_FULL',
        `The thread has ${MAX_QUEUED_RUNS} runs waiting; wait for some to finish, or use another thread.`,
      );
    case 'accepted': {
      const { run, inflight } = submitted;
      await context.control.submit(run, inflight, firstNodesOf(graph, run.kwargs));
      return run;
    }
  }
}

/** By id, or the system assistant of a graph by the graph's name. */
export async function findAssistant(context: ServerContext, assistantOrGraphId: string): Promise<Assistant> {
  const { graphs } = context;
  const assistant = await context.assistants.get(assistantOrGraphId);
  const graphId = assistant?.graphId ?? assistantOrGraphId;
  const failure = Object.hasOwn(graphs.failures, graphId) ? graphs.failures[graphId] : undefined;
  if (failure !== undefined) {
    throw new ServiceError('GRAPH_NOT_LOADED', `Graph "${graphId}" did not load: ${failure}`, {
      field: 'assistant_id',
    });
  }
  if (assistant === null) throw assistantNotFound(assistantOrGraphId, graphs.names);
  if (!graphs.names.includes(graphId)) {
    throw new ServiceError(
      'GRAPH_NOT_LOADED',
      `Graph "${graphId}" of assistant ${assistant.assistantId} is not configured any more. Configured: ${graphs.names.join(', ')}.`,
      { field: 'assistant_id' },
    );
  }
  return assistant;
}

async function findThread(context: ServerContext, target: RunTarget): Promise<Thread | undefined> {
  return target.kind === 'thread' ? ((await context.threads.get(target.threadId)) ?? undefined) : undefined;
}

/** @throws ServiceError CHECKPOINT_NOT_FOUND: a fork of nothing would start from empty state and look like success. */
export async function checkCheckpoint(
  context: ServerContext,
  threadId: string,
  checkpointId: string | undefined,
  checkpointNs = '',
): Promise<void> {
  if (checkpointId === undefined) return;
  const found = await context.saver.getTuple({
    configurable: { thread_id: threadId, checkpoint_ns: checkpointNs, checkpoint_id: checkpointId },
  });
  if (found === undefined) {
    throw new ServiceError('CHECKPOINT_NOT_FOUND', `Checkpoint ${checkpointId} not found on thread ${threadId}`, {
      field: 'checkpoint_id',
    });
  }
}

function refuseUnsupported(body: RunCreate): void {
  if (body.webhook !== undefined) {
    throw new ServiceError(
      'UNSUPPORTED_FIELD',
      'webhook is not supported yet: leave it out, and join the run to learn of its end.',
      {
        field: 'webhook',
      },
    );
  }
}
