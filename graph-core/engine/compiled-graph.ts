// A graph that can be called: `compile()` makes it of a GraphSpec. A Runnable, so it can be a node of another graph, a
// step of a chain, a tool.
import { mergeConfigs, Runnable, type RunnableConfig } from '@langchain/core/runnables';
import type { StreamEvent } from '@langchain/core/tracers/log_stream';
import type { Graph } from '@langchain/core/runnables/graph';
import type { IterableReadableStream } from '@langchain/core/utils/stream';
import type { BaseCache, BaseCheckpointSaver, BaseStore, CheckpointListOptions } from '@langchain/langgraph-checkpoint';
import { Topic } from '../channels/topic.js';
import { TASKS } from '../constants.js';
import type { GraphRunStream } from '../stream/graph-run-stream.js';
import type { InferExtensions, TransformerFactory } from '../stream/protocol.js';
import type { StreamMode } from '../stream-mode.js';
import type { CallOptions } from './call-options.js';
import { triggeredNodes, type Breakpoints, type ExecutableGraph } from './executable-graph.js';
import { graphNodes, type GraphNode } from './graph-node.js';
import type { GraphSpec } from './graph-spec.js';
import { eventBytes, runStreamOf, type StreamEventsV3Options } from './event-streams.js';
import { resultOf, stoppedBy, streamOf, type Drive } from './graph-streams.js';
import { driveGraph } from './invoke.js';
import type { Keys } from './live-state.js';
import { retryPolicy, type RetryPolicy } from './retry.js';
import { stoppable } from './run-stream.js';
import type { StateSnapshot } from './snapshot.js';
import { subgraphsWithin } from './subgraphs.js';
import { validateSpec } from './validate-spec.js';
import { threadHistory, threadState, updateThread, type GetStateOptions, type StateUpdates } from './thread-state.js';

export interface CompileOptions<Transformers extends readonly TransformerFactory[] = readonly TransformerFactory[]> {
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  readonly interruptBefore?: Breakpoints;
  readonly interruptAfter?: Breakpoints;
  readonly name?: string;
  readonly description?: string;
  /** Of nodes that have none of their own. */
  readonly retryPolicy?: RetryPolicy;
  /** Where results of nodes with a `cachePolicy` are kept. */
  readonly cache?: BaseCache;
  /** Of every `streamEvents(..., {version: 'v3'})` of the graph; they come before the call's own. */
  readonly transformers?: Transformers;
}

const DEFAULT_NAME = 'LangGraph';

/** By names, types and tags of runs. */
type StreamEventsFilter = Parameters<Runnable['streamEvents']>[2];

/** Copies of it (`withConfig`, `withSaver`) share its fields, so a subclass must not keep any in `#private` ones. */
export class CompiledGraph<
  State = unknown,
  Input = unknown,
  Context = unknown,
  Transformers extends readonly TransformerFactory[] = readonly TransformerFactory[],
