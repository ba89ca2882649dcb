// From a plan to a compiled graph of either library.
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Graph } from '../harness.js';
import type { Library } from '../library.js';
import type { Deed, GraphPlan, Key, NodePlan, Plan, RoutePlan } from './plan.js';
import type { Turns } from './turns.js';

/** How much of a list or a text is kept, so that loops stay small. */
const KEPT = 8;

/** A task that was sent by a task that was sent does not send: otherwise few supersteps make thousands of them. */
const MAX_GENERATION = 2;

interface State {
  readonly log?: readonly string[];
}

/** Of a task that was sent. */
interface Sent extends State {
  readonly generation?: number;
}

interface Config {
  readonly signal?: AbortSignal;
  readonly configurable?: { readonly checkpoint_ns?: string };
  readonly executionInfo?: { readonly nodeAttempt: number };
  readonly writer?: (chunk: unknown) => void;
}

/** The builder's methods, for names that are known at run time only. */
interface OpenBuilder {
  addNode(name: string, action: unknown, options: object): void;
  addEdge(from: string | string[], to: string): void;
  addConditionalEdges(
    from: string,
    path: (state: State, config: Config) => unknown,
    map?: Record<string, string>,
  ): void;
  compile(options: object): Graph;
}

/** @param turns Of its nodes, if they take turns. */
export function buildGraph(lg: Library, plan: Plan, saver: BaseCheckpointSaver, turns?: Turns): Graph {
  // From the innermost out: each may have the next as a node.
  return plan.graphs.reduceRight<Graph | undefined>((inner, graph, level) => {
    const builder = new lg.StateGraph(stateOf(lg)) as unknown as OpenBuilder;
    const ends = [...graph.nodes.map(({ name }) => name), lg.END];
    for (const node of graph.nodes) {
      const action = node.kind === 'graph' && inner ? inner : new Actor(lg, node, turns, inner).action;
      builder.addNode(node.name, action, {
        ends,
        ...(node.defer === 'yes' ? { defer: true } : {}),
        ...(node.attempts > 1 ? { retryPolicy: retries(node) } : {}),
      });
    }
    connect(lg, builder, graph);
    const checkpointer =
      level === 0 ? saver : { 'own namespace': true, none: false, inherited: undefined }[graph.checkpointer];
    const { interruptBefore, interruptAfter } = graph;
    return builder.compile({ checkpointer, interruptBefore, interruptAfter, name: `graph ${level}` });
  }, undefined) as Graph;
}

const stateOf = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[]>({ reducer: (a, b) => a.concat(b).slice(-KEPT), default: () => [] }),
    sum: lg.Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
    last: lg.Annotation<string>(),
    text: lg.Annotation<string>({ reducer: (a, b) => (a + b).slice(-KEPT) }),
    late: lg.Annotation<string>({ reducer: (_a, b) => b, default: () => '' }),
    messages: lg.Annotation<BaseMessage[]>({ reducer: lg.messagesStateReducer, default: () => [] }),
  });

const retries = ({ attempts }: NodePlan) => ({
  maxAttempts: attempts,
  initialInterval: 1,
  jitter: false,
  logWarning: false,
});

function connect(lg: Library, builder: OpenBuilder, { first, edges, barriers, routes }: GraphPlan): void {
  for (const to of first) builder.addEdge(lg.START, to);
  for (const [from, to] of edges) builder.addEdge(from, to);
  for (const [from, to] of barriers) builder.addEdge([...from], to);
  for (const route of routes) {
    if (route.by !== 'map') {
      builder.addConditionalEdges(route.from, (state, config) => destinations(lg, route, state, config));
      continue;
    }
    const names = [...new Set(route.to.flat()), lg.END];
    builder.addConditionalEdges(
      route.from,
      (state, config) => [destinations(lg, route, state, config)].flat().map((name) => `to ${String(name)}`),
      Object.fromEntries(names.map((name) => [`to ${name}`, name])),
    );
  }
}

function destinations(lg: Library, { to, by }: RoutePlan, { log = [] }: State, config: Config): unknown {
  const names = to[log.length % to.length] ?? [];
  if (names.length === 0) return lg.END;
  if (by !== 'Sends') return [...names];
  return sends(lg, names, 'routed', inputAt(lg, config));
}

/** What the node of a router was sent, which the router does not see; an edit of the state has none. */
function inputAt(lg: Library, config: Config): Sent | undefined {
  try {
    return lg.getCurrentTaskInput<Sent>(config as never);
  } catch {
    return undefined;
  }
}

function sends(lg: Library, names: readonly string[], said: string, from: Sent | undefined): unknown[] {
  const generation = (from?.generation ?? 0) + 1;
  if (generation > MAX_GENERATION) return [];
  return names.map((name, index) => new lg.Send(name, { log: [`${said} ${index}`], generation }));
}

/** One task of a node: when it runs again, after a question or a failure, it is the same. */
interface Task {
  readonly id: string;
  /** Nodes on the way from the outermost graph to it. */
  readonly where: string;
  readonly turn: number;
  failures: number;
}

/** One node of one compiled graph: the tasks it has had. */
class Actor {
  /** By place, since a graph may run in several nodes at once; turns follow from the order in which tasks start. */
  private readonly tasks = new Map<string, Task[]>();

