// What a random program is made of: data only, so that a counterexample can be read, kept and replayed.

/** Nodes of the outermost graph, of the graphs in it, and of the graphs in those. */
export const NAMES = [
  ['alpha', 'beta', 'gamma', 'delta', 'echo'],
  ['uno', 'due', 'tre'],
  ['one', 'two'],
] as const;

export const KEYS = ['log', 'sum', 'last', 'text', 'late', 'messages'] as const;

/** `log` joins lists, `sum` adds, `last` takes one write a superstep, `text` has no default, `late` keeps the last. */
export type Key = (typeof KEYS)[number];

/** What a node does in one turn; a turn ends when its work is done, not when it asks or fails. */
export type Deed =
  | { readonly do: 'update'; readonly keys: readonly Key[] }
  | { readonly do: 'nothing'; readonly as: 'null' | 'undefined' | 'empty' }
  | { readonly do: 'overwrite'; readonly form: 'class' | 'field' | 'type' }
  | { readonly do: 'goto'; readonly to: readonly string[]; readonly updates: readonly Key[] }
  | { readonly do: 'send'; readonly to: readonly string[] }
  | { readonly do: 'several'; readonly goto: readonly string[]; readonly keys: readonly Key[] }
  | { readonly do: 'ask'; readonly times: number }
  | { readonly do: 'write'; readonly chunks: number }
  | { readonly do: 'fail'; readonly times: number; readonly with: 'Error' | 'TypeError' | 'object' | 'GraphValueError' }
  | { readonly do: 'leave'; readonly goto: readonly string[]; readonly updates: readonly Key[] }
  | { readonly do: 'call'; readonly times: number; readonly config: 'given' | 'ambient' };

export interface NodePlan {
  readonly name: string;
  /** By turn; the last one repeats. */
  readonly deeds: readonly Deed[];
  /** `graph`: the node is the graph one level below, and its deeds do not count. */
  readonly kind: 'function' | 'async function' | 'graph';
  /** Attempts granted; 1 is no policy. */
  readonly attempts: number;
  readonly defer: 'yes' | 'no';
}

export interface RoutePlan {
  readonly from: string;
  /** One of them, by the length of the log the router sees; no names are END. */
  readonly to: readonly (readonly string[])[];
  readonly by: 'names' | 'map' | 'Sends';
}

export interface GraphPlan {
  readonly nodes: readonly NodePlan[];
  readonly first: readonly string[];
  readonly edges: readonly (readonly [string, string])[];
  readonly barriers: readonly (readonly [readonly string[], string])[];
  readonly routes: readonly RoutePlan[];
  readonly interruptBefore: readonly string[] | '*';
  readonly interruptAfter: readonly string[] | '*';
  /** Of a graph in a graph. */
  readonly checkpointer: 'inherited' | 'own namespace' | 'none';
}

export type Answer = string | number | boolean | null | readonly string[];

export type Step =
  | { readonly do: 'resume'; readonly answer: Answer; readonly updates: readonly Key[] }
  | { readonly do: 'resume by id'; readonly answer: Answer; readonly which: 'first' | 'all' }
  /** `stops`: breakpoints of the call, over those of the graph; none given is none. */
  | { readonly do: 'go on'; readonly stops: readonly string[] | null }
  | { readonly do: 'input' }
  | { readonly do: 'jump'; readonly to: string }
  /** As a node of the graph, or as `__input__`, `__end__` or `__copy__`. */
  | { readonly do: 'edit'; readonly asNode: string | null }
  /** Supersteps of edits, each as a node. */
  | { readonly do: 'edit at once'; readonly asNodes: readonly (readonly string[])[] }
  /** The state of a graph that waits in a node, found by the states of tasks. */
  | { readonly do: 'edit within'; readonly asNode: string | null; readonly then: 'go on' | 'leave' }
  | { readonly do: 'travel within'; readonly back: number; readonly then: 'go on' | 'resume' }
  | { readonly do: 'travel'; readonly back: number; readonly then: 'go on' | 'edit' | 'input' | 'resume' };

export interface Watching {
  /** One mode is given as a string, several as a list. */
  readonly modes: readonly string[];
  readonly subgraphs: boolean;
  readonly durability: 'async' | 'sync' | 'exit';
}

export interface Plan {
  /** The outermost first; each may have the next as a node or call it in one. */
  readonly graphs: readonly GraphPlan[];
  /**
   * `by turns`: tasks that run side by side end one after the other, in an order made of `order`, and chunks are compared
   * in their order. `free`: tasks end as they may, and between supersteps the order does not count.
   */
  readonly pace: 'by turns' | 'free';
  readonly order: readonly number[];
  readonly recursionLimit: number;
  readonly maxConcurrency: number | null;
  readonly watching: Watching;
  readonly steps: readonly Step[];
}
