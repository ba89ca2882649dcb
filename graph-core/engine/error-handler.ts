// A node that failed for good may have a handler: a node that runs in its place, in the same superstep.
import type { NodeError } from '../errors.js';
import type { NodeConfig } from './node-config.js';
import { taskContextOf } from './task-context.js';

/** What a handler is told. */
export function nodeErrorOf(config: NodeConfig): NodeError {
  return taskContextOf(config)?.nodeError as NodeError;
}
