// A run as a stream that its reader may stop. Chunks wait in memory: a slow reader does not slow the run.
import { IterableReadableStream } from '@langchain/core/utils/stream';

export interface RunStreamOptions<Item, Chunk> {
  /** Aborts the run from outside; so does cancelling the stream or leaving its loop. */
  readonly signal: AbortSignal | undefined;
  /** What a reader gets for an item; made when it is read. */
  readonly read: (item: Item) => Chunk;
}

/** @param run Runs until done; `push` after the reader has gone is ignored. */
export function runStream<Item, Chunk = Item>(
  run: (push: (item: Item) => void, signal: AbortSignal) => Promise<void>,
  { signal, read }: RunStreamOptions<Item, Chunk>,
): RunStream<Chunk> {
  const stop = new AbortController();
  const queue: Item[] = [];
  let wake: (() => void) | undefined;
  let ended: { readonly error?: unknown } | undefined;
  const push = (item: Item): void => {
    if (stop.signal.aborted) return;
    queue.push(item);
    wake?.();
  };
  const end = (result: { readonly error?: unknown }): void => {
    ended = result;
    wake?.();
  };
  void run(push, signal ? AbortSignal.any([signal, stop.signal]) : stop.signal).then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  const source: ConstructorParameters<typeof IterableReadableStream<Chunk>>[0] = {
    // By pull, so that an error does not overtake the chunks before it.
    pull: async (controller) => {
      while (queue.length === 0 && ended === undefined) await new Promise<void>((resolve) => (wake = resolve));
      if (queue.length > 0) controller.enqueue(read(queue.shift() as Item));
      else if (ended && 'error' in ended) controller.error(ended.error);
      else controller.close();
    },
    cancel: (reason: unknown) => {
      stop.abort(reason);
      wake?.();
    },
  };
  return new RunStream(source, stop);
}

/** A stream of other making, so that cancelling it aborts `stop`. */
export function stoppable<Chunk>(chunks: AsyncIterable<Chunk>, stop: AbortController): RunStream<Chunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController<Chunk>): Promise<void> => {
    const next = await iterator.next();
    if (next.done === true) controller.close();
    else controller.enqueue(next.value);
  };
  return new RunStream<Chunk>({ pull, cancel: (reason: unknown) => stop.abort(reason) }, stop);
}

/** A stream that is being read is locked and cannot be cancelled; the run can. Its reader then gets the abort. */
export class RunStream<Chunk> extends IterableReadableStream<Chunk> {
  constructor(
    source: ConstructorParameters<typeof IterableReadableStream<Chunk>>[0],
    private readonly stop: AbortController,
  ) {
    super(source);
  }

  /** Aborted when the stream is cancelled. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  override async cancel(reason?: unknown): Promise<void> {
    this.stop.abort(reason);
    if (!this.locked) await super.cancel(reason);
  }
}
