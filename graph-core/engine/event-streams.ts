// `streamEvents` of a compiled graph: v3 is a run stream, v1 and v2 are LangChain's, made stoppable.
import type { IterableReadableStream } from '@langchain/core/utils/stream';
import { createGraphRunStream, type RunChunk } from '../stream/create-graph-run-stream.js';
import type { GraphRunStream } from '../stream/graph-run-stream.js';
import { STREAM_EVENTS_V3_MODES } from '../stream/protocol-events.js';
import type { InferExtensions, TransformerFactory } from '../stream/protocol.js';
import type { CallOptions } from './call-options.js';
import { runEvent } from './event-stream.js';
import { stoppable } from './run-stream.js';

/** Options of `streamEvents` v3. */
export type StreamEventsV3Options<
  Context,
  Factories extends readonly TransformerFactory[],
  Encoding extends 'text/event-stream' | undefined = undefined,
> = Omit<CallOptions<Context>, 'encoding' | 'subgraphs' | 'version'> & {
  readonly version: 'v3';
  /** Come after those that the graph was compiled with. */
  readonly transformers?: Factories;
} & (Encoding extends 'text/event-stream'
    ? { readonly encoding: 'text/event-stream' }
    : { readonly encoding?: undefined });

type AnyV3Options = Omit<CallOptions, 'version'> & { readonly transformers?: readonly TransformerFactory[] };

/** @param open Starts the run with these options. */
export function runStreamOf<Values, Factories extends readonly TransformerFactory[]>(
  open: (options: CallOptions) => Promise<IterableReadableStream<unknown>>,
  own: readonly TransformerFactory[],
  { encoding: _encoding, transformers = [], ...options }: AnyV3Options,
): GraphRunStream<Values, InferExtensions<Factories> & Record<string, unknown>> {
  const abortController = new AbortController();
  const { signal } = abortController;
  const opened = open({
    ...options,
    version: 'v3',
    streamMode: STREAM_EVENTS_V3_MODES,
    subgraphs: true,
    signal: options.signal ? AbortSignal.any([options.signal, signal]) : signal,
  });
  const factories = [...own, ...transformers] as unknown as Factories;
  return createGraphRunStream<Values, Factories>(chunksOf(opened), factories, { abortController });
}

async function* chunksOf(opened: Promise<IterableReadableStream<unknown>>): AsyncGenerator<RunChunk> {
  yield* (await opened) as AsyncIterable<RunChunk>;
}

/** A run stream's events as server-sent ones. */
export function eventBytes(run: GraphRunStream<unknown>): IterableReadableStream<Uint8Array> {
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => run.abort(stop.signal.reason), { once: true });
  return stoppable(encoded(run), stop);
}

async function* encoded(run: GraphRunStream<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const { method, params } of run) {
      const { namespace, data } = params;
      yield runEvent(namespace.length > 0 ? `${method}|${namespace.join('|')}` : method, data ?? {});
    }
  } catch (error) {
    yield runEvent('error', { message: String(error) });
  }
}
