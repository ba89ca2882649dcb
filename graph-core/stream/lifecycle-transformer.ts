// Tells when the run and the graphs called in it start and end: `lifecycle` events, made from the events that show it.
import { AgentIdentities, isFields } from './agent-identity.js';
import { isSame, isWithin, namespaceKey, nodeOfSegment, type Namespace } from './namespace.js';
import type {
  AgentStatus,
  LifecycleCause,
  LifecycleData,
  NativeStreamTransformer,
  ProtocolEvent,
  StreamEmitter,
} from './protocol.js';
import { StreamChannel } from './stream-channel.js';

export interface LifecycleEntry extends LifecycleData {
  readonly namespace: Namespace;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

export interface LifecycleProjection {
  _lifecycleLog: StreamChannel<LifecycleEntry>;
  lifecycle: AsyncIterable<LifecycleEntry>;
}

export interface LifecycleTransformerOptions {
  /** Default `root`. */
  readonly rootGraphName?: string;
  /** Of the root, before anything has happened. Default `running`. */
  readonly initialStatus?: AgentStatus;
  /** Whether the root's own events are in the stream. Default true. */
  readonly emitRootOnRegister?: boolean;
  /** Default: the node of the last segment. */
  readonly getGraphName?: (namespace: Namespace) => string;
  /** How the run has ended, where somebody knows better than its events. */
  readonly getTerminalStatusOverride?: () => Promise<AgentStatus | undefined>;
  readonly serializeError?: (error: unknown) => string;
}

export function createLifecycleTransformer(
  options: LifecycleTransformerOptions = {},
): NativeStreamTransformer<LifecycleProjection> {
  return new LifecycleTransformer(options);
}

interface Graph {
  readonly namespace: Namespace;
  readonly name: string;
  /** Undefined until its first event. */
  status: AgentStatus | undefined;
}

/** A graph that seems to have ended; told with the next event, so that what it wrote comes before. */
interface Ending {
  readonly namespace: Namespace;
  /** By an update of this node, which may still be followed by the end of its task. */
  readonly node?: { readonly parent: Namespace; readonly name: string };
}

class LifecycleTransformer implements NativeStreamTransformer<LifecycleProjection> {
  readonly __native = true;
  readonly #log = StreamChannel.local<LifecycleEntry>();
  readonly #graphs = new Map<string, Graph>();
  readonly #identities = new AgentIdentities();
  /** Questions that wait for an answer. */
  readonly #asked = new Set<string>();
  #endings: Ending[] = [];
  #emitter: StreamEmitter | undefined;
  /** Own events pass by here too. */
  #emitting = false;
  #finished = false;

  constructor(private readonly options: LifecycleTransformerOptions) {}

