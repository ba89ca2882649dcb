// A run's progress from its whole log: what `GET /api/runs/{id}` adds to the run's row. A client that goes on from
// `last_seq` with the events (client/progress.ts) arrives where this would; a test compares the two.
import { isFrameEntry, type Entry, type ProgressEntry } from '../entry.js';

interface ProgressNode {
  readonly task_id: string;
  readonly node: string;
  readonly state: 'running' | 'retrying';
  readonly attempt: number;
  readonly report?: unknown;
}

export interface ProgressSnapshot {
  readonly current_nodes: readonly ProgressNode[];
  /** Names, each once, in the order of their first completion. */
  readonly completed_nodes: readonly string[];
  /** The payload of the `run.paused` that has not been answered. */
  readonly waiting_for: Readonly<Record<string, unknown>> | null;
  /** The payload of `run.failed`. */
  readonly error: Readonly<Record<string, unknown>> | null;
  /** The last entry that is included. */
  readonly last_seq: number;
}

export function progressSnapshot(entries: Iterable<Entry>): ProgressSnapshot {
  const fold = new ProgressFold();
  for (const entry of entries) fold.add(entry);
  return fold.snapshot();
}

class ProgressFold {
  /** By task id, in the order they started. */
  readonly #current = new Map<string, ProgressNode>();
  readonly #completed = new Set<string>();
  #waitingFor: ProgressSnapshot['waiting_for'] = null;
  #error: ProgressSnapshot['error'] = null;
  #lastSeq = -1;

  add(entry: Entry): void {
    this.#lastSeq = entry.seq;
    if (!isFrameEntry(entry)) this.#apply(entry);
  }

  snapshot(): ProgressSnapshot {
    return {
      current_nodes: [...this.#current.values()],
      completed_nodes: [...this.#completed],
      waiting_for: this.#waitingFor,
      error: this.#error,
      last_seq: this.#lastSeq,
    };
  }

  #apply({ event, json }: ProgressEntry): void {
    const payload = JSON.parse(json ?? '{}') as Record<string, unknown>;
    const taskId = payload['task_id'] as string | undefined;
    switch (event) {
      case 'node.started': {
        const { node, attempt } = payload as unknown as ProgressNode;
        this.#current.delete(String(taskId));
        this.#current.set(String(taskId), { task_id: String(taskId), node, state: 'running', attempt });
        break;
      }
      case 'node.progress':
        this.#change(payload, { report: payload['report'] });
        break;
      case 'node.retrying':
        this.#change(payload, { state: 'retrying' });
        break;
      case 'node.completed':
        this.#completed.add(payload['node'] as string);
        this.#remove(payload);
        break;
      case 'node.failed':
        this.#remove(payload);
        break;
      case 'run.started':
        break;
      case 'run.resumed':
        this.#waitingFor = null;
        break;
      case 'run.paused':
      case 'run.completed':
      case 'run.failed':
      case 'run.cancelled':
        this.#current.clear();
        this.#waitingFor = event === 'run.paused' ? payload : null;
        if (event === 'run.failed') this.#error = payload;
        break;
    }
  }

  #change(payload: Readonly<Record<string, unknown>>, change: Partial<ProgressNode>): void {
    for (const node of this.#meant(payload)) this.#current.set(node.task_id, { ...node, ...change });
  }

  #remove(payload: Readonly<Record<string, unknown>>): void {
    for (const node of this.#meant(payload)) this.#current.delete(node.task_id);
  }

  /** The task where the payload names one, else every task of the node. */
  #meant({ task_id, node }: Readonly<Record<string, unknown>>): readonly ProgressNode[] {
    const all = [...this.#current.values()];
    return all.filter((each) => (task_id === undefined ? each.node === node : each.task_id === task_id));
  }
}
