// Stopping the present run: the wish, and the cancellation of whatever runs for it.
import { CancellationScope } from '@temporalio/workflow';
import type { CancelAction } from './messages.js';
import type { Ending } from './run-ending.js';

export class StopRequest {
  #action: CancelAction | undefined;
  #scope: CancellationScope | undefined;

  get action(): CancelAction | undefined {
    return this.#action;
  }

  /** A rollback takes precedence over an interrupt, whichever comes first. */
  request(action: CancelAction): void {
    if (this.#action !== 'rollback') this.#action = action;
    this.#scope?.cancel();
  }

  /** Runs `work` so that a request cancels it. */
  async cancellable<T>(work: () => Promise<T>): Promise<T> {
    const scope = new CancellationScope({ cancellable: true });
    this.#scope = scope;
    try {
      return await scope.run(work);
    } finally {
      this.#scope = undefined;
    }
  }

  /** How a stopped run ends. A failure that came with the stop is not the reason, but may know where writing stopped. */
  ending(failed?: Ending): Ending {
    const kind = this.#action === 'rollback' ? 'rolled_back' : 'interrupted';
    return { outcome: { kind }, stoppedAt: failed?.stoppedAt ?? 'end of log' };
  }
}
