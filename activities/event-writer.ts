// The one writer of a run's log while an activity runs: numbers entries where they happen, shows them to live readers at
// once, and sees that they get into the log.
//   W1. A number is given once. Attempts begin a stride apart, so a dead one's numbers are never given again.
//   W2. Entries go out in the order of their numbers, on the bus and into the log alike.
//   W3. A task's result is shown when it is kept (told-journal.ts): a later attempt tells none of it again.
//   W4. What depends on the step's commit (values, checkpoints, pauses and ends) is numbered before it, stored with it and
//       announced after it: whoever reads a `values` entry can fetch its checkpoint.
// The order of a step: chunk, progress … announceAfterCommit → close → (the transaction) → committed.
import { isInterrupted, type StreamChunk } from '../graph-core/index.js';
import type { Batch } from '../events/batch.js';
import type { PutBlob } from '../events/blob-ports.js';
import { attemptStart, type Entry, type LogPosition, type ProgressEvent } from '../events/entry.js';
import type { LiveBus, LiveEntry } from '../events/live-bus.js';
import { progressPayload, type ProgressFacts } from '../events/progress-payloads.js';
import type { ToldTasks } from '../storage/records.js';
import type { RunError } from '../workflows/messages.js';
import { ChunkDrafts, type Draft, type StreamKwargs } from './chunk-drafts.js';
import { LogQueue } from './log-queue.js';
import { ToldJournal, type ToldJournalPorts } from './told-journal.js';

export { engineModes } from './chunk-drafts.js';

export interface EventWriterInput {
  readonly runId: string;
  readonly kwargs: StreamKwargs;
  /** The log's end before this superstep or settling, as the workflow has it. */
  readonly end: LogPosition;
  /** 1-based. */
  readonly attempt: number;
  /** Where numbering starts, if not where the attempt's stride begins (`settleStart`). */
  readonly start?: LogPosition;
  /** What an earlier attempt has told and the log does not have, in order, and the log's end. */
  readonly recovered?: { readonly entries: readonly Entry[]; readonly after: LogPosition } | undefined;
  /** Ids of the state's messages that `messages/complete` has shown in this run. */
  readonly knownMessageIds?: Iterable<string>;
  /** Ids of root tasks whose start an earlier attempt has told. */
  readonly toldStarts?: Iterable<string>;
  /** Keeps what was told before the step's commit. Absent: nothing is held back for it. */
  readonly journal?: Pick<ToldJournalPorts, 'write'> & { tasks(): ToldTasks };
  /** Absent: readers poll the log, and it is flushed more often. */
  readonly bus?: LiveBus | undefined;
  /** Sends a batch to the workflow (`appendEvents`); must reject within seconds when it cannot. */
  flush(batch: Batch): Promise<void>;
  readonly putBlob: PutBlob;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Tokens and custom chunks of a run that is not resumable are for live readers alone. */
const FLEETING_EVENTS: ReadonlySet<string> = new Set<Entry['event']>([
  'messages',
  'messages/metadata',
  'messages/partial',
  'custom',
  'node.progress',
]);

/** What a task says on its way: when its result is kept, nobody says it again. */
const REPORTS: ReadonlySet<string> = new Set<Entry['event']>([
  'messages',
  'messages/metadata',
  'messages/partial',
  'custom',
  'tools',
  'node.progress',
]);

export class EventWriter {
  readonly #runId: string;
  readonly #bus: LiveBus | undefined;
  readonly #now: () => number;
  readonly #drafts: ChunkDrafts;
  readonly #queue: LogQueue;
  readonly #logsFleeting: boolean;
  readonly #attempt: number;
  #end: LogPosition;
  readonly #journal: ToldJournal | undefined;
  /** Seqs of the last report that is for the log, and of the last entry of any kind that is in it. */
  #lastReport = -1;
  #logged = -1;
  /** Seq of the entry before the next one, as live readers are told. */
  #previousSeq: number;
  /** To be published in this turn of the event loop. */
  #outgoing: LiveEntry[] = [];
  #publishing: NodeJS.Immediate | undefined;
  /** Numbered, not yet announced; present once the step is to be committed. */
  #held: LiveEntry[] | undefined;

