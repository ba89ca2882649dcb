import { END, START } from '../constants.js';
import { UnreachableNodeError } from '../errors.js';
import type { Branch } from './branch.js';

export interface GraphShape {
  /** Nodes in order, with those they reach by Command only. */
  readonly nodes: Readonly<Record<string, { readonly ends?: readonly string[]; readonly isErrorHandler?: boolean }>>;
  /** Barrier edges are one edge for each of their starts. */
  readonly edges: Iterable<readonly [start: string, end: string]>;
  /** By source and name. */
  readonly branches: Readonly<Record<string, Readonly<Record<string, Branch>>>>;
}

/**
 * @param interrupts Nodes named as breakpoints.
 * @throws Error for an edge from or to a node that is not there, or an unknown breakpoint; UnreachableNodeError for a
 *   node that nothing leads to.
 */
export function validateGraph(graph: GraphShape, interrupts: readonly string[]): void {
  const { nodes, branches } = graph;
  const edges = [...graph.edges];
  const has = (node: string): boolean => Object.hasOwn(nodes, node);

  for (const source of new Set([...edges.map(([start]) => start), ...Object.keys(branches)])) {
    if (source !== START && !has(source)) throw new Error(`Found edge starting at unknown node \`${source}\``);
  }

  const targets = new Set(edges.map(([, end]) => end));
  for (const [source, byName] of Object.entries(branches)) {
    for (const branch of Object.values(byName)) {
      for (const target of branchTargets(source, branch, Object.keys(nodes))) targets.add(target);
    }
  }
  for (const node of Object.values(nodes)) for (const end of node.ends ?? []) targets.add(end);

  // A handler may go anywhere by Command, and no edge leads to it.
  const handled = Object.values(nodes).some(({ isErrorHandler }) => isErrorHandler);
  for (const node of Object.keys(nodes)) {
    if (!handled && !targets.has(node)) throw unreachable(node);
  }
  for (const target of targets) {
    if (target !== END && !has(target)) throw new Error(`Found edge ending at unknown node \`${target}\``);
  }
  for (const node of interrupts) {
    if (!has(node)) throw new Error(`Interrupt node \`${node}\` is not present`);
  }
}

/** Without a map a router may lead anywhere but to its own node, which would count as reaching itself. */
const branchTargets = (source: string, { ends }: Branch, nodes: readonly string[]): readonly string[] =>
  ends === undefined ? [END, ...nodes.filter((node) => node !== source)] : Object.values(ends);

const unreachable = (node: string): UnreachableNodeError =>
  new UnreachableNodeError(
    [
      `Node \`${node}\` is not reachable.`,
      '',
      'If you are returning Command objects from your node,',
      'make sure you are passing names of potential destination nodes as an "ends" array',
      'into ".addNode(..., { ends: ["node1", "node2"] })".',
    ].join('\n'),
    { lc_error_code: 'UNREACHABLE_NODE' },
  );

/** @throws Error for a name that is a state key, taken, reserved, or has a character of namespaces. */
export function checkNodeName(
  name: string,
  { channels, nodes }: { readonly channels: object; readonly nodes: object },
): void {
  if (name in channels) {
    throw new Error(
      `${name} is already being used as a state attribute (a.k.a. a channel), cannot also be used as a node name.`,
    );
  }
  const reserved = ['|', ':'].find((character) => name.includes(character));
  if (reserved) throw new Error(`"${reserved}" is a reserved character and is not allowed in node names.`);
  if (name in nodes) throw new Error(`Node \`${name}\` already present.`);
  if (name === END || name === START) throw new Error(`Node \`${name}\` is reserved.`);
}
