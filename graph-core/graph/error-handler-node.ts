// Nodes that run when another has failed for good: one for each node with a handler of its own, one for all the others.
import type { NodeConfig } from '../engine/node-config.js';
import { nodeErrorOf } from '../engine/error-handler.js';
import type { StateDefinition } from './annotation.js';
import type { NodeErrorHandler, StateGraphNode } from './node-action.js';
import { NodeFunction } from './node-function.js';
import { withDefaults, type NodePolicies } from './node-policies.js';

/** What `setNodeDefaults` was given. */
export interface NodeDefaults extends NodePolicies {
  readonly errorHandler?: NodeErrorHandler<never, unknown>;
}

/** The node of the default handler. */
const DEFAULT_HANDLER = '__default_error_handler__';

const errorHandlerName = (node: string): string => `__error_handler__${node}`;

function errorHandlerNode(
  name: string,
  handler: NodeErrorHandler<never, unknown>,
  input: StateDefinition,
): StateGraphNode {
  const call = (state: unknown, config: NodeConfig): unknown => handler(state as never, nodeErrorOf(config), config);
  return { runnable: new NodeFunction(name, call), input, isErrorHandler: true };
}

/**
 * Nodes as they run: with the defaults where they have no policies of their own. Results of handlers are never cached,
 * and their failures never handled.
 * @param state What the default handler reads.
 */
export function nodesWithDefaults(
  nodes: Readonly<Record<string, StateGraphNode>>,
  defaults: NodeDefaults,
  state: StateDefinition,
): Readonly<Record<string, StateGraphNode>> {
  const { errorHandler } = defaults;
  if (errorHandler && DEFAULT_HANDLER in nodes) {
    throw new Error(
      `Cannot apply a default error handler: the reserved node name \`${DEFAULT_HANDLER}\` is already in use. ` +
        'setNodeDefaults({ errorHandler }) registers a node with that name; rename the conflicting node.',
    );
  }
  const all = errorHandler
    ? { ...nodes, [DEFAULT_HANDLER]: errorHandlerNode(DEFAULT_HANDLER, errorHandler, state) }
    : nodes;
  return Object.fromEntries(
    Object.entries(all).map(([name, node]): [string, StateGraphNode] => {
      const policies = withDefaults(node, defaults);
      if (node.isErrorHandler) return [name, { ...node, ...policies, cachePolicy: false }];
      const fallback = errorHandler && DEFAULT_HANDLER;
      return [name, { ...node, ...policies, errorHandlerNode: node.errorHandlerNode ?? fallback }];
    }),
  );
}

/** Adds the handler of one node as a node. @throws Error if its name is taken. */
export function addErrorHandler(
  nodes: Record<string, StateGraphNode>,
  key: string,
  handler: NodeErrorHandler<never, unknown>,
  input: StateDefinition,
): string {
  const name = errorHandlerName(key);
  if (name in nodes) {
    throw new Error(
      `Cannot add error handler to node \`${key}\`: the reserved name \`${name}\` is already in use. StateGraph ` +
        'registers `__error_handler__<nodeName>` when you pass `errorHandler` in addNode options. Remove or rename the ' +
        'existing node with that name (for example, you may have added it manually).',
    );
  }
  nodes[name] = errorHandlerNode(name, handler, input);
  return name;
}
