// A run as it is read by `streamEvents` v3: its events, and views of them that are values, messages, graphs below.
import { createMessagesTransformer } from './messages-transformer.js';
import { isSame, nodeOfSegment, type Namespace } from './namespace.js';
import type { ChatModelStreamHandle, InterruptPayload, ProtocolEvent } from './protocol.js';
import type { LifecycleEntry } from './lifecycle-transformer.js';
import { REJECT_VALUES, RESOLVE_VALUES, type StreamHandle, type StreamMux } from './stream-mux.js';
import { filterSubgraphHandles } from './subgraph-discovery.js';

/** Views that were made along with the stream; the others are made of the mux when they are asked for. */
export interface AttachedViews {
  readonly values?: AsyncIterable<unknown>;
  readonly messages?: AsyncIterable<ChatModelStreamHandle>;
  readonly lifecycle?: AsyncIterable<LifecycleEntry>;
  readonly subgraphs?: AsyncIterable<SubgraphRunStream>;
}

/** For whoever makes streams; a symbol, to stay out of their public fields. */
export const ATTACH = Symbol('attachViews');

export class GraphRunStream<
  Values = Record<string, unknown>,
  Extensions extends Record<string, unknown> = Record<string, unknown>,
>
  implements AsyncIterable<ProtocolEvent>, StreamHandle
{
  /** `[]` for the run itself. */
  readonly path: Namespace;
  /** Projections of the call's transformers. */
  readonly extensions: Extensions;
  /** @internal */
  protected readonly _mux: StreamMux;

  readonly #discoveryStart: number;
  readonly #eventStart: number;
  readonly #stop: AbortController;
  readonly #output: Promise<Values>;
  /** Untyped, so that a stream of more particular values is one of these. */
  #settle: { readonly resolve: (values: unknown) => void; readonly reject: (error: unknown) => void } | undefined;
  #views: AttachedViews = {};

  constructor(
    path: Namespace,
    mux: StreamMux,
    discoveryStart = 0,
    eventStart = 0,
    extensions: Extensions = {} as Extensions,
    abortController = new AbortController(),
  ) {
    this.path = path;
    this._mux = mux;
    this.#discoveryStart = discoveryStart;
    this.#eventStart = eventStart;
    this.extensions = extensions;
    this.#stop = abortController;
    this.#output = new Promise<Values>(
      (resolve, reject) => (this.#settle = { resolve: resolve as (values: unknown) => void, reject }),
    );
    // Who does not ask for the output does not hear of its failure.
    this.#output.catch(() => undefined);
  }

  /** All events of this graph and those below. */
  [Symbol.asyncIterator](): AsyncIterator<ProtocolEvent> {
    return this._mux.subscribeEvents(this.path, this.#eventStart);
  }

  /** Streams of the graphs called in this one's nodes, as they start. */
  get subgraphs(): AsyncIterable<SubgraphRunStream> {
    return (
      this.#views.subgraphs ??
      filterSubgraphHandles<SubgraphRunStream>(this._mux._discoveries, this.path, this.#discoveryStart)
    );
  }

  /** The state after each superstep; awaited: the last one. */
  get values(): AsyncIterable<Values> & PromiseLike<Values> {
    const values = (this.#views.values as AsyncIterable<Values> | undefined) ?? this.#ownValues();
    return {
      [Symbol.asyncIterator]: () => values[Symbol.asyncIterator](),
      then: this.#output.then.bind(this.#output),
    };
  }

  async *#ownValues(): AsyncGenerator<Values> {
    for await (const { method, params } of this) {
      if (method === 'values' && isSame(params.namespace, this.path)) yield params.data as Values;
    }
  }

  /** What the models in this graph's nodes say, a stream for each message. */
  get messages(): AsyncIterable<ChatModelStreamHandle> {
    if (this.#views.messages === undefined) this.#views = { ...this.#views, messages: this.#messagesOf() };
    return this.#views.messages as AsyncIterable<ChatModelStreamHandle>;
  }

  /** Of one node only. */
  messagesFrom(node: string): AsyncIterable<ChatModelStreamHandle> {
    return this.#messagesOf(node);
  }

  #messagesOf(node?: string): AsyncIterable<ChatModelStreamHandle> {
    const transformer = createMessagesTransformer(this.path, node);
    const { messages } = transformer.init();
    this._mux.addTransformer(transformer);
    return messages;
  }

  /** Starts and ends of this graph and those below. */
  get lifecycle(): AsyncIterable<LifecycleEntry> {
    return this.#views.lifecycle ?? nothing();
  }

  /** The last state; rejects with what failed the run. */
  get output(): Promise<Values> {
    return this.#output;
  }

  /** Whether the run waits for an answer, as far as it is known. */
  get interrupted(): boolean {
    return this._mux.interrupted;
  }

  get interrupts(): readonly InterruptPayload[] {
    return this._mux.interrupts;
  }

  abort(reason?: unknown): void {
    this.#stop.abort(reason);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  [RESOLVE_VALUES](values: unknown): void {
    this.#settle?.resolve(values);
    this.#settle = undefined;
  }

  [REJECT_VALUES](error: unknown): void {
    this.#settle?.reject(error);
    this.#settle = undefined;
  }

  [ATTACH](views: AttachedViews): void {
    this.#views = { ...this.#views, ...views };
  }
}

/** A graph called in a node. */
export class SubgraphRunStream<
  Values = Record<string, unknown>,
  Extensions extends Record<string, unknown> = Record<string, unknown>,
> extends GraphRunStream<Values, Extensions> {
  /** The node. */
  readonly name: string;
  /** Where its segment ends in a number instead of a task's id. */
  readonly index: number;

  constructor(...args: ConstructorParameters<typeof GraphRunStream<Values, Extensions>>) {
    super(...args);
    const segment = this.path.at(-1) ?? '';
    const end = segment.lastIndexOf(':');
    this.name = end === -1 ? nodeOfSegment(segment) : segment.slice(0, end);
    const suffix = segment.slice(end + 1);
    this.index = end !== -1 && /^\d+$/.test(suffix) ? Number(suffix) : 0;
  }
}

async function* nothing(): AsyncGenerator<never> {
  yield* [];
}
