// `streamEvents` v3 of a remote graph: the official client's view of a thread, in the form of a local run stream. The
// server has to speak the second version of the protocol.
import type { Client, ThreadStream } from '@langchain/langgraph-sdk';
import { GraphRunStream, type SubgraphRunStream } from '../stream/graph-run-stream.js';
import type { LifecycleEntry } from '../stream/lifecycle-transformer.js';
import type { ChatModelStreamHandle, InterruptPayload, LifecycleData, ProtocolEvent } from '../stream/protocol.js';
import { StreamMux } from '../stream/stream-mux.js';

const CHANNELS = [
  'values',
  'updates',
  'messages',
  'tools',
  'custom',
  'tasks',
  'checkpoints',
  'lifecycle',
  'input',
] as const;

export interface RemoteRun<Extensions extends Record<string, unknown>> {
  readonly client: Client;
  readonly thread: ThreadStream<Extensions>;
  readonly runId?: string;
  readonly abortController?: AbortController;
}

export class RemoteGraphRunStream<
  Values = Record<string, unknown>,
  Extensions extends Record<string, unknown> = Record<string, unknown>,
> extends GraphRunStream<Values, Extensions> {
  /** The client's own view. */
  readonly thread: ThreadStream<Extensions>;
  readonly #run: RemoteRun<Extensions>;
  #stopping: Promise<void> | undefined;

  constructor(run: RemoteRun<Extensions>) {
    super([], new StreamMux(), 0, 0, run.thread.extensions as unknown as Extensions, run.abortController);
    this.thread = run.thread;
    this.#run = run;
  }

  override [Symbol.asyncIterator](): AsyncIterator<ProtocolEvent> {
    return this.#events(CHANNELS);
  }

  override get subgraphs(): AsyncIterable<SubgraphRunStream> {
    return this.thread.subgraphs as unknown as AsyncIterable<SubgraphRunStream>;
  }

  override get values(): AsyncIterable<Values> & PromiseLike<Values> {
    return this.thread.values as AsyncIterable<Values> & PromiseLike<Values>;
  }

  override get messages(): AsyncIterable<ChatModelStreamHandle> {
    return this.thread.messages as unknown as AsyncIterable<ChatModelStreamHandle>;
  }

  override async *messagesFrom(node: string): AsyncGenerator<ChatModelStreamHandle> {
    for await (const message of this.messages) if (message.node === node) yield message;
  }

  override get lifecycle(): AsyncIterable<LifecycleEntry> {
    return this.#lifecycle();
  }

  override get output(): Promise<Values> {
    return this.thread.output as Promise<Values>;
  }

  override get interrupted(): boolean {
    return this.thread.interrupted;
  }

  override get interrupts(): readonly InterruptPayload[] {
    return this.thread.interrupts;
  }

  /** Stops the run on the server too; its failure to stop is nobody's. */
  override abort(reason?: unknown): void {
    if (this.#stopping !== undefined) return;
    super.abort(reason);
    this.#stopping = this.#stop();
  }

  async #stop(): Promise<void> {
    const { client, runId } = this.#run;
    if (runId !== undefined) await client.runs.cancel(this.thread.threadId, runId).catch(() => undefined);
    await this.thread.close().catch(() => undefined);
  }

  async *#events(channels: readonly (typeof CHANNELS)[number][]): AsyncGenerator<ProtocolEvent> {
    const subscription = await this.thread.subscribe({ channels: [...channels] });
    try {
      for await (const event of subscription) yield event as unknown as ProtocolEvent;
    } finally {
      await subscription.unsubscribe();
    }
  }

  async *#lifecycle(): AsyncGenerator<LifecycleEntry> {
    for await (const { params } of this.#events(['lifecycle'])) {
      yield { ...(params.data as LifecycleData), namespace: params.namespace, timestamp: params.timestamp };
    }
  }
}
