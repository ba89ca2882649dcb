// A graph on a server that speaks the LangGraph Platform's protocol, ours or another: called like a graph of this
// process, also as a node of one.
import { mergeConfigs, Runnable, type RunnableConfig } from '@langchain/core/runnables';
import type { Graph } from '@langchain/core/runnables/graph';
import type { IterableReadableStream } from '@langchain/core/utils/stream';
import { Client, type Checkpoint } from '@langchain/langgraph-sdk';
import type { CheckpointListOptions } from '@langchain/langgraph-checkpoint';
import type { CallOptions } from '../engine/call-options.js';
import { eventBytes } from '../engine/event-streams.js';
import type { Breakpoints } from '../engine/executable-graph.js';
import { RUNS_ELSEWHERE } from '../engine/foreign-graph.js';
import type { StateSnapshot } from '../engine/snapshot.js';
import type { GetStateOptions } from '../engine/thread-state.js';
import { checkpointOf, configOf } from './remote-checkpoint.js';
import { remoteDrawing } from './remote-drawing.js';
import { refuseUnsent, remoteRunStream } from './remote-events.js';
import { remoteRun } from './remote-run.js';
import type { RemoteGraphRunStream } from './remote-run-stream.js';
import { snapshotOf } from './remote-snapshot.js';
import { ownThread } from './task-call.js';

