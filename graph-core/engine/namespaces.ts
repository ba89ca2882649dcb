// Checkpoint namespaces: where nested graphs keep their checkpoints. A level is `node:taskId`, levels are joined by `|`,
// and the second and later graphs called in one task have a number as a level of their own.
import { NAMESPACE_END, NAMESPACE_SEPARATOR } from '../constants.js';

export const nodeNamespace = (ns: string, node: string): string =>
  ns === '' ? node : `${ns}${NAMESPACE_SEPARATOR}${node}`;

export const taskNamespace = (ns: string, node: string, taskId: string): string =>
  `${nodeNamespace(ns, node)}${NAMESPACE_END}${taskId}`;

/** As streams show it: a segment for each graph below the root. */
export const namespacePath = (ns: string): readonly string[] => (ns === '' ? [] : ns.split(NAMESPACE_SEPARATOR));

const isCallNumber = (level: string | undefined): boolean => /^\d+$/.test(level ?? '');

/** The namespace of the graph whose task this is. */
export function parentNamespace(checkpointNs: string): string {
  const levels = checkpointNs.split(NAMESPACE_SEPARATOR);
  while (levels.length > 1 && isCallNumber(levels.at(-1))) levels.pop();
  return levels.slice(0, -1).join(NAMESPACE_SEPARATOR);
}

/** Without task ids: where a graph that keeps its state over calls has it. */
export const lastingNamespace = (ns: string): string =>
  ns
    .split(NAMESPACE_SEPARATOR)
    .map((level) => level.split(NAMESPACE_END)[0])
    .join(NAMESPACE_SEPARATOR);

/** The nodes it leads through: `outer|inner`. */
export const nodePath = (ns: string): string =>
  ns
    .split(NAMESPACE_SEPARATOR)
    .filter((level) => !isCallNumber(level))
    .map((level) => level.split(NAMESPACE_END)[0])
    .join(NAMESPACE_SEPARATOR);

/** For the graph called after `calls` others in the same task. */
export const callNamespace = (ns: string, calls: number): string =>
  calls === 0 ? ns : `${ns}${NAMESPACE_SEPARATOR}${calls}`;
