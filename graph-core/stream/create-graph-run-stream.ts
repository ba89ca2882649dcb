// From a run's chunks to its run stream.
import { INTERRUPT } from '../constants.js';
import type { StreamMode } from '../stream-mode.js';
import { ATTACH, GraphRunStream, SubgraphRunStream } from './graph-run-stream.js';
import { createLifecycleTransformer, filterLifecycleEntries } from './lifecycle-transformer.js';
import { createMessagesTransformer } from './messages-transformer.js';
import type { Namespace } from './namespace.js';
import { convertToProtocolEvent } from './protocol-events.js';
import { isNativeTransformer, type InferExtensions, type TransformerFactory } from './protocol.js';
import { StreamMux } from './stream-mux.js';
import { createSubgraphDiscoveryTransformer, filterSubgraphHandles } from './subgraph-discovery.js';
import { createValuesTransformer } from './values-transformer.js';

/** A chunk of several modes, of graphs below as well. */
export type RunChunk = readonly [namespace: Namespace, mode: StreamMode, payload: unknown];

export interface CreateGraphRunStreamOptions {
  /** What `abort()` of the stream aborts. */
  readonly abortController?: AbortController;
}

/** @param transformers In the order in which they see the events. */
export function createGraphRunStream<
  Values = Record<string, unknown>,
  const Factories extends readonly TransformerFactory[] = [],
>(
  source: AsyncIterable<RunChunk>,
  transformers?: Factories,
  options: CreateGraphRunStreamOptions | AbortController = {},
): GraphRunStream<Values, InferExtensions<Factories> & Record<string, unknown>> {
  const abortController = options instanceof AbortController ? options : options.abortController;
  const mux = new StreamMux();
  const views = addOwnTransformers(mux);
  const { extensions, fields } = addTransformers(mux, transformers ?? []);
  const root = new GraphRunStream<Values, InferExtensions<Factories> & Record<string, unknown>>(
    [],
    mux,
    0,
    0,
    extensions as InferExtensions<Factories> & Record<string, unknown>,
    abortController,
  );
  Object.assign(root, ...fields);
  root[ATTACH](views);
  mux.register([], root);
  void pump(source, mux);
  return root;
}

/** Discovery first: whoever comes after finds the stream of a graph already there. */
function addOwnTransformers(mux: StreamMux) {
  const lifecycle = createLifecycleTransformer();
  const { _lifecycleLog: log, lifecycle: entries } = lifecycle.init();
  const discovery = createSubgraphDiscoveryTransformer(mux, {
    createStream: (path, discoveryStart, eventStart) => {
      const stream = new SubgraphRunStream(path, mux, discoveryStart, eventStart);
      stream[ATTACH]({
        subgraphs: filterSubgraphHandles<SubgraphRunStream>(mux._discoveries, path, discoveryStart),
        lifecycle: filterLifecycleEntries(log, path, log.size),
      });
      return stream;
    },
  });
  const values = createValuesTransformer([]);
  const messages = createMessagesTransformer([]);
  for (const transformer of [discovery, lifecycle, values, messages]) mux.addTransformer(transformer);
  return {
    subgraphs: discovery.init().subgraphs,
    lifecycle: entries,
    values: values.init()._valuesLog.toAsyncIterable(),
    messages: messages.init().messages,
  };
}

/** @returns what becomes of their projections: `fields` of the stream itself, or `extensions`. */
function addTransformers(mux: StreamMux, factories: readonly TransformerFactory[]) {
  const extensions: Record<string, unknown> = {};
  const fields: object[] = [];
  for (const factory of factories) {
    const transformer = factory();
    mux.addTransformer(transformer);
    const projection: unknown = transformer.init();
    if (typeof projection !== 'object' || projection === null) continue;
    if (isNativeTransformer(transformer)) fields.push(projection);
    else {
      Object.assign(extensions, projection);
      mux.wireChannels(projection);
    }
  }
  return { extensions, fields };
}

/** An error of the run, or of a transformer, ends the stream. */
async function pump(source: AsyncIterable<RunChunk>, mux: StreamMux): Promise<void> {
  let seq = 0;
  try {
    for await (const [namespace, mode, payload] of source) {
      if (mode === 'values') noteInterrupts(mux, payload);
      for (const event of convertToProtocolEvent({ namespace, mode, payload, seq })) {
        seq += 1;
        mux.push(namespace, event);
      }
    }
  } catch (error) {
    mux.fail(error);
    return;
  }
  mux.close();
}

function noteInterrupts(mux: StreamMux, values: unknown): void {
  if (typeof values !== 'object' || values === null || !(INTERRUPT in values)) return;
  const asked = values[INTERRUPT] as readonly { readonly id?: string; readonly value?: unknown }[];
  mux.markInterrupted(asked.map(({ id, value }) => ({ interruptId: id ?? '', payload: value })));
}
