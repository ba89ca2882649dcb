// The checkpoint saver as one run's graph and its subgraphs see it.
import { BaseCheckpointSaver, type Checkpoint, type CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Run } from '../storage/records.js';
import { fromStorage } from './failures.js';

type Parameters_<Method extends keyof BaseCheckpointSaver> = BaseCheckpointSaver[Method] extends (
  ...args: infer Args
) => unknown
  ? Args
  : never;

/** What every checkpoint says of its run: a roll-back finds a run's checkpoints by it, in all namespaces. */
export const runMetadata = (run: Run): Record<string, unknown> => ({
  ...run.metadata,
  run_id: run.runId,
  thread_id: run.threadId,
  graph_id: run.graphId,
  assistant_id: run.assistantId,
});

/**
 * Marks checkpoints with their run, and storage's own failures as such: a node must not be blamed for them. What is saved
 * here is not made again by a later attempt, so what readers are to see of its making is logged first (`beforeSave`).
 */
export class RunSaver extends BaseCheckpointSaver {
  readonly #saver: BaseCheckpointSaver;
  readonly #metadata: Record<string, unknown>;
  readonly #beforeSave: () => Promise<void>;

  constructor(saver: BaseCheckpointSaver, run: Run, beforeSave: () => Promise<void>) {
    super(saver.serde);
    this.#saver = saver;
    this.#metadata = runMetadata(run);
    this.#beforeSave = beforeSave;
  }

  getTuple(config: RunnableConfig) {
    return fromStorage(() => this.#saver.getTuple(config));
  }

  list(...args: Parameters_<'list'>) {
    return this.#saver.list(...args);
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    versions: Parameters_<'put'>[3],
  ) {
    await this.#beforeSave();
    return fromStorage(() => this.#saver.put(config, checkpoint, { ...this.#metadata, ...metadata }, versions));
  }

  async putWrites(...args: Parameters_<'putWrites'>) {
    await this.#beforeSave();
    return fromStorage(() => this.#saver.putWrites(...args));
  }

  deleteThread(threadId: string) {
    return fromStorage(() => this.#saver.deleteThread(threadId));
  }

  override getNextVersion(current: Parameters_<'getNextVersion'>[0]) {
    return this.#saver.getNextVersion(current);
  }
}
