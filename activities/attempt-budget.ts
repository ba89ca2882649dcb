// How many attempts of a superstep may be lost. Temporal retries without limit and cannot tell a worker that died from
// one that was told to stop, so attempts are counted in the run's row:
//   B1. The first attempt is open without a write; attempt k ≥ 2 notes `opened k` before it does anything.
//   B2. An attempt that ends by an exception of ours (a node's retry, storage away, a shutdown) notes `closed k`.
//       From then on no earlier attempt can commit: readers follow this one's events.
//   B3. Open and not closed is lost. A loss too many ends the run, with a message that names the nodes.
import type { ClosedAttempt } from '../storage/attempts.js';
import type { AttemptLedger, Run } from '../storage/records.js';
import type { Runs } from '../storage/runs.js';
import { Overtaken, WorkerLostError } from './failures.js';

export interface AttemptAt {
  readonly step: number;
  readonly attempt: number;
}

/** Closings that could not be written because storage was away; kept for the next attempt, if it comes to this process. */
const MAX_UNWRITTEN = 1_000;

export class AttemptBudget {
  readonly #runs: Pick<Runs, 'openAttempt' | 'closeAttempt'>;
  readonly #stepAttempts: number;
  readonly #unwritten = new Map<string, readonly ClosedAttempt[]>();

  constructor(runs: Pick<Runs, 'openAttempt' | 'closeAttempt'>, stepAttempts: number) {
    this.#runs = runs;
    this.#stepAttempts = stepAttempts;
  }

  /**
   * @param nodes of the superstep, for the message
   * @returns what is known of the attempts before this one
   * @throws WorkerLostError, and Overtaken when an attempt that was given up for dead has just committed the superstep
   */
  async open(run: Run, at: AttemptAt, nodes: readonly string[]): Promise<AttemptLedger | undefined> {
    if (at.attempt === 1) return ofStep(run.attempts, at.step);
    for (const closed of this.#unwritten.get(run.runId) ?? []) await this.#runs.closeAttempt(run.runId, closed);
    this.#unwritten.delete(run.runId);
    const ledger = await this.#runs.openAttempt(run.runId, at);
    if (ledger === null) throw new Overtaken();
    const lost = lostBefore(at.attempt, ledger);
    if (lost >= this.#stepAttempts) throw new WorkerLostError(lost, nodes);
    return ledger;
  }

  /** Never rejects: it is called on the way out of an attempt that has failed already. */
  async close(runId: string, at: ClosedAttempt): Promise<void> {
    try {
      await this.#runs.closeAttempt(runId, at);
    } catch {
      if (this.#unwritten.size < MAX_UNWRITTEN) {
        this.#unwritten.set(runId, [...(this.#unwritten.get(runId) ?? []), at]);
      }
    }
  }
}

const ofStep = (ledger: AttemptLedger | null, step: number): AttemptLedger | undefined =>
  ledger?.step === step ? ledger : undefined;

/** Attempts before this one that began and of whose end nothing is known. */
export function lostBefore(attempt: number, ledger: Pick<AttemptLedger, 'opened' | 'closed'> | undefined): number {
  const opened = new Set([1, ...(ledger?.opened ?? [])]);
  const closed = new Set(ledger?.closed ?? []);
  return [...opened].filter((k) => k < attempt && !closed.has(k)).length;
}