export interface RemoteGraphParams {
  /** An assistant's id, or a graph's name. */
  readonly graphId: string;
  /** In place of `url`, `apiKey` and `headers`. */
  readonly client?: Client;
  readonly url?: string;
  readonly apiKey?: string;
  readonly headers?: Record<string, string>;
  /** Bound to the graph; a call's own config stands over it. */
  readonly config?: RunnableConfig;
  readonly interruptBefore?: Breakpoints;
  readonly interruptAfter?: Breakpoints;
  /** Whether the server keeps the run's tokens for connections that come back. */
  readonly streamResumable?: boolean;
  readonly name?: string;
  /**
   * Of a call in a node: whether it runs on the thread that has its caller's id (the default, as in LangGraph), or on one
   * of its own, which goes with the caller's. A graph of the same deployment needs one of its own: a thread has one run
   * at a time.
   */
  readonly thread?: 'callers' | 'own';
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a remote graph takes and gives is not known here
type Anything = any;

/** Types of a graph that is known elsewhere may be given. */
export class RemoteGraph<State = Anything, Input = Anything, Context = Anything> extends Runnable<
  Input,
  State,
  Partial<CallOptions<Context>>
> {
  override lc_namespace = ['langgraph', 'pregel'];
  readonly lg_is_pregel = true as const;
  readonly [RUNS_ELSEWHERE] = true as const;
  readonly graphId: string;
  readonly config?: RunnableConfig;
  override readonly name: string;
  readonly client: Client;
  readonly #params: RemoteGraphParams;

  constructor(params: RemoteGraphParams) {
    super(params);
    const { graphId, url, apiKey, headers, config, name } = params;
    this.graphId = graphId;
    this.config = config;
    this.name = name ?? RemoteGraph.lc_name();
    this.client = params.client ?? new Client({ apiUrl: url, apiKey, defaultHeaders: headers });
    this.#params = { ...params, client: this.client };
  }

  static override lc_name(): string {
    return 'RemoteGraph';
  }

  override withConfig(config: Partial<CallOptions<Context>>): this {
    return this.#with({ config: mergeConfigs(this.config, config as RunnableConfig) as RunnableConfig });
  }

  #with(changes: Partial<RemoteGraphParams>): this {
    const constructor = this.constructor as new (params: RemoteGraphParams) => this;
    return new constructor({ ...this.#params, ...changes });
  }

  #configOf(given: RunnableConfig | undefined): RunnableConfig {
    return mergeConfigs(this.config, given ?? {}) as RunnableConfig;
  }

  /**
   * @returns the run's last values.
   * @throws GraphInterrupt where the run stops with a question or at a breakpoint, RemoteException where it fails.
   */
  override async invoke(input: Input, options?: Partial<CallOptions<Context>>): Promise<State> {
    let last: State | undefined;
    const stream = await this.stream(input, { ...options, streamMode: 'values' });
    for await (const values of stream) last = values;
    return last as State;
  }

  /** What `stream` gives: chunks as of a compiled graph. @throws as `invoke` does. */
  override async *_streamIterator(input: Input, options: Partial<CallOptions<Context>> = {}): AsyncGenerator<State> {
    const { interruptBefore, interruptAfter, streamResumable, thread = 'callers' } = this.#params;
    const given = { interruptBefore, interruptAfter, ...options };
    const target = { client: this.client, graphId: this.graphId, streamResumable, thread };
    yield* remoteRun(target, input, given, this.#configOf(options)) as AsyncGenerator<State>;
  }

  /** A run stream; as bytes with the encoding. Of a server that speaks the second version of the protocol. */
  override streamEvents(
    input: Input,
    options: Partial<CallOptions<Context>> & { readonly version: 'v3'; readonly encoding: 'text/event-stream' },
  ): Promise<IterableReadableStream<Uint8Array>>;
  override streamEvents(
    input: Input,
    options: Partial<CallOptions<Context>> & { readonly version: 'v3'; readonly encoding?: undefined },
  ): Promise<RemoteGraphRunStream<State>>;
  override streamEvents(
    input: Input,
    options: Partial<CallOptions<Context>> & { readonly version: 'v1' | 'v2' },
  ): IterableReadableStream<never>;
  /** @throws Error for versions 1 and 2, and for options that cannot be sent. */
  override streamEvents(input: Input, options: Partial<CallOptions<Context>>): unknown {
    if (options.version !== 'v3') throw new Error('Not implemented.');
    return this.#runStream(input, options);
  }

  async #runStream(input: Input, options: Partial<CallOptions<Context>>): Promise<unknown> {
    const { interruptBefore, interruptAfter } = this.#params;
    refuseUnsent({ interruptBefore, interruptAfter, ...options });
    const run = await remoteRunStream<State>(this, input, this.#configOf(options as RunnableConfig));
    return options.encoding === 'text/event-stream' ? eventBytes(run) : run;
  }

  /** The thread's latest state, or the one `config` names by its checkpoint_id. */
  async getState(config: RunnableConfig, options?: GetStateOptions): Promise<StateSnapshot> {
    const merged = this.#configOf(config);
    return snapshotOf(await this.client.threads.getState(threadOf(merged), checkpointOf(merged), options), merged);
  }

  /** The state of the thread that a call has, by the config that its task's state has: of the graph around. */
  async stateOfCall({ configurable = {} }: RunnableConfig, options?: GetStateOptions): Promise<StateSnapshot> {
    const { thread_id: callers, checkpoint_ns: ns } = configurable as Record<string, string>;
    const own = this.#params.thread === 'own' && callers !== undefined && ns !== undefined;
    return this.getState({ configurable: { thread_id: own ? ownThread(callers, ns) : callers } }, options);
  }

  /** The thread's states, newest first; ten, unless `options.limit` says otherwise. */
  async *getStateHistory(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<StateSnapshot> {
    const merged = this.#configOf(config);
    const states = await this.client.threads.getHistory(threadOf(merged), {
      limit: options.limit ?? 10,
      // Typed as a config; servers take the checkpoint itself.
      before: checkpointOf(options.before) as RunnableConfig | undefined,
      metadata: options.filter,
      checkpoint: checkpointOf(merged),
    });
    for (const state of states) yield snapshotOf(state, merged);
  }

  /** Writes to the thread as if `asNode` had. @returns the config of the new checkpoint. */
  async updateState(config: RunnableConfig, values: unknown, asNode?: string): Promise<RunnableConfig> {
    const merged = this.#configOf(config);
    const checkpoint = checkpointOf(merged);
    const updated = await this.client.threads.updateState(threadOf(merged), { values, asNode, checkpoint });
    // Typed without `checkpoint`, which all servers answer.
    const { checkpoint: made, configurable } = updated as typeof updated & { readonly checkpoint?: Checkpoint };
    return configOf(made ?? (configurable as Partial<Checkpoint>));
  }

  /** @throws Error: a drawing has to be asked for. */
  override getGraph(_options?: RunnableConfig): Graph {
    throw new Error('The synchronous "getGraph" is not supported for this graph. Call "getGraphAsync" instead.');
  }

  async getGraphAsync(options?: RunnableConfig & { readonly xray?: boolean | number }): Promise<Graph> {
    return remoteDrawing(await this.client.assistants.getGraph(this.graphId, { xray: options?.xray }));
  }

  /** @throws Error: they have to be asked for. */
  getSubgraphs(_namespace?: string, _recurse?: boolean): Generator<[string, RemoteGraph]> {
    throw new Error(
      'The synchronous "getSubgraphs" method is not supported for this graph. Call "getSubgraphsAsync" instead.',
    );
  }

  async *getSubgraphsAsync(namespace?: string, recurse = false): AsyncGenerator<[string, RemoteGraph]> {
    const found = await this.client.assistants.getSubgraphs(this.graphId, { namespace, recurse });
    for (const [name, { graph_id: graphId }] of Object.entries(found)) yield [name, this.#with({ graphId })];
  }
}

const threadOf = ({ configurable }: RunnableConfig): string => configurable?.['thread_id'] as string;
