// Graphs of another engine, and graphs that run elsewhere.
import type { Runnable, RunnableConfig } from '@langchain/core/runnables';
import type { StateSnapshot } from './snapshot.js';

/** The mark of a RemoteGraph, by which the engine knows it without knowing its class: that one brings a client along. */
export const RUNS_ELSEWHERE = Symbol.for('superstep.runs-elsewhere');

/** What the engine asks of one that is a node. */
export interface RemoteSubgraph extends Runnable {
  readonly [RUNS_ELSEWHERE]: true;
  /** The state of a task's call. @param config The task's thread and namespace. */
  stateOfCall(config: RunnableConfig, options: { readonly subgraphs: boolean }): Promise<StateSnapshot>;
}

export const isRemote = (value: unknown): value is RemoteSubgraph =>
  typeof value === 'object' && value !== null && RUNS_ELSEWHERE in value;

/**
 * A graph that LangGraph's own package compiled: it carries the same mark as ours, and what ours is made of is missing.
 * Its engine would run beside this one: without this one's checkpoints, and without its superstep's place in the log.
 */
export function isForeignGraph(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'lg_is_pregel' in value && !('spec' in value) && !isRemote(value);
}

/** @throws Error that says whose graph it is and what to do. */
export function refuseForeignGraph(node: string, action: unknown): void {
  if (!isForeignGraph(action)) return;
  throw new Error(
    `Node \`${node}\` is a graph that was compiled by another copy of LangGraph, which this engine cannot run as a part of ` +
      'its own. Import StateGraph for it from where this graph has it; leave "@langchain/langgraph" external in bundles.',
  );
}
