// The middle of a run stream: each event of the run goes past all transformers and, unless one of them keeps it back, into
// the log that readers follow.
import { isWithin, namespaceKey, type Namespace } from './namespace.js';
import type { InterruptPayload, ProtocolEvent, StreamTransformer } from './protocol.js';
import { isStreamChannel, StreamChannel } from './stream-channel.js';

/** Ends a stream's promise of its last values. Symbols, to stay out of the streams' public fields. */
export const RESOLVE_VALUES = Symbol('resolveValues');
export const REJECT_VALUES = Symbol('rejectValues');

/** What waits for the last values of a namespace. */
export interface StreamHandle {
  [RESOLVE_VALUES](values: unknown): void;
  [REJECT_VALUES](error: unknown): void;
}

/** A graph below that has shown itself. */
export interface SubgraphDiscovery {
  readonly ns: Namespace;
  readonly stream: StreamHandle;
}

export class StreamMux {
  /** @internal All events, in order. */
  readonly _events = StreamChannel.local<ProtocolEvent>();
  /** @internal */
  readonly _discoveries = StreamChannel.local<SubgraphDiscovery>();

  #seq = 0;
  #ended: { readonly error?: unknown } | undefined;
  /** Of the event that is being processed: what transformers push meanwhile belongs to it. */
  #namespace: Namespace = [];
  readonly #transformers: StreamTransformer[] = [];
  readonly #channels: StreamChannel<unknown>[] = [];
  readonly #handles = new Map<string, StreamHandle>();
  readonly #latestValues = new Map<string, unknown>();
  /** Promises among projections: told when the run ends. */
  readonly #finalValues: { readonly name: string; readonly value: PromiseLike<unknown> }[] = [];
  readonly #interrupts: InterruptPayload[] = [];
  #interrupted = false;

  register(path: Namespace, handle: StreamHandle): void {
    this.#handles.set(namespaceKey(path), handle);
  }

  /** One that comes late is shown what has been. */
  addTransformer(transformer: StreamTransformer): void {
    const before = this._events.size;
    this.#transformers.push(transformer);
    transformer.onRegister?.({ push: (namespace, event) => this.push(namespace, event) });
    for (let index = 0; index < before; index += 1) transformer.process(this._events.get(index));
    if (this.#ended === undefined) return;
    if ('error' in this.#ended) transformer.fail?.(this.#ended.error);
    else void transformer.finalize?.();
  }

  /** Forwards what a projection holds: channels with a name as they fill, promises when the run ends. */
  wireChannels(projection: object): void {
    for (const [name, value] of Object.entries(projection) as [string, unknown][]) {
      if (isStreamChannel(value)) this.#wire(value);
      else if (isPromiseLike(value)) {
        // Looked at when the run has ended; until then a rejection is not unhandled.
        const settled = Promise.resolve(value);
        settled.catch(() => undefined);
        this.#finalValues.push({ name, value: settled });
      }
    }
  }

  #wire(channel: StreamChannel<unknown>): void {
    this.#channels.push(channel);
    const { channelName } = channel;
    if (channelName !== undefined) {
      channel._wire((item) => this.#append(this.#namespace, `custom:${channelName}`, item));
    }
  }

  push(namespace: Namespace, event: ProtocolEvent): void {
    if (event.method === 'values') this.#latestValues.set(namespaceKey(namespace), event.params.data);
    const outer = this.#namespace;
    this.#namespace = namespace;
    let kept = true;
    for (const transformer of this.#transformers) if (!transformer.process(event)) kept = false;
    this.#namespace = outer;
    if (kept) this._events.push({ ...event, seq: this.#seq++ });
  }

  #append(namespace: Namespace, method: string, data: unknown): void {
    const params = { namespace, timestamp: Date.now(), data };
    this._events.push({ type: 'event', seq: this.#seq++, method, params });
  }

  /** The run has ended. The log closes once transformers and final values have settled. */
  close(): void {
    this.#ended = {};
    for (const [key, values] of this.#latestValues) this.#handles.get(key)?.[RESOLVE_VALUES](values);
    const finalizing = this.#transformers.map((transformer) => transformer.finalize?.()).filter(isPromiseLike);
    for (const channel of this.#channels) channel._close();
    const telling = this.#finalValues.map(async ({ name, value }) => {
      const payload = await value;
      if (!this._events.done) this.#append([], 'custom', { name, payload });
    });
    const closeLogs = (): void => {
      this._events.close();
      this._discoveries.close();
    };
    if (finalizing.length + telling.length === 0) closeLogs();
    // A final value that was rejected is its transformer's to tell.
    else void Promise.allSettled([...finalizing, ...telling]).then(closeLogs);
    for (const handle of this.#handles.values()) handle[RESOLVE_VALUES](undefined);
  }

  fail(error: unknown): void {
    this.#ended = { error };
    for (const transformer of this.#transformers) transformer.fail?.(error);
    for (const channel of this.#channels) channel._fail(error);
    this._events.fail(error);
    this._discoveries.fail(error);
    for (const handle of this.#handles.values()) handle[REJECT_VALUES](error);
  }

  markInterrupted(interrupts: readonly InterruptPayload[]): void {
    this.#interrupted = true;
    this.#interrupts.push(...interrupts);
  }

  get interrupted(): boolean {
    return this.#interrupted;
  }

  get interrupts(): readonly InterruptPayload[] {
    return this.#interrupts;
  }

  /** Events of a graph and of those below it. */
  subscribeEvents(path: Namespace, startAt = 0): AsyncIterator<ProtocolEvent> {
    const events = this._events.iterate(startAt);
    return {
      next: async () => {
        for (;;) {
          const next = await events.next();
          if (next.done === true || isWithin(next.value.params.namespace, path)) return next;
        }
      },
    };
  }
}

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as Partial<PromiseLike<unknown>>).then === 'function';
