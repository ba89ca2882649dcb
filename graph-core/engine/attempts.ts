// One task from its first attempt to its end: the node is called, and called again where its policy grants it.
import { Command } from '../command.js';
import { ERROR, INTERRUPT, NO_WRITES, RESUME } from '../constants.js';
import {
  isGraphBubbleUp,
  isGraphDrained,
  isGraphInterrupt,
  isParentCommand,
  markFailedNode,
  ParentCommand,
  type Interrupt,
} from '../errors.js';
import type { Write } from './apply-writes.js';
import { callNode, runWriters } from './call-node.js';
import { errorLine, errorNote } from './error-note.js';
import { parentNamespace } from './namespaces.js';
import type { Task } from './plan-tasks.js';
import { retryDelayMs } from './retry.js';
import type { SuperstepScope } from './superstep-scope.js';
import type { RunningTask } from './task-config.js';
import type { Ended, Failure } from './task-result.js';
import { withinTimeout } from './timeout.js';

/** Calls the node until it ends or its policy grants no further attempt here. */
export async function attempts(scope: SuperstepScope, running: RunningTask, signal: AbortSignal): Promise<Ended> {
  const { task } = running;
  const policy = task.node.retryPolicy ?? scope.graph.retryPolicy;
  const startedAt = Date.now();
  let failures = scope.ports.failedAttempts?.[task.id] ?? 0;
  for (;;) {
    running.writes = [];
    running.context.answers.restart();
    running.context.subgraphCalls = 0;
    running.context.remoteCalls = 0;
    running.context.calls = 0;
    const attempt = { nodeAttempt: failures + 1, nodeFirstAttemptTime: startedAt };
    try {
      await call(running, attempt);
      if (running.failedCall) throw running.failedCall.error;
      return { kind: 'finished', task, writes: running.writes.length > 0 ? running.writes : [[NO_WRITES, null]] };
    } catch (error) {
      if (isGraphInterrupt(error)) return asked(scope, running, error.interrupts);
      // A drained graph has not finished its node, which runs again.
      if (isGraphDrained(error)) return { kind: 'bubbled', task, writes: [], error };
      if (isGraphBubbleUp(error)) return { kind: 'bubbled', task, writes: bubbledWrites(running, error), error };
      failures += 1;
      markFailedNode(error, task.name);
      const delayMs =
        policy && !signal.aborted && !running.failedCall ? retryDelayMs(policy, failures, error) : undefined;
      const failure = { task, error, failures, startedAt };
      if (delayMs === undefined) return failedFor(running, failure);
      if (scope.ports.retries === 'caller') {
        return { kind: 'failed', writes: [], failure: { ...failure, retryInMs: delayMs } };
      }
      if (policy?.logWarning ?? true) warn(task, delayMs, failures, error);
      await sleep(delayMs, signal);
      if (signal.aborted) return failedFor(running, failure);
    }
  }
}

/** The question, and the answers that led up to it. A question that cannot be stored is a failure of the node. */
function asked(scope: SuperstepScope, running: RunningTask, interrupts: readonly Interrupt[]): Ended {
  const { task } = running;
  if (interrupts.length === 0) return { kind: 'interrupted', task, writes: [], interrupts };
  try {
    scope.ports.checkWrite?.(task.name, INTERRUPT, interrupts);
  } catch (error) {
    markFailedNode(error, task.name);
    return failedFor(running, { task, error, failures: 1, startedAt: Date.now() });
  }
  return { kind: 'interrupted', task, interrupts, writes: [[INTERRUPT, interrupts], ...answersOf(running)] };
}

/** What it wrote is not kept: the task will run again, and savers keep the first write of each. */
const failedFor = (running: RunningTask, failure: Failure): Ended => ({
  kind: 'failed',
  failure,
  writes: [...answersOf(running), [ERROR, errorNote(failure.error)]],
});

/** A task that wrote nothing before its command left says that it did not end as others do. */
const bubbledWrites = ({ writes }: RunningTask, error: unknown): readonly Write[] =>
  writes.length > 0 ? writes : [[ERROR, errorNote(error)]];

const answersOf = ({ writes }: RunningTask): readonly Write[] =>
  writes.filter(([channel]) => channel === RESUME).slice(-1);

async function call(running: RunningTask, attempt: object): Promise<void> {
  const { task, writer } = running;
  const config = {
    ...running.config,
    executionInfo: { ...running.config.executionInfo, ...attempt },
  } as RunningTask['config'];
  const timeout = task.timeout ?? task.node.timeout;
  try {
    if (timeout === undefined) return await callNode(task.node, task.input, config, writer);
    await withinTimeout(running, config, timeout, (limited) =>
      callNode(task.node, task.input, limited.config, limited.writer),
    );
  } catch (error) {
    if (!isParentCommand(error)) throw error;
    const { command } = error;
    if (command.graph === task.checkpointNs) return runWriters(task.node, takenCommand(command), { ...writer, config });
    // A new error: the one caught may be thrown again by its own graph.
    throw command.graph === Command.PARENT
      ? new ParentCommand(new Command({ ...command, graph: parentNamespace(task.checkpointNs) }))
      : error;
  }
}

/** For the writers it is a command like any other. */
const takenCommand = (command: Command): Command => new Command({ ...command, graph: undefined });

function warn({ name }: Task, delayMs: number, failures: number, error: unknown): void {
  // eslint-disable-next-line no-console -- the policy's `logWarning` asks for it
  console.warn(`Retrying task "${name}" after ${delayMs.toFixed(2)}ms (attempt ${failures}) after ${errorLine(error)}`);
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
