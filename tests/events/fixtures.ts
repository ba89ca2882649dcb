// Entries and a log in memory, for tests of everything that reads a run's log.
import type { Cursor } from '../../events/batch.js';
import { ATTEMPT_STRIDE, LOG_START, type Entry, type FrameEntry, type LogPosition } from '../../events/entry.js';
import type { LiveBus, LiveEntry } from '../../events/live-bus.js';
import type { LogPage, LogReader } from '../../events/log-reader.js';

export const RUN = 'run-1';

export const frame = (seq: number, id: number, over: Partial<FrameEntry> = {}): Entry => ({
  seq,
  at: 1_700_000_000_000 + seq,
  event: 'custom',
  frame: id,
  ns: [],
  json: `{"n":${seq}}`,
  ...over,
});

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) yield item;
}

/** A run whose writer publishes at once, logs when told to, and may die in between. */
export class FakeRun implements LogReader {
  state: LogPage['state'] = 'open';
  reads = 0;
  /** In the log. */
  readonly logged: Entry[] = [];
  /** Made at any time, dead attempts included. */
  readonly made: Entry[] = [];
  #unlogged: Entry[] = [];
  #end: LogPosition = LOG_START;
  #previousSeq = -1;
  #stepStart: LogPosition = LOG_START;
  #attempt = 1;

  constructor(
    readonly bus: LiveBus,
    private readonly pageSize = 3,
  ) {}

  emit(event: Entry['event'] = 'custom', delivery: 'published' | 'lost' = 'published'): Entry {
    const seq = this.#end.seq + 1;
    const progress = event.includes('.');
    const base = { seq, at: seq, json: `{"seq":${seq}}` };
    const entry = (progress ? { ...base, event } : { ...base, event, frame: this.#end.frame + 1, ns: [] }) as Entry;
    const live: LiveEntry = { entry, previousSeq: this.#previousSeq };
    this.#end = { seq, frame: this.#end.frame + (progress ? 0 : 1) };
    this.#previousSeq = seq;
    this.made.push(entry);
    this.#unlogged.push(entry);
    if (delivery === 'published') this.bus.publish(RUN, [live]);
    return entry;
  }

  flush(): void {
    this.logged.push(...this.#unlogged);
    this.#unlogged = [];
    this.bus.logged(RUN, this.#end.seq);
  }

  commitStep(): void {
    this.flush();
    this.#stepStart = this.#end;
    this.#attempt = 1;
  }

  /** The worker is lost: what was not logged never will be. */
  crash(): void {
    this.#unlogged = [];
    this.#attempt += 1;
    const leap = (this.#attempt - 1) * ATTEMPT_STRIDE;
    this.#end = { seq: this.#stepStart.seq + leap, frame: this.#stepStart.frame + leap };
    this.#previousSeq = this.#stepStart.seq;
  }

  settle(): void {
    this.emit('run.completed');
    this.commitStep();
    this.state = 'settled';
  }

  async read(_runId: string, after: Cursor): Promise<LogPage> {
    this.reads += 1;
    await Promise.resolve();
    const rest = this.logged.filter((entry) =>
      after.kind === 'seq' ? entry.seq > after.after : !('frame' in entry) || entry.frame > after.after,
    );
    const last = this.logged.at(-1);
    const end = last === undefined ? LOG_START : { seq: last.seq, frame: 0 };
    const entries = rest.slice(0, this.pageSize);
    return { entries, end, state: this.state, more: rest.length > this.pageSize };
  }
}
