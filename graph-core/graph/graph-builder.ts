import type { Branch } from './branch.js';
import type { StateGraphNode } from './node-action.js';

/** What a compiled graph keeps of its builder: enough to draw it. */
export interface GraphBuilder {
  readonly nodes: Readonly<Record<string, StateGraphNode>>;
  readonly allEdges: ReadonlySet<readonly [start: string, end: string]>;
  /** Conditional edges, by source and name. */
  readonly branches: Readonly<Record<string, Readonly<Record<string, Branch>>>>;
}
