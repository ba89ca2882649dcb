// Writes of finished tasks on their way to Postgres, while the superstep still runs.
//   W1. With siblings, a finished task's writes are saved at once: a retry runs only the others.
//   W2. On its own, a task's writes wait for the checkpoint, which follows in the same transaction as the run's row.
//   W3. A question is saved with the pause, in one transaction: nobody can answer it before it is public.
//   W4. After a superstep's time is over its tasks leave nothing behind, not even how they took their abort.
import type { BaseCheckpointSaver, PendingWrite } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  INTERRUPT,
  type Interrupt,
  type RunState,
  type SavedWritesInfo,
  type SuperstepPorts,
} from '../graph-core/index.js';
import type { StepCommit } from '../storage/records.js';
import { checkStorable } from './state-limits.js';

type SaveWrites = SuperstepPorts['saveWrites'];

interface WaitingWrites extends Pick<SavedWritesInfo, 'kind' | 'taskPath'> {
  readonly taskId: string;
  readonly writes: readonly PendingWrite[];
}

export class TaskWrites {
  readonly #saver: Pick<BaseCheckpointSaver, 'putWrites'>;
  #config: RunnableConfig | undefined;
  readonly #nodeOf: (taskId: string) => string;
  readonly #onAlone: () => void;
  readonly #asked: WaitingWrites[] = [];
  /** Of tasks on their own. */
  readonly #finished: WaitingWrites[] = [];

  #closed = false;

  /** @param onAlone a task on its own has finished */
  constructor(
    saver: Pick<BaseCheckpointSaver, 'putWrites'>,
    nodeOf: (taskId: string) => string,
    onAlone: () => void = () => undefined,
  ) {
    this.#onAlone = onAlone;
    this.#saver = saver;
    this.#nodeOf = nodeOf;
  }

  /** The checkpoint that the superstep starts from, and its writes belong to. */
  startFrom({ saved }: RunState): void {
    this.#config = saved.config;
  }

  close(): void {
    this.#closed = true;
  }

  readonly save: SaveWrites = async (taskId, writes, { siblings, kind, taskPath, finished }) => {
    if (this.#closed) return;
    const questions = questionsIn(writes);
    for (const { value } of questions) checkStorable(this.#nodeOf(taskId), INTERRUPT, value);
    if (questions.length > 0) this.#asked.push({ taskId, taskPath, kind, writes });
    else if (!finished || siblings > 1) await this.#saver.putWrites(this.#base, [...writes], taskId, taskPath);
    else {
      this.#finished.push({ taskId, taskPath, kind, writes });
      this.#onAlone();
    }
  };

  /** For the transaction that ends the superstep. */
  get toCommit(): StepCommit['pendingWrites'] {
    const waiting = [...this.#finished, ...this.#asked];
    return waiting.map(({ taskId, taskPath, writes }) => ({ config: this.#base, taskId, taskPath, writes }));
  }

  get #base(): RunnableConfig {
    if (this.#config === undefined)
      throw new Error('A task finished before its superstep had a checkpoint to start from.');
    return this.#config;
  }

  /** The questions of this superstep, by task; what a call asks, its caller asks too. */
  get questions(): ReadonlyMap<string, readonly Interrupt[]> {
    const planned = this.#asked.filter(({ kind }) => kind === 'planned');
    return new Map(
      (planned.length > 0 ? planned : this.#asked).map(({ taskId, writes }) => [taskId, questionsIn(writes)]),
    );
  }
}

const questionsIn = (writes: readonly PendingWrite[]): readonly Interrupt[] =>
  writes.filter(([channel]) => channel === INTERRUPT).flatMap(([, value]) => value as readonly Interrupt[]);
