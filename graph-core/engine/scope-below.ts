import type { Task } from './plan-tasks.js';
import type { SuperstepScope } from './superstep-scope.js';
import { taskMetadata } from './task-config.js';

/** The superstep as a task sees it that `task` brought about: in the namespace of that one, with its tags and metadata. */
export function scopeBelow(scope: SuperstepScope, task: Task): SuperstepScope {
  const { options, ns, state } = scope;
  const { tags = [], configurable } = options.config;
  const map = { ...(configurable?.['checkpoint_map'] as object | undefined), [ns]: state.checkpoint.id };
  const config = {
    ...options.config,
    tags: [...tags, ...(task.node.tags ?? [])],
    metadata: taskMetadata(scope, task),
    configurable: { ...configurable, checkpoint_map: map },
  };
  return { ...scope, ns: task.checkpointNs, options: { ...options, config } };
}

/** The superstep as a task of it sees it: a handler is below the task whose failure it handles. */
export const scopeOf = (scope: SuperstepScope, { handles }: Task): SuperstepScope =>
  handles ? scopeBelow(scope, handles.task) : scope;
