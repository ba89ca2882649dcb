// Results of tasks on their way to readers: each is seen once, however often its superstep is attempted.
//   T1. A result, and what was numbered after it, is shown to nobody before it is kept: in the journal, or by the commit.
//   T2. What is kept is known to a later attempt: under the numbers it has, so that whoever saw it drops it.
import type { Batch } from '../events/batch.js';
import type { ToldTasks } from '../storage/records.js';

/** What an attempt has told, to be kept. */
export interface Told {
  /** Ids of tasks whose start and end is told in it. */
  readonly tasks: ToldTasks;
  /** Sequence number of the last entry. */
  readonly upTo: number;
  /** What of it is not known to be in the log. */
  readonly batches: readonly Batch[];
}

export interface ToldJournalPorts {
  /** @throws when it cannot be kept now, or the attempt was overtaken */
  write(told: Told): Promise<void>;
  /** Sequence number of the last entry so far, and what is told up to it. */
  soFar(): Pick<Told, 'upTo' | 'tasks'>;
  /** Entries after `after` that are not known to be in the log; as they are when it is called. */
  unlogged(after: number): Promise<readonly Batch[]>;
  /** Something may be shown now. */
  onKept(): void;
}

export class ToldJournal {
  readonly #ports: ToldJournalPorts;
  /** Sequence numbers of results that are not kept, in order. */
  #held: number[] = [];
  #kept = -1;
  #writing: Promise<void> | undefined;
  #state: 'journal' | 'commit' = 'journal';
  #written = false;

  constructor(ports: ToldJournalPorts) {
    this.#ports = ports;
  }

  /** Whether anything is in the journal, as far as this attempt has to do with it. */
  get written(): boolean {
    return this.#written;
  }

  /** Sequence number of the first entry that may not be shown yet. */
  get firstHeld(): number | undefined {
    return this.#held[0];
  }

  /** An entry that tells a task's result. */
  hold(seq: number): void {
    this.#held.push(seq);
    if (this.#state === 'journal') this.keep(seq).catch(() => undefined); // Tried again with the next, or by the commit.
  }

  /** Results from here on are kept by the superstep's commit, which follows. */
  leaveToCommit(): void {
    this.#state = 'commit';
  }

  /** Until everything up to `seq` is kept. */
  async keep(seq: number): Promise<void> {
    while (this.#kept < seq) await (this.#writing ??= this.#write().finally(() => (this.#writing = undefined)));
  }

  /** When all that is held may be shown; `commit`: not before that. */
  get ready(): 'now' | 'commit' | Promise<void> {
    const last = this.#held.at(-1);
    if (last === undefined) return 'now';
    return this.#state === 'commit' ? 'commit' : this.keep(last);
  }

  async #write(): Promise<void> {
    await Promise.resolve(); // A task's end is told in several entries, all of them in one go.
    const { upTo, tasks } = this.#ports.soFar();
    const batches = await this.#ports.unlogged(this.#kept);
    this.#written = true;
    await this.#ports.write({ upTo, tasks, batches });
    this.#kept = upTo;
    this.#held = this.#held.filter((seq) => seq > upTo);
    this.#ports.onKept();
  }
}