  constructor(
    private readonly lg: Library,
    private readonly node: NodePlan,
    private readonly turns: Turns | undefined,
    private readonly inner: Graph | undefined,
  ) {}

  /** A function, as LangGraph takes it; async where it has to wait for its turn. */
  get action(): (state: State, config: Config) => unknown {
    const { turns, node } = this;
    if (turns) {
      return async (state, config) => {
        const task = this.taskOf(config);
        await this.itsTurn(turns, task, config);
        return this.act(task, state, config);
      };
    }
    if (node.kind === 'function') return (state, config) => this.act(this.taskOf(config), state, config);
    return async (state, config) => {
      const task = this.taskOf(config);
      await Promise.resolve();
      return this.act(task, state, config);
    };
  }

  private taskOf({ configurable }: Config): Task {
    const { checkpoint_ns: id = this.node.name } = configurable ?? {};
    const where = id.replace(/:[^|]*/g, '');
    const others = this.tasks.get(where) ?? [];
    const known = others.find((task) => task.id === id);
    const task = known ?? { id, where, turn: others.length, failures: 0 };
    if (!known) this.tasks.set(where, [...others, task]);
    return task;
  }

  private async itsTurn(turns: Turns, { id, where }: Task, { signal }: Config): Promise<void> {
    try {
      await turns.wait(id, where, signal);
    } catch (error) {
      if (this.node.attempts > 1) turns.lingers(id);
      throw error;
    }
  }

  private act(task: Task, state: State, config: Config): unknown {
    const { deeds } = this.node;
    const deed = deeds[Math.min(task.turn, deeds.length - 1)] as Deed;
    return this.perform(deed, task, state, config);
  }

  private perform(deed: Deed, task: Task, state: State, config: Config): unknown {
    const { lg, node } = this;
    const { name } = node;
    switch (deed.do) {
      case 'update':
        return this.updates(deed.keys, task, state);
      case 'nothing':
        return { null: null, undefined, empty: {} }[deed.as];
      case 'overwrite':
        return { log: overwrite(lg, deed.form, [`only ${name}`]) };
      case 'goto':
        return new lg.Command({ update: this.updates(deed.updates, task, state), goto: [...deed.to] });
      case 'send':
        return new lg.Command({ goto: sends(lg, deed.to, `${name} sent`, state) as [] });
      case 'several':
        return [
          new lg.Command({ goto: [...deed.goto], update: { log: [`${name} goes`] } }),
          this.updates(deed.keys, task, state),
        ];
      case 'ask': {
        const answers: string[] = [];
        for (let asked = 0; asked < deed.times; asked += 1) {
          answers.push(JSON.stringify(lg.interrupt({ from: name, asked })));
        }
        return { log: [`${name} was told ${answers.join(', ')}`] };
      }
      case 'write':
        for (let chunk = 0; chunk < deed.chunks; chunk += 1) config.writer?.({ from: name, chunk });
        return { log: [`${name} wrote`] };
      case 'fail':
        return this.fail(deed, task, state, config);
      case 'leave':
        return new lg.Command({
          graph: lg.Command.PARENT,
          goto: [...deed.goto],
          update: this.updates(deed.updates, task, state),
        });
      case 'call':
        return this.call(deed, config);
    }
  }

  private fail(deed: Deed & { do: 'fail' }, task: Task, state: State, { executionInfo, signal }: Config): unknown {
    if (task.failures >= deed.times) return this.updates(['log'], task, state);
    task.failures += 1;
    const { attempts, name } = this.node;
    const isRetried = deed.with !== 'GraphValueError' && (executionInfo?.nodeAttempt ?? 1) < attempts;
    if (isRetried) this.turns?.comesBack(task.id, signal);
    throw failure(deed.with, `${name} failed`);
  }

  private async call({ times, config: given }: Deed & { do: 'call' }, config: Config): Promise<unknown> {
    const sizes: number[] = [];
    for (let called = 0; called < times; called += 1) {
      const input = { log: [`call ${called}`] };
      const result = await this.inner?.invoke(
        input,
        given === 'given' ? (config as Record<string, unknown>) : undefined,
      );
      sizes.push((result as Required<State> | undefined)?.log.length ?? -1);
    }
    return { log: [`${this.node.name} called: ${sizes.join(', ')}`] };
  }

  private updates(keys: readonly Key[], { where, turn }: Task, { log }: State): Record<string, unknown> {
    const { name } = this.node;
    const values: Record<Key, unknown> = {
      log: [`${name}/${log?.length ?? '-'}`],
      sum: turn + 1,
      last: name,
      text: name.charAt(0),
      late: name,
      messages: [new AIMessage({ id: `${where}-${turn}`, content: name })],
    };
    return Object.fromEntries(keys.map((key) => [key, values[key]]));
  }
}

function overwrite(lg: Library, form: 'class' | 'field' | 'type', value: string[]): unknown {
  switch (form) {
    case 'class':
      return new lg.Overwrite(value);
    case 'field':
      return { __overwrite__: value };
    case 'type':
      return { type: '__overwrite__', value };
  }
}

function failure(kind: (Deed & { do: 'fail' })['with'], message: string): unknown {
  if (kind === 'object') return { name: 'Odd', message };
  const error = kind === 'TypeError' ? new TypeError(message) : new Error(message);
  return kind === 'GraphValueError' ? Object.assign(error, { name: kind }) : error;
}
