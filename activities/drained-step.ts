// A superstep after which the graph wants to stop: a node called `config.control.requestDrain()`.
import { isGraphDrained, readValues, type CompiledGraph, type SuperstepOutcome } from '../graph-core/index.js';
import type { Run } from '../storage/records.js';
import type { StepOutcome } from './commit-step.js';
import type { ActivityDependencies } from './dependencies.js';
import type { StepStart } from './state-at.js';
import type { StepControl } from './step-control.js';
import { threadAsSaved } from './thread-as-saved.js';
import { toWireValue } from './wire-value.js';

interface DrainableStep {
  readonly deps: Pick<ActivityDependencies, 'graphs' | 'saver'>;
  readonly graph: CompiledGraph;
  readonly run: Run;
  readonly start: StepStart;
  /** Nodes of the superstep. */
  readonly nodes: readonly string[];
  readonly control: StepControl;
}

/** As `invoke()` does: a graph that has nothing left to do just ends, and one that asks a question waits. */
export async function untilDrained(
  { deps, graph, run, start, nodes, control }: DrainableStep,
  superstep: () => Promise<SuperstepOutcome>,
): Promise<StepOutcome> {
  const threadAt = ({ saved }: StepStart['state'], next: readonly string[]) => ({
    values: toWireValue(readValues(graph, saved)),
    interrupts: {},
    next,
  });
  try {
    const outcome = await superstep();
    if (!control.askedByGraph || outcome.kind !== 'continue' || outcome.next.length === 0) return outcome;
    const { commit, state, next } = outcome;
    const thread = threadAt(
      state,
      next.map(({ node }) => node),
    );
    return { kind: 'drained', commit, state, thread };
  } catch (error) {
    if (!isGraphDrained(error) || !control.askedByGraph) throw error;
    // A graph within stopped, and its siblings have finished: what is left to do is what the saved writes say.
    const thread = (await threadAsSaved(deps.graphs, deps.saver, run)) ?? threadAt(start.state, nodes);
    return { kind: 'drained', state: start.state, thread };
  }
}
