// The config of the node that runs now, carried by AsyncLocalStorage: how `interrupt()`, a model or a graph called inside
// a node without a config finds its run. The storage is LangChain's own, which lives on globalThis, so that
// @langchain/core and a second copy of this module see the same one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { CallbackManager } from '@langchain/core/callbacks/manager';
import type { RunnableConfig } from '@langchain/core/runnables';

AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());

/** Where @langchain/core looks for the config in the stored object, and for its context variables. */
const CHILD_CONFIG = Symbol.for('lc:child_config');
const CONTEXT_VARIABLES = Symbol.for('lc:context_variables');

interface Stored {
  readonly extra: { readonly [CHILD_CONFIG]: RunnableConfig };
  [CONTEXT_VARIABLES]?: unknown;
}

export function ambientConfig<Config extends RunnableConfig = RunnableConfig>(): Config | undefined {
  return AsyncLocalStorageProviderSingleton.getRunnableConfig() as Config | undefined;
}

/** Runs `step` with `config` as the ambient one. */
export function runAmbient<T>(config: RunnableConfig, step: () => T): T {
  // With a LangSmith tracer the stored object has to be its run tree. Without, @langchain/core would build an empty one
  // for each call, which costs more than a small node.
  if (isTraced(config)) return AsyncLocalStorageProviderSingleton.runWithConfig<T>(config, step);
  const storage = AsyncLocalStorageProviderSingleton.getInstance() as AsyncLocalStorage<Stored>;
  const stored: Stored = { extra: { [CHILD_CONFIG]: config } };
  const variables = storage.getStore()?.[CONTEXT_VARIABLES];
  if (variables !== undefined) stored[CONTEXT_VARIABLES] = variables;
  return storage.run(stored, step);
}

function isTraced({ callbacks }: RunnableConfig): boolean {
  const handlers = callbacks instanceof CallbackManager ? callbacks.handlers : callbacks;
  return (
    Array.isArray(handlers) && handlers.some((handler) => (handler as { name?: string }).name === 'langchain_tracer')
  );
}
