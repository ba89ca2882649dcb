import { Graph } from '@langchain/core/runnables/graph';
import type { AssistantGraph } from '@langchain/langgraph-sdk';

/** What a server tells of its graph, as a drawing. */
export function remoteDrawing({ nodes, edges }: AssistantGraph): Graph {
  const drawn = nodes.map((node) => {
    const id = String(node.id);
    // Nodes are told by a name, or by what they are.
    const data = (node.data ?? {}) as string | { readonly name?: string; readonly metadata?: Record<string, unknown> };
    const known = typeof data === 'string' ? { name: data } : data;
    return [id, { id, name: known.name ?? '', data, metadata: known.metadata ?? {} }] as const;
  });
  return new Graph({ nodes: Object.fromEntries(drawn), edges } as ConstructorParameters<typeof Graph>[0]);
}
