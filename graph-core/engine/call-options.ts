// From what a caller of a compiled graph passed, what is bound to the graph, and what is ambient, to one config.
import { mergeConfigs, type RunnableConfig } from '@langchain/core/runnables';
import { CallbackManager, type Callbacks } from '@langchain/core/callbacks/manager';
import type { BaseCache, BaseStore } from '@langchain/langgraph-checkpoint';
import type { StreamMode } from '../stream-mode.js';
import { ambientConfig } from './ambient-config.js';
import type { Breakpoints } from './executable-graph.js';
import type { NodeConfig } from './node-config.js';
import { RunControl } from './run-control.js';
import { DEFAULT_RECURSION_LIMIT } from './saved-state.js';
import { serverInfoOf } from './server-info.js';
import { taskContextOf, type Durability } from './task-context.js';

/** What `invoke` and `stream` take. */
export interface CallOptions<Context = unknown> extends Partial<RunnableConfig> {
  readonly context?: Context;
  readonly streamMode?: StreamMode | readonly StreamMode[];
  /** Stream from nested graphs too; chunks then begin with a namespace. */
  readonly subgraphs?: boolean;
  readonly interruptBefore?: Breakpoints;
  readonly interruptAfter?: Breakpoints;
  /** `stream` then gives bytes: server-sent events. */
  readonly encoding?: 'text/event-stream';
  /** Of `streamEvents`. */
  readonly version?: 'v1' | 'v2' | 'v3';
  /** When checkpoints are saved. Default `async`. */
  readonly durability?: Durability;
  /** Older form of `durability`: `false` is `exit`, `true` is `async`. */
  readonly checkpointDuring?: boolean;
  readonly outputKeys?: string | readonly string[];
  readonly store?: BaseStore;
  /** Where results of nodes with a `cachePolicy` are kept; instead of the graph's own. */
  readonly cache?: BaseCache;
  /** By which the run can be asked to stop between supersteps. */
  readonly control?: RunControl;
  readonly writer?: (chunk: unknown) => void;
}

/** Config of a call, with what nodes inherit. */
export type CallConfig = NodeConfig & Pick<CallOptions, 'context'>;

/** Of the ambient config; not what names one run. */
const INHERITED = [
  'recursionLimit',
  'maxConcurrency',
  'context',
  'signal',
  'store',
  'writer',
  'interrupt',
  'serverInfo',
  'control',
] as const;

const OWN = [...INHERITED, 'runName', 'runId'] as const;

/** Keys of `configurable` that traces and stream metadata show. */
const SHOWN = ['thread_id', 'checkpoint_id', 'checkpoint_ns', 'task_id', 'run_id', 'assistant_id', 'graph_id'] as const;

export function callConfig(bound: RunnableConfig | undefined, options: CallOptions): CallConfig {
  const ambient = ambientConfig<CallConfig>();
  // A thread named outside of any task starts a run of its own, whatever config is still ambient there.
  const foreign =
    options.configurable?.['thread_id'] !== undefined && !taskContextOf(ambient) && !taskContextOf(options);
  const layers = [ambient, bound, options].filter((layer) => layer !== undefined);
  // Tags and metadata of a call stand in for those around it, not for what is bound to the graph.
  const tags = [...(bound?.tags ?? []), ...(options.tags ?? ambient?.tags ?? [])];
  const around = options.metadata ? undefined : ambient?.metadata;
  const config: Record<string, unknown> = { recursionLimit: DEFAULT_RECURSION_LIMIT };
  for (const layer of layers) {
    for (const key of layer === ambient ? INHERITED : OWN) {
      const value = (layer as Record<string, unknown>)[key];
      if (value !== undefined) config[key] = value;
    }
  }
  const configurable: Record<string, unknown> = {};
  for (const layer of layers) if (!foreign || layer !== ambient) Object.assign(configurable, layer.configurable);
  config['control'] ??= new RunControl();
  const metadata = metadataOf(configurable, { ...around, ...bound?.metadata, ...options.metadata });
  config['serverInfo'] ??= serverInfoOf({ configurable, metadata });
  return {
    ...config,
    tags: [...new Set(tags)],
    callbacks: layers.reduce<Callbacks | undefined>(
      (merged, layer) => mergeCallbacks(merged, layer.callbacks),
      undefined,
    ),
    configurable,
    metadata,
  };
}

function metadataOf(configurable: Record<string, unknown>, given: object): Record<string, unknown> {
  const metadata: Record<string, unknown> = { ls_integration: 'langgraph', ...given };
  // LangChain shows a model that is named in any config.
  if (typeof configurable['model'] === 'string') metadata['model'] ??= configurable['model'];
  for (const [key, value] of Object.entries(shownOf(configurable))) if (!(key in metadata)) metadata[key] = value;
  return metadata;
}

/** What of `configurable` is metadata too. */
export const shownOf = (configurable: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    SHOWN.map((key): [string, unknown] => [key, configurable[key]]).filter(([, value]) => value !== undefined),
  );

/** A config handed on inside a node meets itself as the ambient one: each handler counts once. */
function mergeCallbacks(base: Callbacks | undefined, given: Callbacks | undefined): Callbacks | undefined {
  if (base === undefined || given === undefined || base === given) return given ?? base;
  const { callbacks } = mergeConfigs({ callbacks: base }, { callbacks: given });
  if (!(callbacks instanceof CallbackManager)) return callbacks;
  const manager = callbacks.copy();
  manager.handlers = [...new Set(manager.handlers)];
  manager.inheritableHandlers = [...new Set(manager.inheritableHandlers)];
  return manager;
}

export function durabilityOf(
  { durability, checkpointDuring }: CallOptions,
  inherited: Durability | undefined,
): Durability {
  if (durability !== undefined && checkpointDuring !== undefined) {
    throw new Error('Cannot use both `durability` and `checkpointDuring` at the same time.');
  }
  if (checkpointDuring !== undefined) return checkpointDuring ? 'async' : 'exit';
  return durability ?? inherited ?? 'async';
}
