// Store and task cache as one run's nodes have them. Storage's own failures are marked as such, as by RunSaver: a node
// must not be blamed for them, nor its retry policy used up.
import {
  BaseCache,
  BaseStore,
  type CacheFullKey,
  type CacheNamespace,
  type Operation,
  type OperationResults,
} from '@langchain/langgraph-checkpoint';
import { batchedStore, type CompiledGraph, type SuperstepPorts } from '../graph-core/index.js';
import type { Run } from '../storage/records.js';
import type { ActivityDependencies } from './dependencies.js';
import { fromStorage } from './failures.js';

/** What the graph was compiled with stands over what the service has. */
export function memoryOf(
  { store, taskCache }: Pick<ActivityDependencies, 'store' | 'taskCache'>,
  graph: CompiledGraph,
  { graphId }: Run,
): Pick<SuperstepPorts, 'store' | 'cache'> {
  const served = { store: store && new RunStore(store), cache: taskCache && new RunCache(taskCache, graphId) };
  const behind = graph.store ?? served.store;
  return { store: behind && batchedStore(behind), cache: graph.cache ?? served.cache };
}

class RunStore extends BaseStore {
  readonly #store: BaseStore;

  constructor(store: BaseStore) {
    super();
    this.#store = store;
  }

  batch<Ops extends Operation[]>(operations: Ops): Promise<OperationResults<Ops>> {
    return fromStorage(() => this.#store.batch(operations));
  }
}

type Pair<Value> = { readonly key: CacheFullKey; readonly value: Value; readonly ttl?: number };

/** Nodes of the same name in two graphs have nothing to do with each other: each graph has its own part of the cache. */
class RunCache<Value = unknown> extends BaseCache<Value> {
  readonly #cache: BaseCache<Value>;
  readonly #graphId: string;

  constructor(cache: BaseCache<Value>, graphId: string) {
    super(cache.serde);
    this.#cache = cache;
    this.#graphId = graphId;
  }

  async get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: Value }[]> {
    const found = await fromStorage(() => this.#cache.get(keys.map((key) => this.#within(key))));
    return found.map(({ key: [[, ...namespace], key], value }) => ({ key: [namespace, key], value }));
  }

  set(pairs: Pair<Value>[]): Promise<void> {
    return fromStorage(() => this.#cache.set(pairs.map((pair) => ({ ...pair, key: this.#within(pair.key) }))));
  }

  /** @param namespaces Without any: nothing, for other graphs live in the same cache. */
  async clear(namespaces: CacheNamespace[]): Promise<void> {
    if (namespaces.length === 0) return;
    await fromStorage(() => this.#cache.clear(namespaces.map((labels) => [this.#graphId, ...labels])));
  }

  #within([namespace, key]: CacheFullKey): CacheFullKey {
    return [[this.#graphId, ...namespace], key];
  }
}
