// Which tasks make up the next superstep. Pure.
import { uuid5, type Checkpoint } from '@langchain/langgraph-checkpoint';
import { INTERRUPT, PULL, PUSH, TAG_HIDDEN, TASKS } from '../constants.js';
import type { NodeError } from '../errors.js';
import { toSend, type Send } from '../send.js';
import type { TimeoutPolicy } from '../timeout-policy.js';
import type { TaskPath } from './apply-writes.js';
import { isNewer, nullVersion } from './checkpoints.js';
import type { Breakpoints, ExecutableGraph } from './executable-graph.js';
import type { NodeSpec } from './graph-spec.js';
import { isList, newestOf, readChannels, stateUnder, type LiveState, type Version } from './live-state.js';
import { nodeNamespace, taskNamespace } from './namespaces.js';

export interface Task {
  /** Follows from the checkpoint, the step and what triggers it: the same over retries and resumes. */
  readonly id: string;
  readonly name: string;
  readonly node: NodeSpec;
  readonly path: TaskPath;
  readonly triggers: readonly string[];
  /** As the node gets it; `undefined` is a value too. */
  readonly input: unknown;
  /** `parent:id|node:id`. */
  readonly checkpointNs: string;
  /** Of a Send; stands over the node's own. */
  readonly timeout?: TimeoutPolicy;
  /** It is the handler of another task's failure. */
  readonly handles?: { readonly task: Task; readonly error: NodeError };
}

export interface Place {
  readonly step: number;
  /** Checkpoint namespace of the graph; empty at the root. */
  readonly ns: string;
  /** Channels that the last superstep changed. Absent after loading: then every node is looked at. */
  readonly updated?: ReadonlySet<string>;
}

/** The pending Sends in their order, then the triggered nodes: by name, or in order of addition where all are looked at. */
export function planTasks(graph: ExecutableGraph, state: LiveState, place: Place): readonly Task[] {
  const tasks: Task[] = [];
  const { channels, checkpoint, versions } = state;
  const pending = channels.get(TASKS);
  if (pending?.isAvailable()) {
    for (const [index, packet] of (pending.get() as readonly unknown[]).entries()) {
      const send = toSend(packet);
      const node = send && graph.spec.nodes[send.node];
      if (send && node) tasks.push(sentTask(node, send, index, checkpoint.id, place));
    }
  }
  const none = nullVersion(versions);
  if (none === undefined) return tasks;
  for (const name of candidates(graph, place.updated)) {
    const node = graph.spec.nodes[name] as NodeSpec;
    const seen = state.seen.get(name);
    const trigger = node.triggers.find(
      (channel) => channels.get(channel)?.isAvailable() && isNewer(versions.get(channel), seen?.[channel], none),
    );
    if (trigger === undefined || !hasInput(node, state)) continue;
    tasks.push(triggeredTask(node, trigger, inputOf(node, state), checkpoint.id, place));
  }
  return tasks;
}

function candidates({ spec, triggered }: ExecutableGraph, updated: Place['updated']): readonly string[] {
  if (updated === undefined) return Object.keys(spec.nodes);
  const names = new Set<string>();
  for (const channel of updated) for (const name of triggered.get(channel) ?? []) names.add(name);
  return names.size < 2 ? [...names] : [...names].sort();
}

/** A node that reads one channel waits for its value; one that reads several does without those that have none. */
function hasInput({ reads, requires = [] }: NodeSpec, { channels }: LiveState): boolean {
  const available = (channel: string): boolean => channels.get(channel)?.isAvailable() === true;
  return (isList(reads) || available(reads)) && requires.every(available);
}

function inputOf({ reads, mapInput }: NodeSpec, { channels }: LiveState): unknown {
  const input = readChannels(channels, reads);
  return mapInput ? mapInput(input) : input;
}

function sentTask(node: NodeSpec, send: Send, index: number, checkpointId: string, { step, ns }: Place): Task {
  const id = taskId(ns, step, node.name, [PUSH, String(index)], checkpointId);
  return {
    id,
    name: node.name,
    node,
    path: [PUSH, index, false],
    triggers: [PUSH],
    input: send.args,
    checkpointNs: taskNamespace(ns, node.name, id),
    timeout: send.timeout,
  };
}

function triggeredTask(node: NodeSpec, trigger: string, input: unknown, checkpointId: string, place: Place): Task {
  const id = taskId(place.ns, place.step, node.name, [PULL, [trigger]], checkpointId);
  return {
    id,
    name: node.name,
    node,
    path: [PULL, node.name],
    triggers: [trigger],
    input,
    checkpointNs: taskNamespace(place.ns, node.name, id),
  };
}

function taskId(ns: string, step: number, node: string, origin: readonly unknown[], checkpointId: string): string {
  return uuid5(JSON.stringify([nodeNamespace(ns, node), String(step), node, ...origin]), checkpointId);
}

export const isHidden = (task: Task): boolean => task.node.tags?.includes(TAG_HIDDEN) === true;

/** Whether a task is a call of another. */
export const isCall = ({ path }: Pick<Task, 'path'>): boolean => path[0] === PUSH && path.at(-1) === true;

/** Whether a breakpoint stops at these tasks: one is listed, and something has changed since the last stop. */
export function meetsBreakpoint({ versions, seen }: LiveState, nodes: Breakpoints, tasks: readonly Task[]): boolean {
  if (nodes.length === 0 || tasks.length === 0) return false;
  if (!tasks.some((task) => (nodes === '*' ? !isHidden(task) : nodes.includes(task.name)))) return false;
  const none = nullVersion(versions);
  if (none === undefined) return false;
  const passed = seen.get(INTERRUPT);
  for (const [channel, version] of versions) if (isNewer(version, passed?.[channel], none)) return true;
  return false;
}

/** The checkpoint with everything marked as seen by the breakpoints: the next stop needs a change. */
export function passBreakpoints(state: LiveState): LiveState {
  const { checkpoint, channels, versions, seen } = state;
  const passed: Record<string, Version> = { ...seen.get(INTERRUPT) };
  for (const [name, version] of versions) if (channels.has(name)) passed[name] = version;
  return stateUnder(checkpoint, { ...state, seen: seen.with(new Map([[INTERRUPT, passed]])) });
}

/** The channels changed by the superstep that made this checkpoint: those with the newest version. */
export function lastUpdated({ channel_versions }: Checkpoint): ReadonlySet<string> {
  const last = newestOf(Object.entries(channel_versions));
  return new Set(Object.keys(channel_versions).filter((name) => channel_versions[name] === last));
}
