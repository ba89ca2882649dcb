import { ambientConfig } from './ambient-config.js';
import { taskContextOf, type TaskContext } from './task-context.js';

/**
 * Of the task whose code calls this.
 * @param what What was done that needs one, for the error.
 * @throws Error outside of a run.
 */
export function runningTaskContext(what: string): TaskContext {
  const config = ambientConfig();
  const context = taskContextOf(config);
  if (context !== undefined) return context;
  throw new Error(
    `${what} outside of a run: it belongs in an entrypoint, a node or another task. ` +
      (config === undefined
        ? 'No config is ambient here; AsyncLocalStorage has lost it, or there never was one.'
        : 'The config that is ambient here is not that of a running task.'),
  );
}
