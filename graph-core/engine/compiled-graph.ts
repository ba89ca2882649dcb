// A graph that can be called: `compile()` makes it of a GraphSpec. A Runnable, so it can be a node of another graph, a
// step of a chain, a tool.
import { mergeConfigs, Runnable, type RunnableConfig } from '@langchain/core/runnables';
import type { IterableReadableStream } from '@langchain/core/utils/stream';
import type { BaseCheckpointSaver, BaseStore, CheckpointListOptions } from '@langchain/langgraph-checkpoint';
import { Topic } from '../channels/topic.js';
import { INTERRUPT, TASKS } from '../constants.js';
import { GraphValueError } from '../errors.js';
import { isInterrupted } from '../interrupt.js';
import type { TransformerFactory } from '../stream/protocol.js';
import type { StreamChunk, StreamMode } from '../stream-mode.js';
import type { CallOptions } from './call-options.js';
import { triggeredNodes, type Breakpoints, type ExecutableGraph } from './executable-graph.js';
import type { GraphSpec } from './graph-spec.js';
import { driveGraph } from './invoke.js';
import type { Keys } from './live-state.js';
import { lastingNamespace, nodePath } from './namespaces.js';
import type { RetryPolicy } from './retry.js';
import { runStream } from './run-stream.js';
import { savedOf } from './saved-state.js';
import type { StateSnapshot, TaskSnapshot } from './snapshot.js';
import { noState, stateSnapshot, tasksAfter } from './state-snapshot.js';
import { subgraphsOf } from './subgraphs.js';
import type { SavedState } from './superstep-contract.js';
import { taskContextOf } from './task-context.js';
import { updateState, type StateUpdate } from './update-state.js';

export interface CompileOptions {
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  readonly interruptBefore?: Breakpoints;
  readonly interruptAfter?: Breakpoints;
  readonly name?: string;
  readonly description?: string;
  /** Of nodes that have none of their own. */
  readonly retryPolicy?: RetryPolicy;
  /** Of every `streamEvents(..., {version: 'v3'})` of the graph; they come before the call's own. */
  readonly transformers?: readonly TransformerFactory[];
}

export interface GetStateOptions {
  /** Also the states of graphs that are nodes. */
  readonly subgraphs?: boolean;
}

const DEFAULT_NAME = 'LangGraph';

