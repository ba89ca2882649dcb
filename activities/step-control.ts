// Why a superstep is to stop at the next boundary of a graph within it: the graph asked for it, which ends the run, or the
// worker is told to stop, which ends this attempt only.
import { RunControl } from '../graph-core/index.js';

const WORKER_STOPS = 'The worker is shutting down.';

export class StepControl extends RunControl {
  readonly #stopping: AbortSignal | undefined;

  /** @param stopping aborted when the worker is told to stop */
  constructor(stopping?: AbortSignal) {
    super();
    this.#stopping = stopping;
  }

  get askedByGraph(): boolean {
    return super.drainRequested;
  }

  override get drainRequested(): boolean {
    return this.askedByGraph || this.#stopping?.aborted === true;
  }

  override get drainReason(): string | undefined {
    return super.drainReason ?? (this.#stopping?.aborted ? WORKER_STOPS : undefined);
  }
}
