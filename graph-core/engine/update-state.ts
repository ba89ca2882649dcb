// `updateState`: writes to a thread as if a node had, from outside a run.
import {
  compareChannelVersions,
  emptyCheckpoint,
  uuid5,
  type BaseCheckpointSaver,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { COPY, END, INPUT, INTERRUPT } from '../constants.js';
import { InvalidUpdateError } from '../errors.js';
import { applyOwnWrites, applyWrites, pathKey, type TaskWrites, type Write } from './apply-writes.js';
import { runAmbient } from './ambient-config.js';
import { runWriters } from './call-node.js';
import { deltaPlan, deltasAmong, overwrittenDeltas } from './delta-channels.js';
import { draftCheckpoint } from './commit.js';
import type { ExecutableGraph } from './executable-graph.js';
import type { NodeSpec } from './graph-spec.js';
import { identified } from './message-ids.js';
import { emptyState, isList, liveState, readChannels, type Keys, type LiveState } from './live-state.js';
import type { NodeConfig } from './node-config.js';
import { loadState, nextStep, nextVersionOf, nothingSaved, stateOf } from './saved-state.js';
import { tasksAfter, taskWrites, tasksWithWrites, withCheckpointMap } from './state-snapshot.js';
import type { RunOptions, SavedState } from './superstep-contract.js';
import { checkWrites } from './check-serializable.js';
import { inputWrites } from './input-writes.js';

/** One node's part of an update. */
export interface StateUpdate {
  readonly values?: unknown;
  /** Whose writers it goes through, so that its edges lead on. Absent: the node that wrote last, if it is clear. */
  readonly asNode?: string;
  /** Of the copied checkpoint's task, so that it has the writes that task would have. */
  readonly taskId?: string;
}

/** What an update needs of the world. */
export interface UpdatePorts {
  readonly saver: BaseCheckpointSaver;
  readonly config: RunnableConfig;
}

/** @returns the config of the new checkpoint. */
export async function updateState(
  graph: ExecutableGraph,
  { saver, config }: UpdatePorts,
  updates: readonly StateUpdate[],
): Promise<RunnableConfig> {
  const [first] = updates;
  if (first === undefined) throw new Error('No updates provided');
  const saved = await loadState(graph, saver, config);
  const update: Update = { graph, saver, config: addressed(config, saved), saved };
  const onlyOne = (what: string): void => {
    if (updates.length > 1) throw new InvalidUpdateError(what);
  };
  const { values, asNode } = first;
  if ((values === null || values === undefined) && asNode === undefined) {
    onlyOne('Cannot create empty checkpoint with multiple updates');
    return put(update, unchanged(update), { source: 'update' });
  }
  if (values === null && asNode === END) {
    onlyOne('Cannot apply multiple updates when clearing state');
    const metadata = { ...saved?.metadata, ...config.metadata };
    return put(update, finished(update), { source: 'update', metadata });
  }
  if (asNode === COPY) {
    onlyOne('Cannot copy checkpoint with multiple updates');
    return copied(update, values);
  }
  if (asNode === INPUT) {
    onlyOne('Cannot apply multiple updates when updating as input');
    return asInput(update, values);
  }
  return asNodes(update, updates);
}

interface Update {
  readonly graph: ExecutableGraph;
  readonly saver: BaseCheckpointSaver;
  /** Names the checkpoint that is updated, where there is one. */
  readonly config: RunnableConfig;
  readonly saved: SavedState | undefined;
}

function addressed(config: RunnableConfig, saved: SavedState | undefined): RunnableConfig {
  const ns: unknown = config.configurable?.['checkpoint_ns'] ?? '';
  return { ...config, configurable: { ...config.configurable, checkpoint_ns: ns, ...saved?.config.configurable } };
}

const loaded = ({ graph, saver, saved, config }: Update): LiveState =>
  stateOf(graph, saved ?? nothingSaved(config), nextVersionOf(saver));

/** The checkpoint as it is, without what is written to it but not yet part of it. */
function unchanged({ graph, saved }: Update): LiveState {
  if (saved) return liveState(graph.spec, saved.checkpoint);
  return emptyState(emptyCheckpoint());
}

interface Placed {
  readonly source: 'update' | 'input';
  /** Default: the one after the checkpoint's. */
  readonly step?: number;
  /** What made the state. */
  readonly applied?: { readonly updated: ReadonlySet<string>; readonly writes: readonly Write[] };
  /** To be kept beside the source and the step. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

async function put({ graph, saver, config, saved }: Update, state: LiveState, placed: Placed): Promise<RunnableConfig> {
  const { source, step = (saved?.metadata.step ?? -1) + 1 } = placed;
  const options: Pick<RunOptions, 'config'> = {
    config: { configurable: { ...config.configurable, checkpoint_map: saved?.metadata.parents } },
  };
  const before = saved ?? nothingSaved(config);
  const deltas = deltaPlan(graph.spec, state, before, {
    storage: saved === undefined ? 'whole' : 'replayed',
    updated: placed.applied?.updated ?? new Set(),
    forced: deltasToStore(graph, saved, placed.applied?.writes ?? []),
    nextVersion: nextVersionOf(saver),
  });
  const { commit } = draftCheckpoint(state, before, { step, source }, options, deltas);
  const metadata = { ...placed.metadata, ...commit.metadata };
  const stored = await saver.put(commit.parentConfig, commit.checkpoint, metadata, commit.newVersions);
  return withCheckpointMap(stored, saved?.metadata);
}

/** Those whose writes stay behind on the checkpoint, or were not saved there as the thread has gone on from it. */
function deltasToStore(
  { spec }: ExecutableGraph,
  saved: SavedState | undefined,
  writes: readonly Write[],
): ReadonlySet<string> {
  const pending = (saved?.pendingWrites ?? []).map(([, channel]) => channel);
  const unsaved = saved?.superseded === true ? writes.map(([channel]) => channel) : [];
  return new Set([...deltasAmong(spec, [...pending, ...unsaved]), ...overwrittenDeltas(spec, writes)]);
}

/** All that was waiting counts as done, with what it wrote so far. */
function finished(update: Update): LiveState {
  const { graph, saver, saved } = update;
  const state = loaded(update);
  if (saved === undefined) return state;
  const tasks = tasksAfter(graph, saved, state);
  const written = new Map(tasksWithWrites(tasks, saved.pendingWrites).map(({ task, writes }) => [task.id, writes]));
  const writes = tasks.map((task) => taskWrites({ task, writes: written.get(task.id) ?? [] }));
  return applyWrites(state, writes, nextVersionOf(saver), graph.triggered).state;
}

async function asInput(update: Update, values: unknown): Promise<RunnableConfig> {
  const { graph, saver, saved } = update;
  if (values === null || values === undefined) {
    throw new InvalidUpdateError(`Received no input writes for ${JSON.stringify(graph.spec.inputChannel)}`);
  }
  const writes = inputWrites(graph.spec, values) as PendingWrite[];
  checkWrites(graph.spec, INPUT, writes);
  if (saved !== undefined && saved.superseded !== true) {
    await saver.putWrites(saved.config, writes, uuid5(INPUT, saved.checkpoint.id));
  }
  const input: TaskWrites = { name: INPUT, triggers: [], writes };
  const { state } = applyWrites(loaded(update), [input], nextVersionOf(saver), graph.triggered);
  return put(update, state, { source: 'input', step: saved ? nextStep(saved) : -1 });
}

/** A sibling of the checkpoint; with `[update, node]` pairs the nodes' writes upon it. */
async function copied(update: Update, values: unknown): Promise<RunnableConfig> {
  const { graph, saver, saved, config } = update;
  if (saved === undefined) throw new InvalidUpdateError('Cannot copy a non-existent checkpoint');
  const options = { config: { configurable: { ...config.configurable, checkpoint_map: saved.metadata.parents } } };
  const place = { step: nextStep(saved), source: 'fork' } as const;
  const state = stateOf(graph, { ...saved, pendingWrites: [] });
  const deltas = deltaPlan(graph.spec, state, saved, {
    storage: 'whole',
    updated: new Set(),
    nextVersion: nextVersionOf(saver),
  });
  const { commit } = draftCheckpoint(state, saved, place, options, deltas);
  const besides = saved.parentConfig ?? { configurable: { ...saved.config.configurable, checkpoint_id: undefined } };
  const stored = withCheckpointMap(await saver.put(besides, commit.checkpoint, commit.metadata, {}), saved.metadata);
  if (!isPairs(values)) return stored;
  const tasks = tasksAfter(graph, {
    ...saved,
    config: stored,
    checkpoint: commit.checkpoint,
    metadata: commit.metadata,
    pendingWrites: [],
  });
  const taken = new Map<string, number>();
  const updates = values.map(([written, asNode]): StateUpdate => {
    const place = taken.get(asNode) ?? 0;
    taken.set(asNode, place + 1);
    return { values: written, asNode, taskId: tasks.filter((task) => task.name === asNode)[place]?.id };
  });
  return updateState(graph, { saver, config: stored }, updates);
}

const isPairs = (values: unknown): values is readonly (readonly [unknown, string])[] =>
  Array.isArray(values) && values.length > 0 && values.every((pair) => Array.isArray(pair) && pair.length === 2);

async function asNodes(update: Update, updates: readonly StateUpdate[]): Promise<RunnableConfig> {
  const { graph, saver, saved, config } = update;
  const state = withPending(update);
  const tasks: { readonly id: string; readonly writes: readonly Write[]; readonly task: TaskWrites }[] = [];
  for (const [index, { values, asNode, taskId }] of updates.entries()) {
    const node = nodeFor(graph, state, asNode, updates.length);
    const writes = await writesAs(node, values, state, { store: graph.store, ...config });
    checkWrites(graph.spec, node.name, writes);
    const id = taskId ?? uuid5(index === 0 ? INTERRUPT : `${INTERRUPT}:${index}`, state.checkpoint.id);
    tasks.push({ id, writes, task: { name: node.name, path: [INTERRUPT, index], triggers: [INTERRUPT], writes } });
  }
  if (saved !== undefined && saved.superseded !== true) {
    for (const { id, writes, task } of tasks) {
      if (writes.length > 0) await saver.putWrites(saved.config, writes as PendingWrite[], id, pathKey(task.path));
    }
  }
  const applied = applyWrites(
    state,
    tasks.map(({ task }) => task),
    nextVersionOf(saver),
    graph.triggered,
  );
  const writes = tasks.flatMap((task) => [...task.writes]);
  return put(update, applied.state, { source: 'update', applied: { updated: applied.updated, writes } });
}

/** The latest state counts what finished tasks and Commands wrote; one named by its id is taken as it is. */
function withPending(update: Update): LiveState {
  const { graph, saver, saved } = update;
  if (saved?.superseded !== undefined) return unchanged(update);
  const state = loaded(update);
  if (saved === undefined) return state;
  const written = tasksWithWrites(tasksAfter(graph, saved, state), saved.pendingWrites);
  if (written.length === 0) return state;
  return applyWrites(state, written.map(taskWrites), nextVersionOf(saver), graph.triggered).state;
}

async function writesAs(
  node: NodeSpec,
  values: unknown,
  { channels }: LiveState,
  config: NodeConfig,
): Promise<readonly Write[]> {
  const writes: Write[] = [];
  const context = {
    write: (channel: string, value: unknown) => void writes.push([channel, identified(channels.get(channel), value)]),
    readFresh: (reads: Keys) => readChannels(applyOwnWrites(channels, isList(reads) ? reads : [reads], writes), reads),
    config,
  };
  await runAmbient(config, () => runWriters(node, values, context));
  return writes;
}

function nodeFor(graph: ExecutableGraph, { seen }: LiveState, asNode: string | undefined, updates: number): NodeSpec {
  if (asNode === undefined && updates > 1) {
    throw new InvalidUpdateError('"asNode" is required when applying multiple updates');
  }
  const name = asNode ?? lastWriter(graph, seen);
  if (name === undefined) throw new InvalidUpdateError('Ambiguous update, specify "asNode"');
  const node = graph.spec.nodes[name];
  if (node === undefined) throw new InvalidUpdateError(`Node "${name}" does not exist`);
  if (node.writers.length === 0) throw new InvalidUpdateError(`No writers found for node "${name}"`);
  return node;
}

/** The node that read the newest version of its trigger; undefined where several did. A new thread's writer is its input. */
function lastWriter({ spec }: ExecutableGraph, seen: LiveState['seen']): string | undefined {
  const nodes = Object.keys(spec.nodes);
  if (nodes.length === 1) return nodes[0];
  const reads = [...seen]
    .flatMap(([node, versions]) => Object.values(versions).map((version) => ({ node, version })))
    .filter(({ version }) => Boolean(version));
  if (reads.length === 0) return [spec.inputChannel].flat().find((channel) => channel in spec.nodes);
  const byNodes = reads
    .filter(({ node }) => node !== INTERRUPT)
    .sort((a, b) => compareChannelVersions(b.version, a.version));
  const [last, before] = byNodes;
  return last?.version === before?.version ? undefined : last?.node;
}
