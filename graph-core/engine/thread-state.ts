// The states of a thread: the latest, those it had, and edits. Of a graph, or by a checkpoint namespace of one within it.
import { mergeConfigs, type RunnableConfig } from '@langchain/core/runnables';
import type { BaseCheckpointSaver, CheckpointListOptions } from '@langchain/langgraph-checkpoint';
import { GraphValueError } from '../errors.js';
import type { ExecutableGraph } from './executable-graph.js';
import { lastingNamespace, nodePath } from './namespaces.js';
import { withDeltas } from './delta-channels.js';
import { savedOf } from './saved-state.js';
import type { StateSnapshot, TaskSnapshot } from './snapshot.js';
import { noState, stateSnapshot, tasksAfter } from './state-snapshot.js';
import { remotesOf, subgraphsOf, subgraphsWithin } from './subgraphs.js';
import type { SavedState } from './superstep-contract.js';
import { taskContextOf } from './task-context.js';
import { updateState, type StateUpdate } from './update-state.js';

export interface GetStateOptions {
  /** Also the states of graphs that are nodes. */
  readonly subgraphs?: boolean;
}

/** One superstep of an edit: what its nodes are taken to have returned. */
export interface StateUpdates {
  readonly updates: readonly StateUpdate[];
}

/** The thread's latest state, or the one `config` names by its checkpoint_id. */
export async function threadState(
  graph: ExecutableGraph,
  config: RunnableConfig,
  { subgraphs = false }: GetStateOptions = {},
): Promise<StateSnapshot> {
  return ownState(addressed(graph, config), subgraphs ? 'snapshots' : 'configs');
}

/** The thread's states, newest first; read as they are asked for. */
export async function* threadHistory(
  graph: ExecutableGraph,
  config: RunnableConfig,
  options?: CheckpointListOptions,
): AsyncGenerator<StateSnapshot> {
  const own = addressed(graph, config);
  const at = { ...own.config, configurable: { checkpoint_ns: '', ...own.config.configurable } };
  for await (const tuple of own.saver.list(at, options)) {
    yield await snapshot(own, await withDeltas(own.graph, own.saver, savedOf(tuple)), {
      pendingWrites: 'left',
      nested: 'configs',
    });
  }
}

/** A checkpoint for each superstep; those before one that fails stay. @returns the config of the last. */
export async function updateThread(
  graph: ExecutableGraph,
  config: RunnableConfig,
  supersteps: readonly StateUpdates[],
): Promise<RunnableConfig> {
  const saver = saverOf(graph, config);
  if (supersteps.length === 0) throw new Error('No supersteps provided');
  if (supersteps.some(({ updates }) => updates.length === 0)) throw new Error('No updates provided');
  const own = addressed(graph, config);
  if (own.found === 'rows') {
    throw new Error(`Subgraph "${nodePath(String(own.config.configurable?.['checkpoint_ns']))}" not found`);
  }
  let at = own.config;
  for (const { updates } of supersteps) at = await updateState(own.graph, { saver, config: at }, updates);
  return at;
}

/** The graph that a config is about, with the config it keeps its checkpoints under. */
interface Addressed {
  readonly graph: ExecutableGraph;
  readonly saver: BaseCheckpointSaver;
  readonly config: RunnableConfig;
  /** `rows`: no node is that graph, one was called within a node; its checkpoints are there, and read as this graph's. */
  readonly found: 'graph' | 'rows';
}

function addressed(graph: ExecutableGraph, given: RunnableConfig): Addressed {
  const saver = saverOf(graph, given);
  const config = mergeConfigs(graph.config, given) as RunnableConfig;
  const ns = String(config.configurable?.['checkpoint_ns'] ?? '');
  // Within a task the config is that task's, and its namespace is the one a graph called there has.
  if (ns === '' || taskContextOf(given) !== undefined) {
    return { graph, saver, config: ownConfig(graph, config), found: 'graph' };
  }
  for (const [, nested] of subgraphsWithin(graph, nodePath(ns), true)) {
    return { graph: nested, saver: nestedSaver(nested, saver), config: ownConfig(nested, config), found: 'graph' };
  }
  return { graph, saver, config: ownConfig(graph, config), found: 'rows' };
}

/** @throws GraphValueError `MISSING_CHECKPOINTER`; Error for a graph that is to keep its state within another, and is not. */
function saverOf({ checkpointer }: ExecutableGraph, config: RunnableConfig): BaseCheckpointSaver {
  if (checkpointer === false) throw noCheckpointer();
  const saver = taskContextOf(config)?.saver ?? checkpointer;
  if (saver === true) throw new Error('checkpointer: true cannot be used for root graphs.');
  if (saver === undefined) throw noCheckpointer();
  return saver;
}

function nestedSaver({ checkpointer }: ExecutableGraph, lent: BaseCheckpointSaver): BaseCheckpointSaver {
  if (checkpointer === false) throw noCheckpointer();
  return lent;
}

const noCheckpointer = (): GraphValueError =>
  new GraphValueError('No checkpointer set', { lc_error_code: 'MISSING_CHECKPOINTER' });

/** A graph that keeps its state over runs has one namespace for all the tasks it is called in. */
function ownConfig({ checkpointer }: ExecutableGraph, config: RunnableConfig): RunnableConfig {
  if (checkpointer !== true) return config;
  const ns = lastingNamespace(String(config.configurable?.['checkpoint_ns'] ?? ''));
  return { ...config, configurable: { ...config.configurable, checkpoint_ns: ns } };
}

/** What a task that is a graph shows as its state. */
type Nested = 'configs' | 'snapshots';

async function ownState(own: Addressed, nested: Nested): Promise<StateSnapshot> {
  const tuple = await own.saver.getTuple(own.config);
  if (tuple === undefined) return noState(own.config);
  const pendingWrites = own.config.configurable?.['checkpoint_id'] ? 'left' : 'applied';
  return snapshot(own, await withDeltas(own.graph, own.saver, savedOf(tuple)), { pendingWrites, nested });
}

async function snapshot(
  { graph, saver }: Addressed,
  saved: SavedState,
  { pendingWrites, nested }: { readonly pendingWrites: 'applied' | 'left'; readonly nested: Nested },
): Promise<StateSnapshot> {
  const graphs = subgraphsOf(graph);
  const remotes = remotesOf(graph);
  const states = new Map<string, TaskSnapshot['state']>();
  for (const task of tasksAfter(graph, saved)) {
    const inner = graphs.get(task.name);
    const remote = remotes.get(task.name);
    if (remote === undefined && (inner === undefined || inner.checkpointer === false)) continue;
    const threadId: unknown = saved.config.configurable?.['thread_id'];
    const at = { configurable: { thread_id: threadId, checkpoint_ns: task.checkpointNs } };
    if (nested === 'configs') states.set(task.id, at);
    else if (remote) states.set(task.id, await remote.stateOfCall(at, { subgraphs: true }));
    else if (inner) {
      states.set(
        task.id,
        await ownState({ graph: inner, saver, config: ownConfig(inner, at), found: 'graph' }, nested),
      );
    }
  }
  return stateSnapshot(graph, saved, { pendingWrites, subgraphState: (task) => states.get(task.id) });
}
