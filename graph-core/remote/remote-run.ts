// One call of a remote graph: a run on the server, read as the chunks of a local one.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Client } from '@langchain/langgraph-sdk';
import { isCommand } from '../command.js';
import { INTERRUPT } from '../constants.js';
import { ambientConfig } from '../engine/ambient-config.js';
import type { CallOptions } from '../engine/call-options.js';
import { namespacePath } from '../engine/namespaces.js';
import { taskContextOf, type TaskContext } from '../engine/task-context.js';
import { GraphInterrupt, RemoteException } from '../errors.js';
import { isInterrupted } from '../interrupt.js';
import type { StreamMode } from '../stream-mode.js';
import { requestConfig } from './remote-config.js';
import { chunkOf, remoteEvent, sentModes, type RemoteEvent } from './remote-modes.js';
import { callMetadata, nextCall, ownThread, startOf } from './task-call.js';
import { toWireCommand, toWireInput } from './wire-input.js';

export interface RemoteTarget {
  readonly client: Client;
  readonly graphId: string;
  readonly streamResumable?: boolean;
  /** Of calls in nodes. */
  readonly thread: 'callers' | 'own';
}

/**
 * @param options The call's own.
 * @param config With what is bound to the graph.
 * @throws GraphInterrupt at the run's first question or breakpoint, RemoteException for a run that fails.
 */
export async function* remoteRun(
  target: RemoteTarget,
  input: unknown,
  options: CallOptions,
  config: RunnableConfig,
): AsyncGenerator<unknown> {
  const task = taskContextOf(options) ?? taskContextOf(ambientConfig());
  const caller = namespacePath(String(options.configurable?.['checkpoint_ns'] ?? ''));
  const around = taskContextOf(options)?.stream;
  for await (const event of events(target, input, { options, config, task })) {
    if (around?.modes.has(event.mode as StreamMode)) {
      around.emit({ ns: [...caller, ...event.ns], mode: event.mode as StreamMode, payload: event.data });
    }
    if (event.mode === 'updates' && isInterrupted(event.data)) throw new GraphInterrupt([...event.data[INTERRUPT]]);
    if (event.mode === 'error') throw new RemoteException(textOf(event.data));
    yield* chunkOf(options, event, caller);
  }
}

const textOf = (failure: unknown): string => (typeof failure === 'string' ? failure : JSON.stringify(failure));

interface Call {
  readonly options: CallOptions;
  readonly config: RunnableConfig;
  /** The task that makes the call. */
  readonly task: TaskContext | undefined;
}

async function* events(target: RemoteTarget, input: unknown, call: Call): AsyncGenerator<RemoteEvent> {
  const { client } = target;
  const { config, task } = call;
  const { signal } = config;
  const threadId = threadOf(target, call);
  // A task without memory begins anew each time.
  if (task?.saver === undefined || threadId === undefined) {
    yield* created(target, threadId, input, call);
    return;
  }
  const name = nextCall(task);
  const start = await startOf({ client, threadId, call: name, task, input, signal });
  if (start.kind === 'create') yield* created(target, threadId, start.input, call, callMetadata(name));
  else yield* joined(client, threadId, start.runId, signal);
}

function threadOf({ thread }: RemoteTarget, { config, task }: Call): string | undefined {
  const given = config.configurable?.['thread_id'] as string | undefined;
  return given !== undefined && task !== undefined && thread === 'own' ? ownThread(given, task.checkpointNs) : given;
}

async function* created(
  { client, graphId, streamResumable }: RemoteTarget,
  threadId: string | undefined,
  input: unknown,
  { options, config }: Call,
  metadata?: Record<string, string>,
): AsyncGenerator<RemoteEvent> {
  const around = taskContextOf(options)?.stream;
  const payload = {
    ...(isCommand(input)
      ? { command: toWireCommand(input) as never }
      : { input: toWireInput(input) as Record<string, unknown> | null }),
    config: requestConfig(config) as never,
    context: (config as CallOptions).context,
    metadata,
    streamMode: sentModes(options, around?.modes),
    streamSubgraphs: options.subgraphs === true || around !== undefined,
    interruptBefore: options.interruptBefore as '*' | string[] | undefined,
    interruptAfter: options.interruptAfter as '*' | string[] | undefined,
    ifNotExists: 'create' as const,
    streamResumable,
    signal: config.signal,
    // The next attempt of the task comes back to the run.
    ...(metadata && { onDisconnect: 'continue' as const }),
  };
  const stream =
    threadId === undefined
      ? client.runs.stream(null, graphId, payload)
      : client.runs.stream(threadId, graphId, payload);
  for await (const event of stream) yield remoteEvent(event);
}

/** A run that an earlier attempt began, from its start; of a server that keeps no events, what it came to. */
async function* joined(
  client: Client,
  threadId: string,
  runId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RemoteEvent> {
  let told = false;
  for await (const part of client.runs.joinStream(threadId, runId, { lastEventId: '-1', signal })) {
    const event = remoteEvent(part);
    told ||= event.mode === 'values';
    yield event;
  }
  if (!told) yield { mode: 'values', ns: [], data: await client.runs.join(threadId, runId, { signal }) };
}
