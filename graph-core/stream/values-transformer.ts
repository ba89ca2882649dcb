// Collects the `values` of one graph.
import { isSame, type Namespace } from './namespace.js';
import type { StreamTransformer } from './protocol.js';
import { StreamChannel } from './stream-channel.js';

export interface ValuesTransformerProjection {
  _valuesLog: StreamChannel<Record<string, unknown>>;
}

/** @param path The graph. */
export function createValuesTransformer(path: Namespace): StreamTransformer<ValuesTransformerProjection> {
  const values = StreamChannel.local<Record<string, unknown>>();
  return {
    init: () => ({ _valuesLog: values }),
    process({ method, params }) {
      if (method === 'values' && isSame(params.namespace, path)) values.push(params.data as Record<string, unknown>);
      return true;
    },
    finalize: () => values.close(),
    fail: (error) => values.fail(error),
  };
}
