// The reference reducer of progress views: a snapshot, then events, in whatever overlap they arrive. Pure.
//   const view = events.reduce(applyEvent, viewOf(snapshot))
import type { ProcessEvent, ProcessSnapshot, ProcessStatus } from './process-records.js';

/** A task of the run's graph that is at work. */
export interface CurrentNode {
  readonly task_id: string;
  readonly node: string;
  /** `retrying`: its last attempt failed and the next has not begun. */
  readonly state: 'running' | 'retrying';
  readonly attempt: number;
  /** What the node last reported by its custom writer; absent when it has not. */
  readonly report?: unknown;
}

export interface ProgressView {
  readonly run_id: string;
  readonly thread_id: string;
  readonly status: ProcessStatus;
  readonly current_nodes: readonly CurrentNode[];
  /** Names, each once, in the order of their first completion. */
  readonly completed_nodes: readonly string[];
  /** What the run asks while it is paused. */
  readonly waiting_for: Readonly<Record<string, unknown>> | null;
  readonly error: Readonly<Record<string, unknown>> | null;
  /** The last event seen; whatever is not above it is dropped. */
  readonly last_seq: number;
}

/** Fields that a snapshot lacks read as those of a run about which nothing is known yet. */
export function viewOf(snapshot: ProcessSnapshot): ProgressView {
  return {
    run_id: snapshot.run_id,
    thread_id: snapshot.thread_id,
    status: snapshot.status,
    current_nodes: listOf<CurrentNode>(snapshot['current_nodes']),
    completed_nodes: listOf<string>(snapshot['completed_nodes']),
    waiting_for: recordOf(snapshot['waiting_for']),
    error: recordOf(snapshot['error']),
    last_seq: snapshot.last_seq,
  };
}

/** The view after an event; the same view when the event was seen before or belongs to another run. */
export function applyEvent(view: ProgressView, event: ProcessEvent): ProgressView {
  if (event.run_id !== view.run_id || event.seq <= view.last_seq) return view;
  return { ...view, ...changes(view, event), last_seq: event.seq };
}

function changes(view: ProgressView, { type, payload }: ProcessEvent): Partial<ProgressView> {
  switch (type) {
    case 'run.started':
      return { status: 'running' };
    case 'run.resumed':
      return { status: 'running', waiting_for: null };
    case 'run.paused':
      return { status: 'paused', current_nodes: [], waiting_for: payload };
    case 'run.completed':
      return { status: 'success', current_nodes: [], waiting_for: null };
    case 'run.failed':
      return {
        status: payload['status'] === 'timeout' ? 'timeout' : 'error',
        current_nodes: [],
        waiting_for: null,
        error: payload,
      };
    case 'run.cancelled':
      // A paused run that a new one on its thread displaced counts as the success it was to Platform clients.
      return {
        status: payload['reason'] === 'superseded' ? 'success' : 'interrupted',
        current_nodes: [],
        waiting_for: null,
      };
    case 'node.started':
      return { current_nodes: [...without(view, payload), nodeOf(payload)] };
    case 'node.progress':
      return { current_nodes: changed(view, payload, { report: payload['report'] }) };
    case 'node.retrying':
      return { current_nodes: changed(view, payload, { state: 'retrying' }) };
    case 'node.failed':
      return { current_nodes: without(view, payload) };
    case 'node.completed':
      return {
        current_nodes: without(view, payload),
        completed_nodes: withName(view.completed_nodes, payload['node']),
      };
    case 'heartbeat':
      return {};
  }
}

type Payload = ProcessEvent['payload'];

const nodeOf = (payload: Payload): CurrentNode => ({
  task_id: String(payload['task_id']),
  node: String(payload['node']),
  state: 'running',
  attempt: Number(payload['attempt'] ?? 1),
});

const without = ({ current_nodes }: ProgressView, payload: Payload): readonly CurrentNode[] =>
  current_nodes.filter((node) => !isMeant(node, payload));

const changed = (
  { current_nodes }: ProgressView,
  payload: Payload,
  change: Partial<CurrentNode>,
): readonly CurrentNode[] => current_nodes.map((node) => (isMeant(node, payload) ? { ...node, ...change } : node));

/** By task where the event names one, else every task of the node. */
const isMeant = (node: CurrentNode, payload: Payload): boolean =>
  payload['task_id'] === undefined ? node.node === payload['node'] : node.task_id === payload['task_id'];

const withName = (names: readonly string[], name: unknown): readonly string[] =>
  typeof name !== 'string' || names.includes(name) ? names : [...names, name];

const listOf = <Item>(value: unknown): readonly Item[] => (Array.isArray(value) ? (value as Item[]) : []);

const recordOf = (value: unknown): Payload | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
