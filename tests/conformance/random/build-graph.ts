// From a plan to a compiled graph of either library.
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Graph } from '../harness.js';
import type { Library } from '../library.js';
import type { Deed, GraphPlan, Key, NodePlan, Plan, RoutePlan } from './plan.js';
import type { Turns } from './turns.js';

/** How much of a list or a text is kept, so that loops stay small. */
const KEPT = 8;

interface State {
  readonly log?: readonly string[];
}

interface Config {
  readonly signal?: AbortSignal;
  readonly configurable?: { readonly checkpoint_ns?: string };
  readonly writer?: (chunk: unknown) => void;
}

/** The builder's methods, for names that are known at run time only. */
interface OpenBuilder {
  addNode(name: string, action: unknown, options: object): void;
  addEdge(from: string | string[], to: string): void;
  addConditionalEdges(from: string, path: (state: State) => unknown, map?: Record<string, string>): void;
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
      builder.addConditionalEdges(route.from, (state) => destinations(lg, route, state));
      continue;
    }
    const names = [...new Set(route.to.flat()), lg.END];
    builder.addConditionalEdges(
      route.from,
      (state) => [destinations(lg, route, state)].flat().map((name) => `to ${String(name)}`),
      Object.fromEntries(names.map((name) => [`to ${name}`, name])),
    );
  }
}

function destinations(lg: Library, { to, by }: RoutePlan, { log = [] }: State): unknown {
  const names = to[log.length % to.length] ?? [];
  if (names.length === 0) return lg.END;
  return by === 'Sends' ? names.map((name, index) => new lg.Send(name, { log: [`routed ${index}`] })) : [...names];
}

/** One node of one compiled graph: what it has done so far, and what it does next. */
class Actor {
  private turn = 0;
  private failures = 0;

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
        await this.itsTurn(turns, config);
        return this.act(state, config);
      };
    }
    if (node.kind === 'function') return (state, config) => this.act(state, config);
    return async (state, config) => {
      await Promise.resolve();
      return this.act(state, config);
    };
  }

  private async itsTurn(turns: Turns, { signal, configurable }: Config): Promise<void> {
    const { name, attempts } = this.node;
    const { checkpoint_ns: ns = name } = configurable ?? {};
    const where = ns.replace(/:[^|]*/g, '');
    try {
      await turns.wait(name, where, signal);
    } catch (error) {
      if (attempts > 1) turns.lingers(name);
      throw error;
    }
  }

  private act(state: State, config: Config): unknown {
    const { deeds } = this.node;
    const deed = deeds[Math.min(this.turn, deeds.length - 1)] as Deed;
    return this.perform(deed, state, config);
  }

  private done<Result>(result: Result): Result {
    this.turn += 1;
    return result;
  }

  private perform(deed: Deed, state: State, config: Config): unknown {
    const { lg, node } = this;
    const { name } = node;
    switch (deed.do) {
      case 'update':
        return this.done(this.updates(deed.keys, state));
      case 'nothing':
        return this.done({ null: null, undefined, empty: {} }[deed.as]);
      case 'overwrite':
        return this.done({ log: overwrite(lg, deed.form, [`only ${name}`]) });
      case 'goto':
        return this.done(new lg.Command({ update: this.updates(deed.updates, state), goto: [...deed.to] }));
      case 'send':
        return this.done(
          new lg.Command({ goto: deed.to.map((to, index) => new lg.Send(to, { log: [`${name} sent ${index}`] })) }),
        );
      case 'several':
        return this.done([
          new lg.Command({ goto: [...deed.goto], update: { log: [`${name} goes`] } }),
          this.updates(deed.keys, state),
        ]);
      case 'ask': {
        const answers: string[] = [];
        for (let asked = 0; asked < deed.times; asked += 1) {
          answers.push(JSON.stringify(lg.interrupt({ from: name, asked })));
        }
        return this.done({ log: [`${name} was told ${answers.join(', ')}`] });
      }
      case 'write':
        for (let chunk = 0; chunk < deed.chunks; chunk += 1) config.writer?.({ from: name, chunk });
        return this.done({ log: [`${name} wrote`] });
      case 'fail':
        return this.fail(deed, state);
      case 'leave':
        return this.done(
          new lg.Command({ graph: lg.Command.PARENT, goto: [...deed.goto], update: this.updates(deed.updates, state) }),
        );
      case 'call':
        return this.call(deed, config);
    }
  }

  private fail(deed: Deed & { do: 'fail' }, state: State): unknown {
    if (this.failures >= deed.times) {
      this.failures = 0;
      return this.done(this.updates(['log'], state));
    }
    this.failures += 1;
    if (this.failures % this.node.attempts !== 0) this.turns?.comesBack(this.node.name);
    throw failure(deed.with, `${this.node.name} failed`);
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
    return this.done({ log: [`${this.node.name} called: ${sizes.join(', ')}`] });
  }

  private updates(keys: readonly Key[], { log }: State): Record<string, unknown> {
    const { name } = this.node;
    const values: Record<Key, unknown> = {
      log: [`${name}/${log?.length ?? '-'}`],
      sum: this.turn + 1,
      last: name,
      text: name.charAt(0),
      late: name,
      messages: [new AIMessage({ id: `${name}-${this.turn}`, content: name })],
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
