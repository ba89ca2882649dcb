// The config that a task's node is called with, and what is behind it.
import { INTERRUPT, PREVIOUS, RESUME, TASKS } from '../constants.js';
import { InvalidUpdateError, type Interrupt } from '../errors.js';
import { isSend } from '../send.js';
import { ambientConfig } from './ambient-config.js';
import { applyOwnWrites, type Write } from './apply-writes.js';
import type { WriterContext } from './graph-spec.js';
import { interruptId } from './interrupt-id.js';
import { identified } from './message-ids.js';
import { isList, readChannels, type Keys } from './live-state.js';
import type { NodeConfig } from './node-config.js';
import { namespacePath } from './namespaces.js';
import type { Task } from './plan-tasks.js';
import { pregelKeys } from './pregel-keys.js';
import { untracked } from './stored-writes.js';
import type { SuperstepScope } from './superstep-scope.js';
import type { TaskCall } from './task-call.js';
import { ResumeAnswers, taskContextOf, withTaskContext, type TaskContext } from './task-context.js';
import type { Failure } from './task-result.js';

/** One task being run: its writes so far, and what its node is given. */
export interface RunningTask {
  readonly task: Task;
  /** Of the attempt that runs. */
  writes: Write[];
  readonly context: TaskContext;
  readonly config: NodeConfig;
  readonly writer: Omit<WriterContext, 'config'>;
  /** The first of its calls that failed for good: the task fails with it, whatever it makes of the error. */
  failedCall?: Failure;
}

/** What the engine lends to a task's code besides its config. */
export interface TaskTools {
  readonly interrupt: NodeConfig['interrupt'];
  readonly call: (caller: RunningTask, call: TaskCall) => Promise<unknown>;
}

export function runningTask(scope: SuperstepScope, task: Task, { interrupt, call }: TaskTools): RunningTask {
  const running: { writes: Write[] } = { writes: [] };
  const write = (channel: string, value: unknown): void => {
    checkSend(scope, channel, value);
    if (!untracked(scope.graph.spec).has(channel)) scope.ports.checkWrite?.(task.name, channel, value);
    running.writes.push([channel, identified(scope.state.channels.get(channel), value)]);
  };
  const context: TaskContext = {
    taskId: task.id,
    node: task.name,
    checkpointNs: task.checkpointNs,
    input: task.input,
    answers: answersFor(scope, task),
    asked: askedBy(scope, task),
    write,
    call: (called) => call(running as RunningTask, called),
    previous: previousOf(scope),
    saver: scope.ports.saver ?? taskContextOf(scope.options.config)?.saver,
    stream: nestedStream(scope),
    resumeMap: resumeMap(scope),
    resumed: scope.from.resumed,
    replay: scope.from.replay ?? taskContextOf(scope.options.config)?.replay,
    durability: scope.options.durability ?? 'async',
    nodeError: task.handles?.error,
    subgraphCalls: 0,
    remoteCalls: 0,
    calls: 0,
  };
  return Object.assign(running, {
    task,
    context,
    config: taskConfig(scope, task, context, {
      interrupt,
      pregel: pregelKeys({
        input: task.input,
        send: (writes) => writes.forEach(([channel, value]) => write(channel, value)),
        read: (select, fresh = false) => readFresh(scope, select, fresh ? running.writes : []),
      }),
    }),
    writer: { write, readFresh: (reads: Keys) => readFresh(scope, reads, running.writes) },
  });
}

function taskConfig(
  scope: SuperstepScope,
  task: Task,
  context: TaskContext,
  { interrupt, pregel }: { readonly interrupt: NodeConfig['interrupt']; readonly pregel: Record<string, unknown> },
): NodeConfig {
  const { options, ports, state, ns } = scope;
  const { runId: _runId, runName: _runName, ...base } = options.config;
  const { configurable } = base;
  const checkpointId = state.checkpoint.id;
  return {
    ...base,
    context: base.context ?? undefined,
    metadata: taskMetadata(scope, task),
    tags: task.node.tags ? [...(base.tags ?? []), ...task.node.tags] : base.tags,
    callbacks: scope.callbacks,
    configurable: withTaskContext(
      {
        ...configurable,
        ...pregel,
        checkpoint_id: undefined,
        checkpoint_ns: task.checkpointNs,
        checkpoint_map: { ...(configurable?.['checkpoint_map'] as object | undefined), [ns]: checkpointId },
      },
      context,
    ),
    signal: scope.signal,
    store: ports.store,
    control: ports.control,
    interrupt,
    writer: (base as NodeConfig).writer ?? customWriter(scope),
    executionInfo: {
      checkpointId,
      checkpointNs: task.checkpointNs,
      taskId: task.id,
      threadId: configurable?.['thread_id'] as string | undefined,
      runId: base.metadata?.['run_id'] as string | undefined,
      nodeAttempt: ports.attempt ?? 1,
    },
  };
}

