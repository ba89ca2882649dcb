// What streams tell of a task: its start, its end, and that it had finished before.
import { ERROR, INTERRUPT } from '../constants.js';
import type { Write } from './apply-writes.js';
import { isHidden, type Task } from './plan-tasks.js';
import { taskEnd, taskStart, updatesPayload } from './stream-payloads.js';
import { outputKeys, type SuperstepScope } from './superstep-scope.js';
import { taskMetadata } from './task-config.js';
import type { Ended } from './task-result.js';

export function tellStart(scope: SuperstepScope, task: Task): void {
  if (isHidden(task) || !scope.streams.wants('tasks')) return;
  const { tags = [] } = scope.options.config;
  const config = { metadata: taskMetadata(scope, task), tags: [...tags, ...(task.node.tags ?? [])] };
  scope.streams.write('tasks', taskStart(task, config));
}

/** A task that is not run again still shows in `updates`, marked as cached. */
export function tellReplay({ streams, graph, options }: SuperstepScope, task: Task, writes: readonly Write[]): void {
  if (isHidden(task) || !streams.wants('updates')) return;
  const updates = updatesPayload(task, writes, outputKeys(graph, options));
  streams.write('updates', { ...updates, __metadata__: { cached: true } });
}

/** @param asks Whether a question is its own to tell; one of a call is told by its caller, which ends with it too. */
export function tellEnd(scope: SuperstepScope, task: Task, ended: Ended, asks: 'told' | 'left to its caller'): void {
  const { streams, graph, options } = scope;
  const { writes } = ended;
  if (writes.length === 0 || isHidden(task)) return;
  if (ended.kind === 'interrupted') {
    if (asks !== 'told') return;
    streams.write('updates', { [INTERRUPT]: ended.interrupts });
    streams.write('values', { [INTERRUPT]: ended.interrupts });
  } else if (ended.kind !== 'failed' && writes[0]?.[0] !== ERROR && streams.wants('updates')) {
    streams.write('updates', updatesPayload(task, writes, outputKeys(graph, options)));
  }
  if (streams.wants('tasks')) streams.write('tasks', taskEnd(task, writes, graph.spec.streamChannels));
}
