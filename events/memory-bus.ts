// The live bus for a server and a worker in one process. It keeps each run's entries until they are known to be logged,
// within bounds; past them the oldest go, and readers who miss them find a gap and read the log.
import type { LiveBus, LiveEntry, LiveSubscription } from './live-bus.js';

export interface MemoryBusLimits {
  /** Entries kept for each run. */
  readonly entriesPerRun: number;
  /** Characters of JSON kept for each run. */
  readonly charactersPerRun: number;
}

/** About 100 seconds of tokens; a flush makes room every few seconds. */
const DEFAULT_LIMITS: MemoryBusLimits = { entriesPerRun: 20_000, charactersPerRun: 16 * 1024 * 1024 };

type Listener = (entries: readonly LiveEntry[]) => void;

interface Channel {
  /** Not yet known to be logged, in order. */
  tail: LiveEntry[];
  characters: number;
  readonly listeners: Set<Listener>;
}

export class MemoryBus implements LiveBus {
  readonly #limits: MemoryBusLimits;
  /** Runs with listeners or an unlogged tail; the others are forgotten. */
  readonly #channels = new Map<string, Channel>();

  constructor(limits: Partial<MemoryBusLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  publish(runId: string, entries: readonly LiveEntry[]): void {
    if (entries.length === 0) return;
    const channel = this.#channel(runId);
    for (const live of entries) {
      channel.tail.push(live);
      channel.characters += sizeOf(live);
    }
    this.#trim(channel);
    for (const listener of [...channel.listeners]) listener(entries);
  }

  logged(runId: string, seq: number): void {
    const channel = this.#channels.get(runId);
    if (channel === undefined) return;
    const kept = channel.tail.findIndex(({ entry }) => entry.seq > seq);
    dropFirst(channel, kept === -1 ? channel.tail.length : kept);
    this.#forgetIfIdle(runId, channel);
  }

  subscribe(runId: string, listener: Listener): LiveSubscription {
    const channel = this.#channel(runId);
    // A listener of its own for each subscription: the same function may subscribe twice.
    const own: Listener = (entries) => listener(entries);
    channel.listeners.add(own);
    return {
      tail: [...channel.tail],
      close: () => {
        channel.listeners.delete(own);
        this.#forgetIfIdle(runId, channel);
      },
    };
  }

  /** Runs that the bus holds anything for; for tests of its memory. */
  get runs(): number {
    return this.#channels.size;
  }

  #channel(runId: string): Channel {
    let channel = this.#channels.get(runId);
    if (channel === undefined) {
      channel = { tail: [], characters: 0, listeners: new Set() };
      this.#channels.set(runId, channel);
    }
    return channel;
  }

  #trim(channel: Channel): void {
    const { entriesPerRun, charactersPerRun } = this.#limits;
    let drop = 0;
    let characters = channel.characters;
    for (const live of channel.tail) {
      if (channel.tail.length - drop <= entriesPerRun && characters <= charactersPerRun) break;
      characters -= sizeOf(live);
      drop += 1;
    }
    dropFirst(channel, drop);
  }

  #forgetIfIdle(runId: string, channel: Channel): void {
    if (channel.listeners.size > 0 || channel.tail.length > 0) return;
    if (this.#channels.get(runId) === channel) this.#channels.delete(runId);
  }
}

function dropFirst(channel: Channel, count: number): void {
  for (const live of channel.tail.slice(0, count)) channel.characters -= sizeOf(live);
  channel.tail = channel.tail.slice(count);
}

/** An empty entry weighs something too. */
const sizeOf = ({ entry }: LiveEntry): number => 100 + (entry.json?.length ?? 0);
