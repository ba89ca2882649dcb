// Finds the graphs called in a run's nodes, by the namespaces of their events, and makes a stream for each.
import { isWithin, namespaceKey, type Namespace } from './namespace.js';
import type { NativeStreamTransformer } from './protocol.js';
import type { StreamChannel } from './stream-channel.js';
import type { StreamHandle, StreamMux, SubgraphDiscovery } from './stream-mux.js';

export interface SubgraphDiscoveryProjection<Stream extends StreamHandle = StreamHandle> {
  _discoveries: StreamChannel<SubgraphDiscovery>;
  subgraphs: AsyncIterable<Stream>;
}

export interface SubgraphDiscoveryTransformerOptions<Stream extends StreamHandle = StreamHandle> {
  /** `discoveryStart`, `eventStart`: places in the logs of the mux, from where the stream reads. */
  readonly createStream: (path: Namespace, discoveryStart: number, eventStart: number) => Stream;
}

/** Only namespaces of one level are announced: those below are of tasks within a graph. */
export function createSubgraphDiscoveryTransformer<Stream extends StreamHandle = StreamHandle>(
  mux: StreamMux,
  { createStream }: SubgraphDiscoveryTransformerOptions<Stream>,
): NativeStreamTransformer<SubgraphDiscoveryProjection<Stream>> {
  const seen = new Set<string>();
  return {
    __native: true,
    init: () => ({ _discoveries: mux._discoveries, subgraphs: filterSubgraphHandles<Stream>(mux._discoveries, []) }),
    process({ params }) {
      const ns = params.namespace.slice(0, 1);
      const key = namespaceKey(ns);
      if (ns.length === 0 || seen.has(key)) return true;
      seen.add(key);
      const stream = createStream(ns, mux._discoveries.size, mux._events.size);
      mux.register(ns, stream);
      mux._discoveries.push({ ns, stream });
      return true;
    },
  };
}

/** Streams of the graphs called in a graph's own nodes. */
export function filterSubgraphHandles<Stream extends StreamHandle = StreamHandle>(
  log: StreamChannel<SubgraphDiscovery>,
  path: Namespace,
  startAt = 0,
): AsyncIterable<Stream> {
  return {
    [Symbol.asyncIterator]() {
      const discoveries = log.iterate(startAt);
      return {
        next: async (): Promise<IteratorResult<Stream>> => {
          for (;;) {
            const next = await discoveries.next();
            if (next.done === true) return { value: undefined, done: true };
            const { ns, stream } = next.value;
            if (ns.length === path.length + 1 && isWithin(ns, path)) return { value: stream as Stream, done: false };
          }
        },
      };
    },
  };
}
