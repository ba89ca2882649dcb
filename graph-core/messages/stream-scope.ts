// Which events that LangChain's callbacks tell of belong to a stream, and under which namespace they are shown.

export type StreamScope =
  /** Under the graph they happen in; of graphs below the streaming one only with `subgraphs`. */
  | {
      readonly kind: 'graphs';
      readonly subgraphs: boolean;
      /** Namespace of the graph that streams; empty at the root. */
      readonly parentNs: string;
    }
  /** Under the task they happen in, of all graphs. */
  | { readonly kind: 'tasks' };

export const WHOLE_RUN: StreamScope = { kind: 'graphs', subgraphs: true, parentNs: '' };

type Metadata = Readonly<Record<string, unknown>>;

/** Where an event happened, as its run's metadata tells; undefined outside of any task. */
export function taskNamespaceOf(metadata: Metadata | undefined): string | undefined {
  const ns = metadata?.['langgraph_checkpoint_ns'] ?? metadata?.['checkpoint_ns'];
  return typeof ns === 'string' && ns !== '' ? ns : undefined;
}

/** The namespace to show; undefined where the stream leaves it out. */
export function namespaceIn(scope: StreamScope, taskNs: string, metadata: Metadata): readonly string[] | undefined {
  if (scope.kind === 'tasks') return taskNs.split('|');
  const ns = graphNamespace(taskNs, metadata['langgraph_path']);
  return showsGraph(scope, ns.join('|')) ? ns : undefined;
}

/** Whether messages of the nodes of a graph are part of the stream. @param ns The graph's, with its task ids. */
export function showsGraph(scope: StreamScope, ns: string): boolean {
  return scope.kind === 'tasks' || scope.subgraphs || ns === '' || ns === scope.parentNs;
}

/** A task's namespace without its own segment; a function task hangs below the task that called it, so one more each. */
function graphNamespace(taskNs: string, path: unknown): readonly string[] {
  const segments = taskNs.split('|');
  let own = 1;
  for (let at = path; Array.isArray(at) && at[0] === '__pregel_push' && at.at(-1) === true; at = at[1] as unknown)
    own += 1;
  return segments.slice(0, Math.max(segments.length - own, 0));
}
