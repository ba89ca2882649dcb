// What a task leaves behind is saved as it ends (S2).
import { pathKey } from './apply-writes.js';
import { isCall } from './plan-tasks.js';
import { storedWrites } from './stored-writes.js';
import type { SuperstepScope } from './superstep-scope.js';
import type { Ended } from './task-result.js';

/** @param siblings Tasks of the superstep, this one included. */
export async function saveTask({ ports, graph }: SuperstepScope, ended: Ended, siblings: number): Promise<void> {
  const { kind, writes } = ended;
  if (writes.length === 0) return;
  const task = kind === 'failed' ? ended.failure.task : ended.task;
  const saving = ports.saveWrites(task.id, storedWrites(graph.spec, writes) as [string, unknown][], {
    siblings,
    kind: isCall(task) ? 'call' : 'planned',
    taskPath: pathKey(task.path),
    finished: kind === 'finished',
  });
  if (saving !== undefined) await saving;
}
