// The last checkpoint of each thread and namespace, kept by whoever wrote it.
import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';

export interface CheckpointCacheOptions {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export class CheckpointCache {
  constructor(saver: BaseCheckpointSaver, options: CheckpointCacheOptions) {
    void saver;
    void options;
  }

  /**
   * The checkpoint that `config` names by thread_id, checkpoint_ns and checkpoint_id, from memory if it is there.
   * `pendingWrites: 'none'`: the caller knows that there are none. `read`: they are read from the database.
   * Without a checkpoint_id: the latest one, from the database.
   */
  async get(
    config: RunnableConfig,
    options: { readonly pendingWrites: 'none' | 'read' },
  ): Promise<CheckpointTuple | undefined> {
    void config;
    void options;
    throw new Error('not built');
  }

  /** Call it after the commit. `bytes`: about how much memory the values hold; not remembered above the cache's bound. */
  remember(tuple: CheckpointTuple, bytes: number): void {
    void tuple;
    void bytes;
  }

  forget(threadId: string): void {
    void threadId;
  }
}
