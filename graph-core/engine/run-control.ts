/**
 * Asks a run to stop at its next superstep boundary: on SIGTERM, say. Work that runs is not cancelled. For one run: a
 * control that was asked stays so.
 */
export class RunControl {
  #reason: string | undefined;

  /** @param reason Told by the `GraphDrained` error that ends the run. */
  requestDrain(reason = 'shutdown'): void {
    this.#reason = reason;
  }

  get drainRequested(): boolean {
    return this.#reason !== undefined;
  }

  get drainReason(): string | undefined {
    return this.#reason;
  }
}
