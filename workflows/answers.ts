// Answers to the run's pauses, from their arrival until the workflow waits for them.
import type { ResumeSignal } from './messages.js';

export class Answers {
  #unread: readonly ResumeSignal[];

  constructor(carried: readonly ResumeSignal[] = []) {
    this.#unread = carried;
  }

  /** Not acted upon yet; carried over continue-as-new. */
  get unread(): readonly ResumeSignal[] {
    return this.#unread;
  }

  /**
   * @param waitsAt the pause the run waits at, if it waits. An answer may overtake the superstep's result, because the
   * pause is public once committed: it is kept for its pause. An operator's answer without a number is for the present
   * pause or for none; kept, it would answer a question that nobody had seen.
   */
  receive(answer: ResumeSignal, waitsAt: number | undefined): void {
    if (answer.pause === undefined && waitsAt === undefined) return;
    this.#unread = [...this.#unread, { ...answer, pause: answer.pause ?? waitsAt }];
  }

  has(pause: number): boolean {
    return this.#unread.some((answer) => answer.pause === pause);
  }

  /** The first answer to this pause; it and all for this pause or earlier ones are done with. */
  take(pause: number): ResumeSignal | undefined {
    const taken = this.#unread.find((answer) => answer.pause === pause);
    this.#unread = this.#unread.filter((answer) => (answer.pause ?? 0) > pause);
    return taken;
  }
}
