// What a graph says against a run before it is accepted: names of nodes it does not have, a context of the wrong shape.
// Where the graph cannot be had here, nothing is checked: its failure is the run's, and the worker tells it.
import { checkContext, END, START, type CompiledGraph } from '../graph-core/index.js';
import { ServiceError } from './errors.js';
import type { RunKwargs } from '../storage/records.js';

/** @throws ServiceError UNKNOWN_NODE, INVALID_CONTEXT */
export async function checkRun(graph: CompiledGraph, kwargs: RunKwargs): Promise<void> {
  checkNodes(graph, 'interrupt_before', kwargs.interrupt_before);
  checkNodes(graph, 'interrupt_after', kwargs.interrupt_after);
  checkNodes(graph, 'command.goto', gotoTargets(kwargs), END);
  const { context, config } = kwargs;
  try {
    await checkContext(graph, { context, configurable: config.configurable });
  } catch (error) {
    throw new ServiceError('INVALID_CONTEXT', `The graph does not take this context: ${faultsOf(error)}`, {
      field: 'context',
      cause: error,
    });
  }
}

function checkNodes(
  { spec: { nodes } }: CompiledGraph,
  field: string,
  names: '*' | readonly string[] = [],
  ...allowed: readonly string[]
): void {
  if (names === '*') return;
  const unknown = names.find((name) => !Object.hasOwn(nodes, name) && !allowed.includes(name));
  if (unknown === undefined) return;
  const known = Object.keys(nodes).filter((name) => name !== START);
  throw new ServiceError(
    'UNKNOWN_NODE',
    `${field} names "${unknown.slice(0, 100)}", which is no node of the graph. Nodes: ${known.join(', ')}.`,
    { field },
  );
}

function gotoTargets({ command }: RunKwargs): readonly string[] {
  const targets = [command?.goto ?? []].flat() as readonly (string | { readonly node: string })[]; // schemas/runs.ts
  return targets.map((target) => (typeof target === 'string' ? target : target.node));
}

/** Schemas of every make list what is wrong as `issues`; zod's message is those as JSON. */
function faultsOf(error: unknown): string {
  const { issues, message } = error as { readonly issues?: unknown; readonly message?: unknown };
  if (!Array.isArray(issues) || issues.length === 0) return String(message ?? error);
  return (issues as readonly { readonly path?: readonly unknown[]; readonly message?: unknown }[])
    .map(({ path = [], message: fault }) => [path.map(keyOf).join('.'), String(fault)].filter(Boolean).join(': '))
    .join('; ');
}

/** A path's segment is a key, or an object that has one. */
const keyOf = (segment: unknown): string =>
  String(typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment);
