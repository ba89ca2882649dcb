// A store as nodes see it: what they ask of it in one turn of the event loop goes to the store behind as one batch, so
// that parallel nodes, and a node's parallel calls, cost one round trip.
import { BaseStore, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint';

interface Waiting {
  readonly operation: Operation;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const MARK = 'AsyncBatchedStore';

class BatchedStore extends BaseStore {
  /** By this mark LangGraph knows a store that batches, and takes the `store` behind it. */
  readonly lg_name = MARK;
  readonly store: BaseStore;
  #waiting: Waiting[] = [];

  constructor(store: BaseStore) {
    super();
    this.store = store;
  }

  /** A single operation waits for others of its turn; a batch is one already. A batch that fails fails all its calls. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const [operation, ...more] = operations;
    if (operation === undefined || more.length > 0) return this.store.batch(operations);
    const result = await new Promise<unknown>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#flush());
      this.#waiting.push({ operation, resolve, reject });
    });
    return [result] as OperationResults<Op>;
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const results: readonly unknown[] = await this.store.batch(batch.map(({ operation }) => operation));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  toJSON(): object {
    return { store: '[LangGraphStore]' };
  }
}

/** @returns the store itself if it batches already. LangGraph's own kind works only while it is started, so it is replaced. */
export function batchedStore(store: BaseStore): BaseStore {
  if (store instanceof BatchedStore) return store;
  const { lg_name: mark, store: behind } = store as { readonly lg_name?: unknown; readonly store?: BaseStore };
  return new BatchedStore(mark === MARK && behind !== undefined ? behind : store);
}
