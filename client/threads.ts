import type { Transport } from './transport.js';
import type { Checkpoint, Metadata, Thread, ThreadState, ThreadStatus } from './wire.js';

export interface ThreadSearch {
  readonly metadata?: Metadata;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly status?: ThreadStatus;
  readonly limit?: number;
  readonly offset?: number;
  readonly sortBy?: 'thread_id' | 'status' | 'created_at' | 'updated_at';
  readonly sortOrder?: 'asc' | 'desc';
}

export interface HistoryQuery {
  readonly limit?: number;
  /** A checkpoint id: only what is older. */
  readonly before?: string;
  readonly metadata?: Metadata;
  readonly checkpoint?: Partial<Checkpoint>;
}

export interface StateUpdate {
  readonly values: unknown;
  /** As if this node had returned them. */
  readonly asNode?: string;
  readonly checkpoint?: Partial<Checkpoint>;
  readonly checkpointId?: string;
}

export class ThreadsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(
    options: {
      readonly threadId?: string;
      readonly metadata?: Metadata;
      readonly ifExists?: 'raise' | 'do_nothing';
    } = {},
  ): Promise<Thread> {
    const { threadId, metadata, ifExists } = options;
    return this.#transport.json('POST', '/threads', { json: { thread_id: threadId, metadata, if_exists: ifExists } });
  }

  /** @throws HttpError 404 */
  get<Values = unknown>(threadId: string): Promise<Thread<Values>> {
    return this.#transport.json('GET', threadPath(threadId));
  }

  search(query: ThreadSearch = {}): Promise<readonly Thread[]> {
    const { sortBy, sortOrder, ...rest } = query;
    return this.#transport.json('POST', '/threads/search', {
      json: { ...rest, sort_by: sortBy, sort_order: sortOrder },
    });
  }

  /** The thread's latest state, or the state at a checkpoint. */
  getState<Values = unknown>(
    threadId: string,
    options: { readonly checkpoint?: Partial<Checkpoint>; readonly subgraphs?: boolean } = {},
  ): Promise<ThreadState<Values>> {
    const { checkpoint, subgraphs } = options;
    if (checkpoint === undefined) {
      return this.#transport.json('GET', `${threadPath(threadId)}/state`, { query: { subgraphs } });
    }
    return this.#transport.json('POST', `${threadPath(threadId)}/state/checkpoint`, {
      json: { checkpoint, subgraphs },
    });
  }

  /** States of the thread, newest first. */
  getHistory<Values = unknown>(threadId: string, query: HistoryQuery = {}): Promise<readonly ThreadState<Values>[]> {
    return this.#transport.json('POST', `${threadPath(threadId)}/history`, { json: query });
  }

  /** @throws HttpError 409 while a run is under way. */
  updateState(threadId: string, update: StateUpdate): Promise<{ readonly checkpoint: Checkpoint }> {
    const { values, asNode, checkpoint, checkpointId } = update;
    const json = { values, as_node: asNode, checkpoint, checkpoint_id: checkpointId };
    return this.#transport.json('POST', `${threadPath(threadId)}/state`, { json });
  }

  /** Metadata is merged into what is there. */
  update(threadId: string, changes: { readonly metadata: Metadata }): Promise<Thread> {
    return this.#transport.json('PATCH', threadPath(threadId), { json: changes });
  }

  /** With its runs and checkpoints. */
  async delete(threadId: string): Promise<void> {
    await this.#transport.request('DELETE', threadPath(threadId));
  }
}

const threadPath = (threadId: string): string => `/threads/${encodeURIComponent(threadId)}`;
