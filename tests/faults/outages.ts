// Kills, and starts again, the processes of a service: which, when and for how long is the seed's choice.
import { setTimeout as delay } from 'node:timers/promises';
import type { Part, Service } from '../support/service.js';
import type { Random } from './random.js';

export interface Kill {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly parts: readonly Part[];
}

/** Up to the first of a wave, and between two of them; long enough for runs to get going, short enough to catch them there. */
const CALM_MS = [300, 2_500] as const;
const DOWN_MS = [0, 1_500] as const;
/** How often the next kill does not wait for the end of this outage. */
const OVERLAP = 0.3;

/** One of each; their number is the number of kills of a wave. */
const kinds = ['worker', 'server', 'server and workers', 'temporal', 'postgres'] as const;
export const KILLS_PER_WAVE = kinds.length;

export class Outages {
  readonly kills: Kill[] = [];
  readonly #service: Service;
  readonly #random: Random;
  readonly #down = new Map<Part, Promise<void>>();

  constructor(service: Service, random: Random) {
    this.#service = service;
    this.#random = random;
  }

  /** Resolves when everything runs again. */
  async run(): Promise<void> {
    for (const kind of this.#random.shuffled(kinds)) {
      await delay(this.#random.between(...CALM_MS));
      const parts = this.#partsOf(kind);
      await Promise.all(parts.map((part) => this.#down.get(part) ?? Promise.resolve()));
      await this.#begin(parts);
      if (!this.#random.chance(OVERLAP)) await this.#end();
    }
    await this.#end();
    await this.#service.ready();
  }

  during(from: number, to: number): number {
    return this.kills.filter(({ at }) => at >= from && at <= to).length;
  }

  #partsOf(kind: (typeof kinds)[number]): readonly Part[] {
    const workers = this.#random.shuffled(this.#service.workerNames);
    switch (kind) {
      case 'worker':
        return workers.slice(0, 1);
      case 'server and workers':
        return ['server', ...workers];
      case 'server':
      case 'temporal':
      case 'postgres':
        return [kind];
    }
  }

  async #begin(parts: readonly Part[]): Promise<void> {
    this.kills.push({ at: Date.now(), parts });
    await Promise.all(parts.map((part) => this.#service.kill(part)));
    for (const part of parts) {
      const downMs = this.#random.between(...DOWN_MS);
      this.#down.set(
        part,
        delay(downMs).then(() => this.#service.restart(part)),
      );
    }
  }

  async #end(): Promise<void> {
    await Promise.all(this.#down.values());
    this.#down.clear();
  }
}
