// `streamEvents` of a remote graph: version 3 only, whose events a server makes.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Client } from '@langchain/langgraph-sdk';
import { isCommand } from '../command.js';
import type { CallOptions } from '../engine/call-options.js';
import { requestConfig } from './remote-config.js';
import { RemoteGraphRunStream } from './remote-run-stream.js';
import { toWireCommand, toWireInput } from './wire-input.js';

/** Options of a call that a server cannot be given. */
const NOT_SENT = ['transformers', 'control', 'interruptBefore', 'interruptAfter'] as const;

/** @throws Error for what the protocol has no place for. */
export function refuseUnsent(options: object): void {
  const given = NOT_SENT.find((name) => (options as Record<string, unknown>)[name] !== undefined);
  if (given === undefined) return;
  throw new Error(`RemoteGraph.streamEvents({ version: "v3" }) does not support \`${given}\`.`);
}

/** Starts a run, on the config's thread or a new one. */
export async function remoteRunStream<State>(
  { client, graphId }: { readonly client: Client; readonly graphId: string },
  input: unknown,
  config: RunnableConfig & Pick<CallOptions, 'signal'>,
): Promise<RemoteGraphRunStream<State>> {
  const threadId = config.configurable?.['thread_id'] as unknown;
  const options = { assistantId: graphId };
  const thread =
    typeof threadId === 'string' ? client.threads.stream(threadId, options) : client.threads.stream(options);
  const { run_id: runId } = await thread.run.start({
    input: isCommand(input) ? toWireCommand(input) : toWireInput(input),
    config: requestConfig(config) as never,
  });
  const run = new RemoteGraphRunStream<State>({ client, thread, runId });
  const { signal } = config;
  if (signal?.aborted) run.abort(signal.reason);
  else signal?.addEventListener('abort', () => run.abort(signal.reason), { once: true });
  return run;
}
