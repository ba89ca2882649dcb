import type { Branch } from './branch.js';
import type { StateGraphNode } from './node-action.js';
import type { GraphSchemas } from './resolve-definitions.js';

/** What a compiled graph keeps of its builder: enough to draw it, and to tell its schemas. */
export interface GraphBuilder {
  readonly nodes: Readonly<Record<string, StateGraphNode>>;
  readonly schemas: GraphSchemas;
  readonly allEdges: ReadonlySet<readonly [start: string, end: string]>;
  /** Conditional edges, by source and name. */
  readonly branches: Readonly<Record<string, Readonly<Record<string, Branch>>>>;
}
