// Takes from a plan what would compare a race, or a difference that docs/reference/differences.md lists.
import { NAMES, type Deed, type GraphPlan, type NodePlan, type Plan, type RoutePlan, type Step } from './plan.js';

export function tame(plan: Plan): Plan {
  const unfailingOnly = plan.pace === 'free' || plan.maxConcurrency !== null;
  const { watching } = plan;
  const exits = watching.durability === 'exit';
  const leaves = plan.graphs.some(({ nodes }) =>
    nodes.some(({ deeds }) => deeds.some(({ do: what }) => what === 'leave')),
  );
  const sends = plan.graphs.some(sendsTasks);
  return {
    ...plan,
    watching: exits ? { ...watching, modes: watching.modes.filter(isKept) } : watching,
    steps: exits ? plan.steps.map(forExit) : plan.steps,
    graphs: plan.graphs.map((graph, level) => {
      const asking = leaves ? unasking(graph) : graph;
      const trying = { ...asking, nodes: asking.nodes.map(withoutNestedRetries) };
      const failing = unfailingOnly ? unfailing(trying, level) : trying;
      const fitting = exits ? withDeeds(failing, withoutConflicts) : failing;
      const tamed = level === 0 ? fitting : forward(fitting, level);
      // Two tasks at once of one persistent namespace race for its checkpoints.
      return sends && tamed.checkpointer === 'own namespace' ? { ...tamed, checkpointer: 'inherited' as const } : tamed;
    }),
  };
}

const sendsTasks = ({ nodes, routes }: GraphPlan): boolean =>
  routes.some(({ by }) => by === 'Sends') || nodes.some(({ deeds }) => deeds.some(({ do: what }) => what === 'send'));

/** In `exit` durability the libraries tell of different checkpoints on the way, none of which is saved. */
const isKept = (mode: string): boolean => mode !== 'checkpoints' && mode !== 'debug';

/** On a retry LangGraph begins the graph in the node anew, under another namespace; ours goes on where it failed. */
const withoutNestedRetries = (node: NodePlan): NodePlan =>
  node.kind === 'graph' || node.deeds.some((deed) => deed.do === 'call') ? { ...node, attempts: 1 } : node;

/**
 * In `exit` durability LangGraph applies what a Command updates twice, and keeps an answer that names no question, though
 * it was taken, if a sibling had finished before.
 */
function forExit(step: Step): Step {
  if (step.do === 'jump') return { do: 'go on', stops: null };
  return step.do === 'resume' ? { do: 'resume by id', answer: step.answer, which: 'all' } : step;
}

/** A Command to the parent beside a question: which of them counts depends in LangGraph on which came first. */
const unasking = (graph: GraphPlan): GraphPlan => ({
  ...withDeeds(graph, (deed) => (deed.do === 'ask' ? { do: 'update', keys: ['log'] } : deed)),
  interruptBefore: [],
  interruptAfter: [],
});

/**
 * A failure with maxConcurrency leaves tasks that never began, which the libraries take differently; and one without
 * turns stops siblings wherever they are. So no node fails for good, nor has a graph in a graph conflicting writes, which
 * would be a node's failure.
 */
function unfailing(graph: GraphPlan, level: number): GraphPlan {
  const calm = (deed: Deed): Deed => (level === 0 ? deed : withoutConflicts(deed));
  return withDeeds(graph, (deed, node) => calm(failsForGood(deed, node) ? { do: 'update', keys: ['log'] } : deed));
}

const withDeeds = (graph: GraphPlan, change: (deed: Deed, node: NodePlan) => Deed): GraphPlan => ({
  ...graph,
  nodes: graph.nodes.map((node) => ({ ...node, deeds: node.deeds.map((deed) => change(deed, node)) })),
});

const failsForGood = (deed: Deed, { attempts }: NodePlan): boolean =>
  deed.do === 'fail' && (deed.with === 'GraphValueError' || deed.times >= attempts);

/** In `exit` durability LangGraph saves what it had applied before a conflict, and the thread is over. */
function withoutConflicts(deed: Deed): Deed {
  const calm = <Key extends string>(keys: readonly Key[]) => keys.filter((key) => key !== 'last');
  switch (deed.do) {
    case 'update':
    case 'several':
      return { ...deed, keys: calm(deed.keys) };
    case 'goto':
    case 'leave':
      return { ...deed, updates: calm(deed.updates) };
    case 'overwrite':
      return { do: 'nothing', as: 'null' };
    case 'nothing':
    case 'ask':
    case 'write':
    case 'fail':
    case 'send':
    case 'call':
      return deed;
  }
}

/**
 * A graph in a graph only leads forward: two that reach the recursion limit at once are two failures at once, of which
 * LangGraph tells one and graph-core both.
 */
function forward(graph: GraphPlan, level: number): GraphPlan {
  return {
    ...withDeeds(graph, (deed, { name }) => forwardDeed(deed, name, level)),
    edges: graph.edges.filter(([from, to]) => to === '__end__' || after(level, from, to)),
    barriers: graph.barriers.filter(([from, to]) => from.every((name) => after(level, name, to))),
    routes: graph.routes.map((route) => forwardRoute(route, level)),
  };
}

const forwardRoute = (route: RoutePlan, level: number): RoutePlan => ({
  ...route,
  to: route.to.map((names) => names.filter((name) => after(level, route.from, name))),
});

function forwardDeed(deed: Deed, name: string, level: number): Deed {
  const onward = (names: readonly string[]) => names.filter((to) => after(level, name, to));
  if (deed.do === 'goto' || deed.do === 'send') return { ...deed, to: onward(deed.to) };
  return deed.do === 'several' ? { ...deed, goto: onward(deed.goto) } : deed;
}

const after = (level: number, from: string, to: string): boolean => {
  const names: readonly string[] = NAMES[level] ?? [];
  return names.indexOf(to) > names.indexOf(from);
};
