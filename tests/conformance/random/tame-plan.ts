// Takes from a plan what would compare a race, or a difference that docs/reference/differences.md lists.
import { NAMES, type Deed, type GraphPlan, type NodePlan, type Plan, type Step } from './plan.js';

export function tame(plan: Plan): Plan {
  const unfailingOnly = plan.pace === 'free' || plan.maxConcurrency !== null;
  const { watching } = plan;
  const exits = watching.durability === 'exit';
  const leaves = plan.graphs.findIndex(({ nodes }) =>
    nodes.some(({ deeds }) => deeds.some((deed) => deed.do === 'leave')),
  );
  return {
    ...plan,
    watching: exits ? { ...watching, modes: watching.modes.filter(isKept) } : watching,
    steps: exits ? plan.steps.map(withoutUpdates) : plan.steps,
    graphs: plan.graphs.map((graph, level) => {
      if (leaves !== -1 && level >= leaves) graph = unasking(graph);
      graph = { ...graph, nodes: graph.nodes.map(withoutNestedRetries) };
      const tamed = unfailingOnly ? unfailing(graph, level) : graph;
      // Two tasks at once of one persistent namespace race for its checkpoints.
      return tamed.checkpointer !== 'own namespace' ? tamed : { ...tamed, checkpointer: 'inherited' as const };
    }),
  };
}

/** In `exit` durability the libraries tell of different checkpoints on the way, none of which is saved. */
const isKept = (mode: string): boolean => mode !== 'checkpoints' && mode !== 'debug';

/** On a retry LangGraph begins the graph in the node anew, under another namespace; ours goes on where it failed. */
const withoutNestedRetries = (node: NodePlan): NodePlan =>
  node.kind === 'graph' || node.deeds.some((deed) => deed.do === 'call') ? { ...node, attempts: 1 } : node;

/** In `exit` durability LangGraph applies what a Command updates twice. */
function withoutUpdates(step: Step): Step {
  if (step.do === 'jump') return { do: 'go on' };
  return step.do === 'resume' ? { ...step, updates: [] } : step;
}

/** A Command to the parent beside a question: which of them counts depends in LangGraph on which came first. */
const unasking = (graph: GraphPlan): GraphPlan => ({
  ...graph,
  interruptBefore: [],
  interruptAfter: [],
  nodes: graph.nodes.map((node) => ({
    ...node,
    deeds: node.deeds.map((deed): Deed => (deed.do === 'ask' ? { do: 'update', keys: ['log'] } : deed)),
  })),
});

/**
 * A failure with maxConcurrency leaves tasks that never began, which the libraries take differently; and one without
 * turns stops siblings wherever they are. So no node fails for good; and a graph in a graph, whose end would be a node's failure, only leads forward and has no conflicts.
 */
function unfailing(graph: GraphPlan, level: number): GraphPlan {
  const nodes = graph.nodes.map((node) => ({
    ...node,
    deeds: node.deeds.map((deed) => {
      const granted = deed.do === 'fail' && retried(deed) && deed.times < node.attempts;
      const kept: Deed = deed.do === 'fail' && !granted ? { do: 'update', keys: ['log'] } : deed;
      return level === 0 ? kept : forwardDeed(kept, node.name, level);
    }),
  }));
  if (level === 0) return { ...graph, nodes };
  return {
    ...graph,
    nodes,
    edges: graph.edges.filter(([from, to]) => to === '__end__' || after(level, from, to)),
    barriers: graph.barriers.filter(([from, to]) => from.every((name) => after(level, name, to))),
    routes: graph.routes.map((route) => ({
      ...route,
      to: route.to.map((names) => names.filter((name) => after(level, route.from, name))),
    })),
  };
}

function forwardDeed(deed: Deed, name: string, level: number): Deed {
  const forward = (names: readonly string[]) => names.filter((to) => after(level, name, to));
  const calm = <Key extends string>(keys: readonly Key[]) => keys.filter((key) => key !== 'last');
  switch (deed.do) {
    case 'update':
      return { ...deed, keys: calm(deed.keys) };
    case 'goto':
      return { ...deed, to: forward(deed.to), updates: calm(deed.updates) };
    case 'send':
      return { ...deed, to: forward(deed.to) };
    case 'several':
      return { ...deed, goto: forward(deed.goto), keys: calm(deed.keys) };
    case 'overwrite':
      return { do: 'nothing', as: 'null' };
    case 'leave':
      return { ...deed, updates: calm(deed.updates) };
    case 'nothing':
    case 'ask':
    case 'write':
    case 'fail':
    case 'call':
      return deed;
  }
}

const retried = (deed: Deed & { do: 'fail' }): boolean => deed.with !== 'GraphValueError';

const after = (level: number, from: string, to: string): boolean => {
  const names: readonly string[] = NAMES[level] ?? [];
  return names.indexOf(to) > names.indexOf(from);
};