>
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
  /** May be set; of nodes that have none of their own. */
  retryPolicy?: RetryPolicy;
  /** May be set: milliseconds that a superstep may take. Past them the run fails and its nodes are aborted. */
  stepTimeout?: number;
  readonly cache?: BaseCache;
  readonly streamTransformers: Transformers;
  readonly config?: RunnableConfig;
  /** What `stream` gives without a `streamMode`. */
  readonly streamMode: StreamMode = 'updates';

  constructor(spec: GraphSpec, options: CompileOptions<Transformers> = {}) {
    super();
    this.spec = withTasks(spec);
    this.triggered = triggeredNodes(this.spec);
    this.name = options.name ?? DEFAULT_NAME;
    this.description = options.description;
    this.checkpointer = options.checkpointer;
    this.store = options.store ?? undefined;
    this.cache = options.cache;
    this.interruptBefore = options.interruptBefore ?? [];
    this.interruptAfter = options.interruptAfter ?? [];
    this.retryPolicy = retryPolicy(options.retryPolicy);
    this.streamTransformers = options.transformers ?? ([] as readonly TransformerFactory[] as Transformers);
  }

  static override lc_name(): string {
    return DEFAULT_NAME;
  }

  /** As `getGraph`; for callers of LangGraph's newer name. */
  async getGraphAsync(options?: RunnableConfig): Promise<Graph> {
    return Promise.resolve(this.getGraph(options));
  }

  /** By name; each can be called by itself, outside of any run. */
  get nodes(): Readonly<Record<string, GraphNode>> {
    return graphNodes(this.spec);
  }

  /** Empty ones, by name. */
  get channels(): GraphSpec['channels'] {
    return this.spec.channels;
  }

  get inputChannels(): Keys {
    return this.spec.inputChannel;
  }

  get outputChannels(): Keys {
    return this.spec.outputChannels;
  }

  get streamChannels(): Keys {
    return this.spec.streamChannels;
  }

  /** As `streamChannels`; for callers of LangGraph's other names. */
  get streamChannelsAsIs(): Keys {
    return this.streamChannels;
  }

  get streamChannelsList(): readonly string[] {
    return [this.streamChannels].flat();
  }

  /**
   * For graphs that are built by hand; `compile()` has checked its own.
   * @throws GraphValidationError for a key that is no channel, or a breakpoint that is no node.
   */
  validate(): this {
    validateSpec(this);
    return this;
  }

  /** Forgets all results that its cache keeps, also those of other graphs. */
  async clearCache(): Promise<void> {
    await this.cache?.clear([]);
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
  override async invoke(input: Input, options?: CallOptions<Context> | null): Promise<State> {
    const given = stoppedBy(options ?? {}, this.config);
    const outputKeys = given.outputKeys ?? this.spec.outputChannels;
    return (await resultOf(this.driver(input, given), given, outputKeys)) as State;
  }

  /**
   * @returns chunks as they come: the mode's payload; `[mode, payload]` where `streamMode` is a list; with `subgraphs` led
   *   by a namespace; with the encoding `text/event-stream` bytes. Cancelling it, or leaving its loop, aborts the run.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a chunk is depends on the options
  override async stream(input: Input, options?: CallOptions<Context> | null): Promise<IterableReadableStream<any>> {
    const given = stoppedBy(options ?? {}, this.config);
    return streamOf(this.driver(input, given), given, this.streamMode);
  }

  /** What a sequence streams of it. */
  override async *_streamIterator(input: Input, options?: Partial<CallOptions<Context>>): AsyncGenerator<State> {
    yield* (await this.stream(input, options)) as AsyncIterable<State>;
  }

  /** v3: a run stream, with views of the run that are read side by side. v1 and v2: LangChain's events of it. */
  override streamEvents<const Factories extends readonly TransformerFactory[] = []>(
    input: Input,
    options: StreamEventsV3Options<Context, Factories, 'text/event-stream'>,
  ): Promise<IterableReadableStream<Uint8Array>>;
  override streamEvents<const Factories extends readonly TransformerFactory[] = []>(
    input: Input,
    options: StreamEventsV3Options<Context, Factories>,
  ): Promise<GraphRunStream<State, InferExtensions<readonly [...Transformers, ...Factories]>>>;
  override streamEvents(
    input: Input,
    options: Partial<CallOptions<Context>> & { version: 'v1' | 'v2'; encoding: 'text/event-stream' },
    filter?: StreamEventsFilter,
  ): IterableReadableStream<Uint8Array>;
  override streamEvents(
    input: Input,
    options: Partial<CallOptions<Context>> & { version: 'v1' | 'v2' },
    filter?: StreamEventsFilter,
  ): IterableReadableStream<StreamEvent>;
  override streamEvents(
    input: Input,
    options: CallOptions<Context>,
    filter?: StreamEventsFilter,
  ): Promise<unknown> | IterableReadableStream<unknown> {
    if (options.version === 'v3') {
      const run = runStreamOf(
        (given) => this.stream(input, given as CallOptions<Context>),
        this.streamTransformers,
        options,
      );
      return Promise.resolve(options.encoding === 'text/event-stream' ? eventBytes(run) : run);
    }
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const version = options.version ?? 'v2';
    return stoppable<unknown>(super.streamEvents(input, { ...options, version, signal }, filter), stop);
  }

  private driver(input: Input, options: CallOptions<Context>): Drive {
    const serialized = this.toJSON();
    return (sink) => driveGraph(this, { input, options, serialized, ...sink });
  }

  /**
   * The thread's latest state, or the one `config` names by its checkpoint_id; of a nested graph by its checkpoint_ns.
   * @throws GraphValueError `MISSING_CHECKPOINTER`.
   */
  async getState(config: RunnableConfig, options?: GetStateOptions): Promise<StateSnapshot> {
    return threadState(this, config, options);
  }

  /** The thread's states, newest first. */
  getStateHistory(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<StateSnapshot> {
    return threadHistory(this, config, options);
  }

  /**
   * Writes to the thread as if `asNode` had; then its edges lead on. Without it: the node that wrote last. Special ones:
   * `END` with `null` finishes what waits, `__input__` is new input, `__copy__` a copy of the checkpoint.
   * @returns the config of the new checkpoint.
   * @throws InvalidUpdateError when it is not clear which node that is, or there is no such node.
   */
  async updateState(config: RunnableConfig, values: unknown, asNode?: string): Promise<RunnableConfig> {
    return updateThread(this, config, [{ updates: [{ values, asNode }] }]);
  }

  /** A checkpoint for each entry, whose updates are those of one superstep's nodes. */
  async bulkUpdateState(config: RunnableConfig, supersteps: readonly StateUpdates[]): Promise<RunnableConfig> {
    return updateThread(this, config, supersteps);
  }

  /** Graphs that are nodes, by node; with `recurse` those within them too, as `outer|inner`. */
  *getSubgraphs(namespace?: string, recurse = false): Generator<[string, CompiledGraph]> {
    for (const [name, graph] of subgraphsWithin(this, namespace, recurse)) {
      if (graph instanceof CompiledGraph) yield [name, graph];
    }
  }

  /** As `getSubgraphs`; for callers of LangGraph's newer name. */
  async *getSubgraphsAsync(namespace?: string, recurse?: boolean): AsyncGenerator<[string, CompiledGraph]> {
    yield* this.getSubgraphs(namespace, recurse);
  }
}

/**
 * With the channel of pending Sends, which a graph that is built by hand may have brought.
 * @throws Error where an author's state has a key of that name.
 */
function withTasks(spec: GraphSpec): GraphSpec {
  const given = spec.channels[TASKS];
  if (given === undefined) return { ...spec, channels: { ...spec.channels, [TASKS]: new Topic() } };
  if (given.lc_graph_name !== 'Topic') {
    throw new Error(`Channel '${TASKS}' is reserved and cannot be used in the graph.`);
  }
  return spec;
}
