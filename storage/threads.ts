// Threads: who owns state, and what clients read of it without opening a checkpoint.
import type { Database } from './database.js';
import type { Json, JsonObject, Thread, ThreadStatus } from './records.js';

export interface NewThread {
  readonly threadId: string;
  readonly metadata: JsonObject;
  readonly ifExists: 'raise' | 'do_nothing';
}
export type ThreadCreated =
  { readonly kind: 'created' | 'existing'; readonly thread: Thread } | { readonly kind: 'conflict' };

export interface ThreadFilter {
  /** Containment, as jsonb's `@>`. */
  readonly metadata?: JsonObject;
  /** Containment; a thread that has no values yet matches nothing but `{}`. */
  readonly values?: JsonObject;
  readonly status?: ThreadStatus;
  readonly ids?: readonly string[];
}
export interface ThreadSearch extends ThreadFilter {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: 'thread_id' | 'status' | 'created_at' | 'updated_at';
  readonly sortOrder: 'asc' | 'desc';
}

export class Threads {
  constructor(db: Database) {
    void db;
  }
  async create(thread: NewThread): Promise<ThreadCreated> {
    void thread;
    throw new Error('not built');
  }
  async get(threadId: string): Promise<Thread | null> {
    void threadId;
    throw new Error('not built');
  }
  /** Shallow merge. Null: no such thread. */
  async patchMetadata(threadId: string, metadata: JsonObject): Promise<Thread | null> {
    void [threadId, metadata];
    throw new Error('not built');
  }
  /** With its runs, their blobs, and its checkpoints. False: no such thread. */
  async delete(threadId: string): Promise<boolean> {
    void threadId;
    throw new Error('not built');
  }
  async search(search: ThreadSearch): Promise<Thread[]> {
    void search;
    throw new Error('not built');
  }
  async count(filter: ThreadFilter): Promise<number> {
    void filter;
    throw new Error('not built');
  }
  /** After a state edit. The status stays. */
  async updateValues(threadId: string, values: Json): Promise<void> {
    void [threadId, values];
    throw new Error('not built');
  }
}
