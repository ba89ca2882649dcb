// The fast half of a cancel where server and worker share a process: an AbortSignal for each running superstep. The
// cancel signal to the workflow stays the truth; this saves the wait for the next heartbeat (15 ms against up to 900).

export class RunAborts {
  readonly #controllers = new Map<string, AbortController>();

  /** For the superstep activity; call `release` when it ends. */
  register(runId: string): { readonly signal: AbortSignal; release(): void } {
    const controller = new AbortController();
    this.#controllers.set(runId, controller);
    return {
      signal: controller.signal,
      release: () => {
        if (this.#controllers.get(runId) === controller) this.#controllers.delete(runId);
      },
    };
  }

  /** Aborts the run's superstep if it runs in this process. */
  abort(runId: string): void {
    this.#controllers.get(runId)?.abort(new Error(`Run ${runId} was cancelled.`));
  }
}