  init(): LifecycleProjection {
    return { _lifecycleLog: this.#log, lifecycle: filterLifecycleEntries(this.#log, []) };
  }

  onRegister(emitter: StreamEmitter): void {
    this.#emitter = emitter;
    this.#graph([]);
    if (this.#tellsRoot) this.#tell([], this.options.initialStatus ?? 'running');
  }

  process(event: ProtocolEvent): boolean {
    if (this.#emitting) return true;
    const { method, params } = event;
    const { namespace, data } = params;
    const ended = method === 'tasks' ? endedTask(data) : undefined;
    // The end of its task says more than the update before it.
    if (ended) this.#endings = this.#endings.filter(({ node }) => !node || !isNode(node, namespace, ended.name));
    else if (method === 'tasks') this.#identities.learn(namespace, data);
    this.#tellEndings();
    if (method === 'lifecycle') {
      this.#identities.learnCause(namespace, data);
      this.#start(namespace);
      return false;
    }
    this.#start(namespace);
    if (method === 'input') this.#noteQuestion(data);
    if (ended) this.#expectEnd({ namespace: [...namespace, `${ended.name}:${ended.id}`] });
    if (method === 'updates') this.#expectEndOf(namespace, params.node);
    return true;
  }

  finalize(): void | Promise<void> {
    if (this.#finished) return;
    this.#finished = true;
    this.#tellEndings();
    const { getTerminalStatusOverride } = this.options;
    const own = this.#asked.size > 0 ? 'interrupted' : 'completed';
    if (getTerminalStatusOverride === undefined) return this.#end(own);
    return getTerminalStatusOverride()
      .then(
        (status) => this.#end(status ?? own),
        () => this.#end(own),
      )
      .catch((error: unknown) => this.#log.fail(error));
  }

  fail(error: unknown): void {
    if (this.#finished) return;
    this.#finished = true;
    for (const { namespace } of this.#startedGraphs()) this.#tell(namespace, 'failed');
    this.#tell([], 'failed', { error: (this.options.serializeError ?? errorText)(error) });
    this.#log.fail(error);
  }

  get #tellsRoot(): boolean {
    return this.options.emitRootOnRegister ?? true;
  }

  #end(status: AgentStatus): void {
    for (const { namespace } of this.#startedGraphs()) this.#tell(namespace, status);
    this.#tell([], status);
    this.#log.close();
  }

  #startedGraphs(): readonly Graph[] {
    return [...this.#graphs.values()].filter(({ namespace, status }) => namespace.length > 0 && status === 'started');
  }

  #graph(namespace: Namespace): Graph {
    const key = namespaceKey(namespace);
    let graph = this.#graphs.get(key);
    if (graph === undefined) {
      graph = { namespace, name: this.#nameOf(namespace), status: undefined };
      this.#graphs.set(key, graph);
    }
    return graph;
  }

  #nameOf(namespace: Namespace): string {
    const last = namespace.at(-1);
    if (last === undefined) return this.options.rootGraphName ?? 'root';
    return this.#identities.nameOf(namespace) ?? this.options.getGraphName?.(namespace) ?? nodeOfSegment(last);
  }

  /** Graphs on the way to the namespace start with the first event from there. */
  #start(namespace: Namespace): void {
    for (let depth = 1; depth <= namespace.length; depth += 1) {
      const prefix = namespace.slice(0, depth);
      if (this.#graphs.has(namespaceKey(prefix))) continue;
      this.#graph(prefix);
      this.#tell(prefix, 'started', { cause: this.#identities.causeOf(prefix) });
    }
  }

  #isStarted(namespace: Namespace): boolean {
    return this.#graphs.get(namespaceKey(namespace))?.status === 'started';
  }

  #noteQuestion(data: unknown): void {
    if (isFields(data) && data['event'] === 'requested' && typeof data['id'] === 'string') this.#asked.add(data['id']);
  }

  /** A node has written: a graph that it called is done. */
  #expectEndOf(parent: Namespace, node: string | undefined): void {
    if (node === undefined || node.startsWith('__')) return;
    const called = [...this.#graphs.values()].find(
      ({ namespace, status }) =>
        status === 'started' &&
        namespace.length === parent.length + 1 &&
        isWithin(namespace, parent) &&
        nodeOfSegment(namespace.at(-1) ?? '') === node,
    );
    if (called) this.#expectEnd({ namespace: called.namespace, node: { parent, name: node } });
  }

  #expectEnd(ending: Ending): void {
    if (!this.#isStarted(ending.namespace)) return;
    if (this.#endings.some(({ namespace }) => isSame(namespace, ending.namespace))) return;
    this.#endings.push(ending);
  }

  #tellEndings(): void {
    for (const { namespace } of this.#endings.splice(0)) {
      if (this.#isStarted(namespace)) this.#tell(namespace, 'completed');
    }
  }

  #tell(
    namespace: Namespace,
    status: AgentStatus,
    more: { readonly cause?: LifecycleCause | undefined; readonly error?: string } = {},
  ): void {
    const { cause, error } = more;
    const graph = this.#graph(namespace);
    if (graph.status === status && error === undefined) return;
    graph.status = status;
    const data: LifecycleData = {
      event: status,
      graph_name: graph.name,
      ...(cause !== undefined && { cause }),
      ...(error !== undefined && { error }),
    };
    const timestamp = Date.now();
    this.#log.push({ namespace, timestamp, ...data });
    if (namespace.length === 0 && !this.#tellsRoot) return;
    this.#emitting = true;
    try {
      const params = { namespace, timestamp, data };
      this.#emitter?.push(namespace, { type: 'event', seq: 0, method: 'lifecycle', params });
    } finally {
      this.#emitting = false;
    }
  }
}

/** Entries of a graph and of those below it. */
export function filterLifecycleEntries(
  log: StreamChannel<LifecycleEntry>,
  path: Namespace,
  startAt = 0,
): AsyncIterable<LifecycleEntry> {
  return {
    [Symbol.asyncIterator]() {
      const entries = log.iterate(startAt);
      return {
        next: async (): Promise<IteratorResult<LifecycleEntry>> => {
          for (;;) {
            const next = await entries.next();
            if (next.done === true) return { value: undefined, done: true };
            if (isWithin(next.value.namespace, path)) return next;
          }
        },
      };
    },
  };
}

function endedTask(data: unknown): { readonly id: string; readonly name: string } | undefined {
  if (!isFields(data) || !('result' in data)) return undefined;
  const { id, name } = data;
  return typeof id === 'string' && typeof name === 'string' && !name.startsWith('__') ? { id, name } : undefined;
}

const isNode = (node: NonNullable<Ending['node']>, parent: Namespace, name: string): boolean =>
  node.name === name && isSame(node.parent, parent);

function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === 'string') return error;
  try {
    return JSON.stringify(error);
  } catch {
    return String(error);
  }
}
