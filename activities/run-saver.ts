// The checkpoint saver as one run's graph and its subgraphs see it.
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Run } from '../storage/records.js';
import type { StepAttempt } from '../storage/statements.js';
import type { Steps } from '../storage/steps.js';
import { fromStorage, Overtaken } from './failures.js';

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

interface RunSaverOptions {
  readonly saver: BaseCheckpointSaver;
  readonly steps: Pick<Steps, 'saveAhead'>;
  readonly run: Run;
  readonly at: Omit<StepAttempt, 'runId'>;
  readonly beforeSave: () => Promise<void>;
  /** The thread's latest checkpoint, asked for beforehand: whoever asks for it first gets it. */
  readonly latest?: Promise<CheckpointTuple | undefined> | undefined;
}

/**
 * Marks checkpoints with their run, and storage's own failures as such: a node must not be blamed for them. What is saved
 * here is not made again by a later attempt, so what readers are to see of its making is kept first (`beforeSave`); and
 * an attempt that a later one has overtaken, or whose run has ended, saves nothing any more.
 */
export class RunSaver extends BaseCheckpointSaver {
  readonly #options: RunSaverOptions;
  readonly #metadata: Record<string, unknown>;
  #latest: RunSaverOptions['latest'];

  constructor(options: RunSaverOptions) {
    super(options.saver.serde);
    this.#options = options;
    this.#metadata = runMetadata(options.run);
    this.#latest = options.latest;
  }

  getTuple(config: RunnableConfig) {
    const latest = this.#latest;
    this.#latest = undefined;
    return fromStorage(() =>
      latest && asksForLatest(config, this.#options.run) ? latest : this.#options.saver.getTuple(config),
    );
  }

  override getDeltaChannelHistory(...args: Parameters_<'getDeltaChannelHistory'>) {
    return fromStorage(() => this.#options.saver.getDeltaChannelHistory(...args));
  }

  list(...args: Parameters_<'list'>) {
    return this.#options.saver.list(...args);
  }

  put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, versions: Parameters_<'put'>[3]) {
    const marked = { ...this.#metadata, ...metadata };
    return this.#save((saver) => saver.put(config, checkpoint, marked, versions));
  }

  putWrites(...args: Parameters_<'putWrites'>) {
    return this.#save((saver) => saver.putWrites(...args));
  }

  deleteThread(threadId: string) {
    return fromStorage(() => this.#options.saver.deleteThread(threadId));
  }

  override getNextVersion(current: Parameters_<'getNextVersion'>[0]) {
    return this.#options.saver.getNextVersion(current);
  }

  /** @throws Overtaken */
  async #save<T>(save: (saver: Pick<BaseCheckpointSaver, 'put' | 'putWrites'>) => Promise<T>): Promise<T> {
    const { steps, run, at, beforeSave } = this.#options;
    await beforeSave();
    const saved = await fromStorage(() => steps.saveAhead({ ...at, runId: run.runId }, save));
    if (saved.kind === 'stale') throw new Overtaken();
    return saved.value;
  }
}

function asksForLatest({ configurable }: RunnableConfig, { threadId }: Run): boolean {
  const { thread_id, checkpoint_ns = '', checkpoint_id } = (configurable ?? {}) as Record<string, unknown>;
  return thread_id === threadId && checkpoint_ns === '' && !checkpoint_id;
}