  constructor(input: EventWriterInput) {
    this.#runId = input.runId;
    this.#bus = input.bus;
    this.#now = input.now ?? Date.now;
    this.#attempt = input.attempt;
    this.#end = input.start ?? attemptStart(input.end, input.attempt);
    this.#previousSeq = input.recovered?.after.seq ?? input.end.seq;
    // Without a bus the log is the only way to a reader.
    this.#logsFleeting = input.kwargs.stream_resumable || input.bus === undefined;
    this.#drafts = new ChunkDrafts({
      kwargs: input.kwargs,
      attempt: input.attempt,
      knownMessageIds: input.knownMessageIds ?? [],
      toldStarts: input.toldStarts ?? [],
    });
    const { journal } = input;
    this.#journal =
      journal &&
      new ToldJournal({
        write: (told) => journal.write(told),
        soFar: () => ({ upTo: this.#end.seq, tasks: journal.tasks() }),
        unlogged: (after) => this.#queue.unlogged(Math.max(after, this.#logged)),
        onKept: () => this.#publish(),
      });
    this.#queue = new LogQueue(input.recovered ? input.recovered.after : this.#end, input.bus !== undefined, {
      flush: (batch) => input.flush(batch),
      putBlob: input.putBlob,
      now: this.#now,
      onLogged: (seq) => {
        this.#logged = seq;
        this.#publish();
        this.#bus?.logged(this.#runId, seq);
      },
      ready: () => this.#journal?.ready ?? 'now',
    });
    for (const entry of input.recovered?.entries ?? []) this.#recover(entry);
  }

  /** Whether the step's journal has to be emptied. */
  get journaled(): boolean {
    return this.#journal?.written === true;
  }

  /** The only task of a superstep has finished: its result and the commit are one. */
  leaveToCommit(): void {
    this.#journal?.leaveToCommit();
  }

  /** The last numbers given out. */
  get end(): LogPosition {
    return this.#end;
  }

  /** The first frame of a run, and of each attempt after a crash. */
  metadata(): void {
    const json = JSON.stringify({ run_id: this.#runId, attempt: this.#attempt });
    this.#make({ kind: 'frame', event: 'metadata', ns: [], json });
  }

  /**
   * For the engine's `emit`.
   * @throws WireJsonError for a payload without a JSON form, EventLogOverflowError
   */
  chunk(chunk: StreamChunk): void {
    const tells = tellsResult(chunk) ? 'result' : 'progress';
    for (const draft of this.#drafts.of(chunk)) this.#make(draft, tells);
  }

  /** A chunk that readers have had from an earlier attempt: what follows from it is known, and nothing is told. */
  passOver(chunk: StreamChunk): void {
    this.#drafts.of(chunk);
  }

  progress<Event extends ProgressEvent>(event: Event, facts: ProgressFacts[Event]): void {
    this.#make({ kind: 'progress', event, json: JSON.stringify(progressPayload(event, facts)) });
  }

  /** The last frame of a run that failed. */
  error({ error, message }: RunError): void {
    this.#make({ kind: 'frame', event: 'error', ns: [], json: JSON.stringify({ error, message }) });
  }

  /**
   * From here on entries are numbered and put into the batches to be stored, and announced by {@link committed}. `chunks`
   * come first; `progress`, `error` and further chunks may follow.
   */
  announceAfterCommit(chunks: readonly StreamChunk[] = []): void {
    this.#publish();
    this.#journal?.leaveToCommit();
    this.#held ??= this.#outgoing.splice(0);
    this.#queue.stop();
    for (const chunk of chunks) this.chunk(chunk);
  }

  /** The step is stored, its batches too. */
  committed(): void {
    const held = this.#held ?? [];
    this.#held = [];
    if (this.#bus === undefined) return;
    this.#bus.publish(this.#runId, held);
    this.#bus.logged(this.#runId, this.#end.seq);
  }

  /**
   * Resolves when all that tasks have said so far is kept; to be awaited before what a node made of it is saved. A later
   * attempt goes on from what is saved and says none of that again: without this, readers would never see the tokens that
   * only a lost attempt had.
   * @throws what `journal` throws
   */
  async reportsKept(): Promise<void> {
    if (this.#logged < this.#lastReport) await this.#journal?.keep(this.#lastReport);
  }

  /**
   * For an attempt that ends without a result: sends all that is not logged, except what waits for a commit that does
   * not come. `kept`: something could not be sent, and is lost to those who were not there; or a result was held back, and
   * is told by the next attempt.
   */
  async drain(): Promise<'sent' | 'kept'> {
    if (this.#held !== undefined) return 'kept';
    const ready = this.#journal?.ready ?? 'now';
    if (typeof ready !== 'string') await ready.catch(() => undefined);
    const held = this.#journal?.firstHeld;
    this.#publish();
    if (held !== undefined) this.#queue.discardFrom(held);
    const drained = await this.#queue.drain();
    return held === undefined ? drained : 'kept';
  }

  /** Batches that were not flushed, to be stored with the step and returned by it. @throws what `putBlob` throws */
  async close(): Promise<readonly Batch[]> {
    return this.#queue.close();
  }

  /** What an earlier attempt has told, and is not in the log: it goes there, and to whoever has not seen it. */
  #recover(entry: Entry): void {
    this.#queue.add({ entry }, { seq: entry.seq, frame: 'frame' in entry ? entry.frame : -1 });
    this.#announce({ entry, previousSeq: this.#previousSeq });
    this.#previousSeq = entry.seq;
  }

  #make(draft: Draft, tells: 'result' | 'progress' = 'progress'): void {
    const seq = this.#end.seq + 1;
    const base = { seq, at: this.#now(), json: draft.json };
    const entry: Entry =
      draft.kind === 'frame'
        ? { ...base, event: draft.event, frame: this.#end.frame + 1, ns: draft.ns }
        : { ...base, event: draft.event };
    this.#end = { seq, frame: 'frame' in entry ? entry.frame : this.#end.frame };
    if (this.#logsFleeting || !FLEETING_EVENTS.has(entry.event)) {
      if (REPORTS.has(entry.event)) this.#lastReport = seq;
      this.#queue.add({ entry, checkpointId: 'checkpointId' in draft ? draft.checkpointId : undefined }, this.#end);
    } else {
      this.#queue.advance(this.#end);
    }
    if (tells === 'result' && this.#held === undefined) this.#journal?.hold(seq);
    this.#announce({ entry, previousSeq: this.#previousSeq });
    this.#previousSeq = seq;
  }

  #announce(live: LiveEntry): void {
    if (this.#bus === undefined) return;
    if (this.#held !== undefined) {
      this.#held.push(live);
      return;
    }
    this.#outgoing.push(live);
    // A node that writes a thousand chunks in one go wakes its readers once.
    this.#publishing ??= setImmediate(() => this.#publish());
  }

  #publish(): void {
    clearImmediate(this.#publishing);
    this.#publishing = undefined;
    const held = this.#journal?.firstHeld ?? Infinity;
    const shown = this.#outgoing.findIndex(({ entry }) => entry.seq >= held);
    const outgoing = this.#outgoing.splice(0, shown === -1 ? this.#outgoing.length : shown);
    if (outgoing.length > 0) this.#bus?.publish(this.#runId, outgoing);
  }
}

/** A task's result, of a graph within as well: what an attempt that follows must not tell again. */
export function tellsResult({ mode, payload }: StreamChunk): boolean {
  if (mode === 'updates') return !isInterrupted(payload);
  if (mode === 'tasks') return isResult(payload);
  if (mode !== 'debug') return false;
  const { type, payload: told } = payload as { readonly type?: unknown; readonly payload?: unknown };
  return type === 'task_result' && isResult(told);
}

/** Not a failure, and not a question. */
function isResult(payload: unknown): boolean {
  const { result, error, interrupts } = payload as Partial<Record<'result' | 'error' | 'interrupts', unknown>>;
  return result !== undefined && (error ?? null) === null && (interrupts as readonly unknown[]).length === 0;
}