/** Copies of it (`withConfig`, `withSaver`) share its fields, so a subclass must not keep any in `#private` ones. */
export class CompiledGraph<State = unknown, Input = unknown, Context = unknown>
  extends Runnable<Input, State, CallOptions<Context>>
  implements ExecutableGraph
{
  override lc_namespace = ['superstep', 'engine'];
  /** By this mark a graph inside a node is known as a subgraph. */
  readonly lg_is_pregel = true as const;
  readonly spec: GraphSpec;
  readonly triggered: ReadonlyMap<string, readonly string[]>;
  override readonly name: string;
  readonly description?: string;
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  readonly interruptBefore: Breakpoints;
  readonly interruptAfter: Breakpoints;
  readonly retryPolicy?: RetryPolicy;
  readonly streamTransformers: readonly TransformerFactory[];
  readonly config?: RunnableConfig;
  /** What `stream` gives without a `streamMode`. */
  readonly streamMode: StreamMode = 'updates';

  constructor(spec: GraphSpec, options: CompileOptions = {}) {
    super();
    this.spec = TASKS in spec.channels ? spec : { ...spec, channels: { ...spec.channels, [TASKS]: new Topic() } };
    this.triggered = triggeredNodes(this.spec);
    this.name = options.name ?? DEFAULT_NAME;
    this.description = options.description;
    this.checkpointer = options.checkpointer;
    this.store = options.store;
    this.interruptBefore = options.interruptBefore ?? [];
    this.interruptAfter = options.interruptAfter ?? [];
    this.retryPolicy = options.retryPolicy;
    this.streamTransformers = options.transformers ?? [];
  }

  static override lc_name(): string {
    return DEFAULT_NAME;
  }

  /** This graph with a config that calls add theirs to. */
  override withConfig(config: Partial<CallOptions<Context>>): this {
    return this.with({ config: mergeConfigs(this.config, config as RunnableConfig) as RunnableConfig });
  }

  /** This graph with another memory: one that is compiled without can be served with the server's. */
  withSaver(checkpointer: BaseCheckpointSaver, store = this.store): this {
    return this.with({ checkpointer, store });
  }

  private with(fields: Partial<Pick<ExecutableGraph, 'config' | 'checkpointer' | 'store'>>): this {
    const copy = Object.create(Object.getPrototypeOf(this) as object) as this;
    return Object.assign(copy, this, fields);
  }

  /**
   * Runs until the graph is done or waits for an answer.
   * @returns the output keys' values, with `__interrupt__` where it waits; of another `streamMode` a list of its chunks.
   */
  override async invoke(input: Input, options: CallOptions<Context> = {}): Promise<State> {
    const { streamMode = 'values' } = options;
    const result =
      streamMode === 'values' ? new LastValues() : new AllChunks(chunkShape(streamMode, options.subgraphs));
    await this.drive(input, options, {
      streamModes: [streamMode].flat(),
      outputKeys: options.outputKeys ?? this.spec.outputChannels,
      signal: options.signal,
      emit: (chunk) => result.add(chunk),
    });
    return result.value as State;
  }

  /**
   * @returns chunks as they come: the mode's payload; `[mode, payload]` where `streamMode` is a list; with `subgraphs` led
   *   by a namespace. Cancelling it, or leaving its loop, aborts the run.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a chunk is depends on the options
  override async stream(input: Input, options: CallOptions<Context> = {}): Promise<IterableReadableStream<any>> {
    // A graph called in a node is asked for its values, whatever else it is compiled to give.
    const nested = taskContextOf(options as RunnableConfig) !== undefined;
    const streamMode = options.streamMode ?? (nested ? 'values' : this.streamMode);
    const shape = chunkShape(streamMode, options.subgraphs);
    return runStream<unknown>(
      (push, signal) =>
        this.drive(input, options, {
          streamModes: [streamMode].flat(),
          outputKeys: options.outputKeys,
          signal,
          emit: (chunk) => push(shape(chunk)),
        }),
      options.signal,
    );
  }

  private drive(input: Input, options: CallOptions<Context>, call: Sink): Promise<void> {
    const serialized = this.toJSON();
    return driveGraph(this, {
      input,
      options,
      serialized,
      ...call,
      signal: call.signal ?? new AbortController().signal,
    });
  }

  /**
   * The thread's latest state, or the one `config` names by its checkpoint_id; of a nested graph by its checkpoint_ns.
   * @throws GraphValueError `MISSING_CHECKPOINTER`.
   */
  async getState(config: RunnableConfig, options: GetStateOptions = {}): Promise<StateSnapshot> {
    const saver = this.saver();
    const { graph, config: own } = this.named(config);
    const tuple = await saver.getTuple(own);
    if (tuple === undefined) return noState(own);
    return graph.snapshot(saver, savedOf(tuple), {
      pendingWrites: own.configurable?.['checkpoint_id'] ? 'left' : 'applied',
      subgraphs: options.subgraphs === true,
    });
  }

  /** The thread's states, newest first. */
  async *getStateHistory(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<StateSnapshot> {
    const saver = this.saver();
    const { graph, config: own } = this.named(config);
    const at = { ...own, configurable: { checkpoint_ns: '', ...own.configurable } };
    for await (const tuple of saver.list(at, options)) {
      yield await graph.snapshot(saver, savedOf(tuple), { pendingWrites: 'left', subgraphs: false });
    }
  }

  private async snapshot(
    saver: BaseCheckpointSaver,
    saved: SavedState,
    { pendingWrites, subgraphs }: { readonly pendingWrites: 'applied' | 'left'; readonly subgraphs: boolean },
  ): Promise<StateSnapshot> {
    const nested = subgraphsOf(this);
    const states = new Map<string, TaskSnapshot['state']>();
    for (const task of tasksAfter(this, saved)) {
      const graph = nested.get(task.name);
      if (graph === undefined || graph.checkpointer === false) continue;
      const threadId: unknown = saved.config.configurable?.['thread_id'];
      const at = { configurable: { thread_id: threadId, checkpoint_ns: task.checkpointNs } };
      states.set(task.id, subgraphs && graph instanceof CompiledGraph ? await graph.nestedState(saver, at) : at);
    }
    return stateSnapshot(this, saved, { pendingWrites, subgraphState: (task) => states.get(task.id) });
  }

  /** The state of this graph as a node of another. */
  private async nestedState(saver: BaseCheckpointSaver, config: RunnableConfig): Promise<StateSnapshot> {
    const own = this.ownConfig(config);
    const tuple = await saver.getTuple(own);
    if (tuple === undefined) return noState(own);
    return this.snapshot(saver, savedOf(tuple), { pendingWrites: 'applied', subgraphs: true });
  }

  /**
   * Writes to the thread as if `asNode` had; then its edges lead on. Without it: the node that wrote last.
   * @returns the config of the new checkpoint.
   * @throws InvalidUpdateError when it is not clear which node that is, or there is no such node.
   */
  async updateState(config: RunnableConfig, values: unknown, asNode?: string): Promise<RunnableConfig> {
    return this.bulkUpdateState(config, [{ updates: [{ values, asNode }] }]);
  }

  /** A checkpoint for each entry. */
  async bulkUpdateState(
    config: RunnableConfig,
    supersteps: readonly { readonly updates: readonly StateUpdate[] }[],
  ): Promise<RunnableConfig> {
    const saver = this.saver();
    if (supersteps.length === 0) throw new Error('No supersteps provided');
    if (supersteps.some(({ updates }) => updates.length === 0)) throw new Error('No updates provided');
    const { graph, config: own } = this.named(config);
    let at = own;
    for (const { updates } of supersteps) at = await updateState(graph, { saver, config: at }, updates);
    return at;
  }

  /** Graphs that are nodes, by node; with `recurse` those within them too, as `outer|inner`. */
  *getSubgraphs(namespace?: string, recurse = false): Generator<[string, CompiledGraph]> {
    for (const [node, graph] of subgraphsOf(this)) {
      if (!(graph instanceof CompiledGraph)) continue;
      if (namespace === undefined || namespace === node) yield [node, graph];
      if (!recurse || (namespace !== undefined && !namespace.startsWith(`${node}|`))) continue;
      for (const [inner, nested] of graph.getSubgraphs(namespace?.slice(node.length + 1), recurse)) {
        yield [`${node}|${inner}`, nested];
      }
    }
  }

  private saver(): BaseCheckpointSaver {
    if (typeof this.checkpointer === 'object') return this.checkpointer;
    throw new GraphValueError('No checkpointer set', { lc_error_code: 'MISSING_CHECKPOINTER' });
  }

  /** The graph a config is about: this one, or by its checkpoint_ns one within. */
  private named(given: RunnableConfig): { readonly graph: CompiledGraph; readonly config: RunnableConfig } {
    const config = mergeConfigs(this.config, given) as RunnableConfig;
    const ns = String(config.configurable?.['checkpoint_ns'] ?? '');
    if (ns !== '') {
      for (const [, graph] of this.getSubgraphs(nodePath(ns), true)) return { graph, config: graph.ownConfig(config) };
    }
    return { graph: this, config };
  }

  private ownConfig(config: RunnableConfig): RunnableConfig {
    if (this.checkpointer !== true) return config;
    const ns = lastingNamespace(String(config.configurable?.['checkpoint_ns'] ?? ''));
    return { ...config, configurable: { ...config.configurable, checkpoint_ns: ns } };
  }
}

interface Sink {
  readonly streamModes: readonly StreamMode[];
  readonly outputKeys: Keys | undefined;
  readonly signal: AbortSignal | undefined;
  readonly emit: (chunk: StreamChunk) => void;
}

/** What `invoke` returns: the last values, and all questions of the run. */
class LastValues {
  private latest: unknown;
  private asked: unknown[] | undefined;

  add({ payload }: StreamChunk): void {
    if (isInterrupted(payload)) (this.asked ??= []).push(...payload[INTERRUPT]);
    else this.latest = payload;
  }

  get value(): unknown {
    if (this.asked === undefined) return this.latest;
    if (this.latest === null || this.latest === undefined) return { [INTERRUPT]: this.asked };
    return typeof this.latest === 'object' ? { ...this.latest, [INTERRUPT]: this.asked } : this.latest;
  }
}

class AllChunks {
  readonly value: unknown[] = [];

  constructor(private readonly shape: (chunk: StreamChunk) => unknown) {}

  add(chunk: StreamChunk): void {
    this.value.push(this.shape(chunk));
  }
}

function chunkShape(
  streamMode: StreamMode | readonly StreamMode[],
  subgraphs: boolean | undefined,
): (chunk: StreamChunk) => unknown {
  const several = typeof streamMode !== 'string';
  return ({ ns, mode, payload }) => {
    if (!several && !subgraphs) return payload;
    return [...(subgraphs ? [ns] : []), ...(several ? [mode] : []), payload];
  };
}
