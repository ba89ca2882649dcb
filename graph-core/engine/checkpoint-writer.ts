// Saves what an in-process run produces, as its durability asks for. Puts go one after the other; a failed one fails
// the run when it next waits for its saving, or at its end.
import type { BaseCheckpointSaver, PendingWrite } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { NULL_TASK_ID, RESUME } from '../constants.js';
import type { CheckpointCommit } from './superstep-contract.js';
import type { Durability } from './task-context.js';

interface TaskWrites {
  readonly config: RunnableConfig;
  readonly writes: readonly PendingWrite[];
  readonly taskId: string;
  readonly taskPath: string;
}

export class CheckpointWriter {
  private lastPut: Promise<unknown> = Promise.resolve();
  private readonly saving = new Set<Promise<unknown>>();
  private failure: { readonly error: unknown } | undefined;
  /** `exit`: what is saved when the run ends. */
  private atExit: { readonly commit: CheckpointCommit; readonly parentConfig: RunnableConfig } | undefined;
  private writesAtExit: TaskWrites[] = [];
  /** The run has ended. An aborted task that goes on all the same saves nothing any more. */
  private closed = false;

  constructor(
    private readonly saver: BaseCheckpointSaver | undefined,
    readonly durability: Durability,
  ) {}

  put(commit: CheckpointCommit): void {
    const { saver } = this;
    if (saver === undefined) return;
    if (this.durability === 'exit') {
      // The checkpoints in between are never there, so its parent is the one the run began with.
      this.atExit = { commit, parentConfig: this.atExit?.parentConfig ?? commit.parentConfig };
      this.writesAtExit = [];
      return;
    }
    this.putNext(saver, commit, commit.parentConfig);
  }

  putWrites(config: RunnableConfig, writes: readonly PendingWrite[], taskId: string, taskPath: string): void {
    const { saver } = this;
    if (saver === undefined || this.closed) return;
    if (this.durability === 'exit') this.writesAtExit.push({ config, writes, taskId, taskPath });
    else this.track(saver.putWrites(config, [...writes], taskId, taskPath));
  }

  /** @throws the first error of a save. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.saving]);
    if (this.failure) throw this.failure.error;
  }

  /** @param save whether `exit` saves now; a nested graph that ended well leaves nothing behind. */
  async close(save: boolean): Promise<void> {
    const { saver, atExit } = this;
    this.closed = true;
    if (saver !== undefined && save) {
      if (atExit) this.putNext(saver, atExit.commit, atExit.parentConfig);
      for (const { config, writes, taskId, taskPath } of withoutTakenAnswer(this.writesAtExit)) {
        this.track(saver.putWrites(config, [...writes], taskId, taskPath));
      }
    }
    await this.settled();
  }

  private putNext(saver: BaseCheckpointSaver, commit: CheckpointCommit, parentConfig: RunnableConfig): void {
    const { checkpoint, metadata, newVersions } = commit;
    // Delta channels are replayed from writes: without them the checkpoint would be another.
    const before = 'delta_writes_versioned' in metadata ? [...this.saving] : [];
    this.lastPut = Promise.all([this.lastPut, ...before]).then(() =>
      saver.put(parentConfig, checkpoint, metadata, newVersions),
    );
    this.track(this.lastPut);
  }

  private track(save: Promise<unknown>): void {
    this.saving.add(save);
    save.then(
      () => this.saving.delete(save),
      (error: unknown) => {
        this.failure ??= { error };
      },
    );
  }
}

/** An answer to whoever asks, once a task has taken it, is among that task's writes and answers nobody else later. */
function withoutTakenAnswer(all: readonly TaskWrites[]): readonly TaskWrites[] {
  const isAnswer = ([channel]: PendingWrite): boolean => channel === RESUME;
  if (!all.some(({ taskId, writes }) => taskId !== NULL_TASK_ID && writes.some(isAnswer))) return all;
  return all
    .map((one) =>
      one.taskId === NULL_TASK_ID ? { ...one, writes: one.writes.filter((write) => !isAnswer(write)) } : one,
    )
    .filter(({ writes }) => writes.length > 0);
}