export function taskMetadata({ step, options }: SuperstepScope, task: Task): Record<string, unknown> {
  return {
    ...options.config.metadata,
    langgraph_step: step,
    langgraph_node: task.name,
    langgraph_triggers: task.triggers,
    langgraph_path: task.path,
    langgraph_checkpoint_ns: task.checkpointNs,
    checkpoint_ns: task.checkpointNs,
    ...task.node.metadata,
  };
}

/** `config.writer`: emits under the namespace of the graph whose node calls it, which may be one below. */
function customWriter({ ports, options }: SuperstepScope): NodeConfig['writer'] {
  if (!options.streamModes.includes('custom')) return () => undefined;
  return (chunk) => {
    const taskNs = taskContextOf(ambientConfig())?.checkpointNs ?? '';
    ports.emit({ ns: namespacePath(taskNs).slice(0, -1), mode: 'custom', payload: chunk });
  };
}

/** Where graphs called in a task stream to as well: this one, if it is asked for its subgraphs, or those around it. */
function nestedStream({ options, ports }: SuperstepScope): TaskContext['stream'] {
  if (!options.streamSubgraphs) return taskContextOf(options.config)?.stream;
  return { modes: new Set(options.streamModes), emit: (chunk) => ports.emit(chunk) };
}

/** Of this run, or of the one around it. */
const resumeMap = ({ from, options }: SuperstepScope): TaskContext['resumeMap'] =>
  from.resumeMap ?? taskContextOf(options.config)?.resumeMap;

function answersFor(scope: SuperstepScope, task: Task): ResumeAnswers {
  const answers: unknown[] = [];
  for (const [taskId, channel, value] of scope.from.saved.pendingWrites) {
    if (channel !== RESUME) continue;
    if (taskId === task.id) answers.push(...(Array.isArray(value) ? (value as unknown[]) : [value]));
  }
  const byId = resumeMap(scope);
  if (byId !== undefined) {
    // A client that knows one id per task answers its later questions by it too.
    const ids = [interruptId(task.checkpointNs, answers.length), interruptId(task.checkpointNs, 0)];
    const id = ids.find((candidate) => candidate in byId);
    if (id !== undefined) answers.push(byId[id]);
  }
  return new ResumeAnswers(answers, scope.answerForAnyone);
}

const askedBy = ({ from }: SuperstepScope, task: Task): readonly Interrupt[] =>
  from.saved.pendingWrites
    .filter(([taskId, channel]) => taskId === task.id && channel === INTERRUPT)
    .flatMap(([, , asked]) => asked as readonly Interrupt[]);

const previousOf = ({ state: { channels } }: SuperstepScope): unknown =>
  channels.get(PREVIOUS)?.isAvailable() ? channels.get(PREVIOUS)?.get() : undefined;

function readFresh({ state: { channels } }: SuperstepScope, reads: Keys, writes: readonly Write[]): unknown {
  if (writes.length === 0) return readChannels(channels, reads);
  return readChannels(applyOwnWrites(channels, isList(reads) ? reads : [reads], writes), reads);
}

function checkSend({ graph }: SuperstepScope, channel: string, value: unknown): void {
  if (channel !== TASKS || value === null || value === undefined) return;
  if (!isSend(value)) {
    throw new InvalidUpdateError(`Invalid packet type, expected SendProtocol, got ${JSON.stringify(value)}`);
  }
  if (!(value.node in graph.spec.nodes)) {
    throw new InvalidUpdateError(`Invalid node name "${value.node}" in Send packet`);
  }
}
