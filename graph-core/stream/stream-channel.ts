// A log that is written in one place and read in many: each reader has its own cursor and starts where it likes. What
// transformers of a run stream put their results into.

/** Shared by all copies of this module and of LangGraph's: a channel made by one is known to the other. */
const BRAND = Symbol.for('langgraph.stream_channel');

export interface StreamChannelEventStreamOptions<T> {
  /** Name of the server-sent events; default: the channel's. */
  readonly event?: string;
  /** Index of the first item. */
  readonly startAt?: number;
  /** Default: JSON. */
  readonly serialize?: (item: T) => string;
}

export class StreamChannel<T> implements AsyncIterable<T> {
  readonly [BRAND] = true as const;
  /** Under which it is forwarded, as `custom:<name>`. Absent: it stays in the process. */
  readonly channelName?: string;

  readonly #items: T[] = [];
  #ended: { readonly error?: unknown } | undefined;
  #waiting: (() => void)[] = [];
  #forward: ((item: T) => void) | undefined;

  constructor(name?: string) {
    this.channelName = name;
  }

  /** A channel that stays in the process. */
  static local<T>(): StreamChannel<T> {
    return new StreamChannel<T>();
  }

  /** A channel whose items are protocol events too. */
  static remote<T>(name: string): StreamChannel<T> {
    return new StreamChannel<T>(name);
  }

  static isInstance(value: unknown): value is StreamChannel<unknown> {
    return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#wake();
    this.#forward?.(item);
  }

  /** @throws what the channel failed with, after the items before. */
  iterate(startAt = 0): AsyncIterator<T> {
    let cursor = startAt;
    return {
      next: async (): Promise<IteratorResult<T>> => {
        for (;;) {
          if (cursor < this.#items.length) return { value: this.#items[cursor++] as T, done: false };
          if (this.#ended?.error) throw this.#ended.error as Error;
          if (this.#ended) return { value: undefined, done: true };
          await new Promise<void>((resolve) => this.#waiting.push(resolve));
        }
      },
    };
  }

  toAsyncIterable(startAt = 0): AsyncIterable<T> {
    return { [Symbol.asyncIterator]: () => this.iterate(startAt) };
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.iterate();
  }

  /** As server-sent events: a body for a `Response`. */
  toEventStream(options: StreamChannelEventStreamOptions<T> = {}): ReadableStream<Uint8Array> {
    const { event = this.channelName, startAt, serialize = (item) => JSON.stringify(item) ?? 'null' } = options;
    const items = this.iterate(startAt);
    const encoder = new TextEncoder();
    return new ReadableStream({
      async pull(controller) {
        const next = await items.next();
        if (next.done === true) {
          controller.close();
          return;
        }
        const lines = serialize(next.value)
          .split(/\r\n|\r|\n/)
          .map((line) => `data: ${line}\n`);
        const name = event === undefined ? '' : `event: ${event}\n`;
        controller.enqueue(encoder.encode(`${name}${lines.join('')}\n`));
      },
    });
  }

  /** @throws RangeError where there is no such item yet. */
  get(index: number): T {
    if (index < 0 || index >= this.#items.length) {
      throw new RangeError(`StreamChannel index ${index} out of bounds (size=${this.#items.length})`);
    }
    return this.#items[index] as T;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Whether nothing will follow. */
  get done(): boolean {
    return this.#ended !== undefined;
  }

  close(): void {
    this.#ended = {};
    this.#wake();
  }

  fail(error: unknown): void {
    this.#ended = { error };
    this.#wake();
  }

  // The names below are called by run streams of either library.

  /** @internal */
  _wire(forward: (item: T) => void): void {
    this.#forward = forward;
  }

  /** @internal */
  _close(): void {
    this.close();
  }

  /** @internal */
  _fail(error: unknown): void {
    this.fail(error);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

export const isStreamChannel = (value: unknown): value is StreamChannel<unknown> => StreamChannel.isInstance(value);
