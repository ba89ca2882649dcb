// A node that failed for good may have a handler: a node that runs in its place, in the same superstep. The failure is
// saved with the name of the node before the handler starts, so a superstep that runs again goes on with the handler.
import { uuid5, type CheckpointPendingWrite } from '@langchain/langgraph-checkpoint';
import { ERROR, ERROR_SOURCE_NODE, isTaskOutput, PUSH } from '../constants.js';
import { NodeError } from '../errors.js';
import type { Write } from './apply-writes.js';
import { nodeNamespace, taskNamespace } from './namespaces.js';
import type { NodeConfig } from './node-config.js';
import type { Task } from './plan-tasks.js';
import type { SuperstepScope } from './superstep-scope.js';
import { taskContextOf } from './task-context.js';

/** What a handler is told. */
export function nodeErrorOf(config: NodeConfig): NodeError {
  return taskContextOf(config)?.nodeError as NodeError;
}

/** Marks a task's path as that of a handler. */
const HANDLER = 'node_error_handler';

type Place = Pick<SuperstepScope, 'graph' | 'state' | 'step'>;

/** The task of a failed task's handler, if it has one. It gets the same input. */
export function handlerTask({ graph, state, step }: Place, failed: Task, error: unknown): Task | undefined {
  const name = failed.node.errorHandler;
  const node = name === undefined ? undefined : graph.spec.nodes[name];
  if (node === undefined) return undefined;
  const ns = failed.checkpointNs;
  const origin = [nodeNamespace(ns, node.name), String(step), node.name, PUSH, HANDLER, failed.id];
  const id = uuid5(JSON.stringify(origin), state.checkpoint.id);
  return {
    id,
    name: node.name,
    node,
    path: [...failed.path.slice(0, 3), HANDLER, false],
    triggers: [PUSH],
    input: failed.input,
    checkpointNs: taskNamespace(ns, node.name, id),
    handles: { task: failed, error: new NodeError(failed.name, error as Error) },
  };
}

/** What a failed task leaves behind when a handler takes over. */
export const handledWrites = (task: Task, failure: readonly Write[]): readonly Write[] => [
  ...failure,
  [ERROR_SOURCE_NODE, task.name],
];

/** A task that failed when the superstep ran before, and the handler that took over. */
export interface Handled {
  readonly task: Task;
  readonly writes: readonly Write[];
  readonly handler: Task;
}

export function handledBefore(
  place: Place,
  tasks: readonly Task[],
  pendingWrites: readonly CheckpointPendingWrite[],
): readonly Handled[] {
  const sources = new Set(
    pendingWrites.filter(([, channel]) => channel === ERROR_SOURCE_NODE).map(([taskId]) => taskId),
  );
  if (sources.size === 0) return [];
  return tasks.flatMap((task) => {
    const own = pendingWrites.filter(([taskId]) => taskId === task.id && sources.has(taskId));
    const note = own.find(([, channel]) => channel === ERROR);
    if (note === undefined || own.some(([, channel]) => isTaskOutput(channel))) return [];
    const handler = handlerTask(place, task, errorOf(note[2]));
    return handler ? [{ task, writes: own.map(([, channel, value]): Write => [channel, value]), handler }] : [];
  });
}

function errorOf(note: unknown): Error {
  const { message, name } = (note ?? {}) as Partial<Error>;
  const error = new Error(message ?? String(note));
  if (name) error.name = name;
  return error;
}
