// Where in the nesting of graphs an event comes from.

/** `[]` at the root, else `["node:taskId", ...]`. */
export type Namespace = string[];

/** For maps; no node name has the separator. */
export const namespaceKey = (namespace: readonly string[]): string => namespace.join('\0');

/** Segment by segment, the namespace itself included. */
export const isWithin = (namespace: readonly string[], ancestor: readonly string[]): boolean =>
  ancestor.length <= namespace.length && ancestor.every((segment, depth) => namespace[depth] === segment);

export const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && isWithin(a, b);

/** `fetcher:1c2d...` → `fetcher`. */
export function nodeOfSegment(segment: string): string {
  const end = segment.indexOf(':');
  return end === -1 ? segment : segment.slice(0, end);
}
