// Graphs of another engine.

/**
 * A graph that LangGraph's own package compiled: it carries the same mark as ours, and what ours is made of is missing.
 * Its engine would run beside this one: without this one's checkpoints, and without its superstep's place in the log.
 */
export function isForeignGraph(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'lg_is_pregel' in value && !('spec' in value);
}

/** @throws Error that says whose graph it is and what to do. */
export function refuseForeignGraph(node: string, action: unknown): void {
  if (!isForeignGraph(action)) return;
  throw new Error(
    `Node \`${node}\` is a graph that was compiled by another copy of LangGraph, which this engine cannot run as a part of ` +
      'its own. Import StateGraph for it from where this graph has it; leave "@langchain/langgraph" external in bundles.',
  );
}
