// Lets nodes that run side by side end in an order that does not depend on time: when all that can move has come to
// rest, one of those that wait goes on.

/** Rounds of the event loop without an arrival after which nothing moves any more. */
const ROUNDS_OF_REST = 5;
/** Longer than LangGraph takes to see that a node with retries is not to be called again, ms: its intervals are 1 and 2. */
const LINGERS_MS = 4;

interface Waiting {
  readonly where: string;
  readonly go: () => void;
  readonly stop: () => void;
}

export class Turns {
  private readonly waiting = new Set<Waiting>();
  /** Tasks that will move by themselves: nobody goes on before. No clock says how long that takes: a process may be slow. */
  private readonly moving = new Set<string>();
  private arrivals = 0;
  private running = false;
  private ended = false;

  /** @param order Which of those waiting goes on, by its place among them. */
  constructor(private readonly order: readonly number[]) {}

  /**
   * Resolves when it is the caller's turn; rejects as soon as it is told to stop.
   * @param where Nodes on the way from the outermost graph to it: a graph may run in several nodes at once.
   */
  async wait(task: string, where: string, signal: AbortSignal | undefined): Promise<void> {
    this.arrivals += 1;
    this.moving.delete(task);
    if (signal?.aborted || this.ended) throw stopped();
    await new Promise<void>((resolve, reject) => {
      const stop = leave(() => reject(stopped()));
      const entry: Waiting = { where, go: leave(resolve), stop };
      const waiting = this.waiting;
      function leave(then: () => void): () => void {
        return () => {
          waiting.delete(entry);
          signal?.removeEventListener('abort', stop);
          then();
        };
      }
      signal?.addEventListener('abort', stop);
      waiting.add(entry);
      if (!this.running) void this.run();
    });
  }

  /** It failed and will be called again, unless a sibling's failure stops it meanwhile. */
  comesBack(task: string, signal: AbortSignal | undefined): void {
    if (signal?.aborted) return this.lingers(task);
    this.moving.add(task);
    signal?.addEventListener('abort', () => this.moving.has(task) && this.lingers(task), { once: true });
  }

  /** It was told to stop, and its superstep waits for its retry, for which a timer is set in this turn of the event loop. */
  lingers(task: string): void {
    this.moving.add(task);
    setImmediate(() => setTimeout(() => this.moving.delete(task), LINGERS_MS));
  }

  /** After a run: whoever is left of it stops. LangGraph lets the graphs within go on when the run has failed. */
  async end(): Promise<void> {
    this.ended = true;
    this.moving.clear();
    for (const { stop } of [...this.waiting]) stop();
    await this.rest();
    this.ended = false;
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.size > 0) {
      await this.rest();
      const inOrder = [...this.waiting].sort((a, b) => (a.where < b.where ? -1 : a.where > b.where ? 1 : 0));
      // All may have been told to stop meanwhile.
      if (inOrder.length === 0) continue;
      // By who waits, not by how often somebody did: a stopped sibling may or may not have come to wait.
      const letters = inOrder.reduce((sum, { where }) => sum + where.length, 0);
      const place = (this.order[letters % this.order.length] ?? 0) % inOrder.length;
      inOrder[place]?.go();
    }
    this.running = false;
  }

  private async rest(): Promise<void> {
    for (let rounds = 0, seen = -1; rounds < ROUNDS_OF_REST; rounds += 1) {
      if (seen !== this.arrivals || this.moving.size > 0) rounds = 0;
      seen = this.arrivals;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** As LangGraph puts it for a node that a signal stops. */
const stopped = (): Error => new Error('Aborted');
