// The first projection: entries as the SSE frames of Platform streams, under LangGraph's event names.
import { StreamedMessage } from '../../graph-core/index.js';
import { isFrameEntry, type DataRef, type Entry, type FrameEntry, type FrameEvent } from '../entry.js';
import type { Cursor } from '../batch.js';

/** One SSE message: `event: <event>`, `data: <data>`, `id: <id>`. */
export interface PlatformFrame {
  readonly event: string;
  /** JSON text on one line. */
  readonly data: string;
  readonly id: number;
}

/** Gives the JSON text that an entry refers to. @throws when it is gone. */
type ResolveRef = (ref: DataRef) => Promise<string>;

export interface PlatformFramesOptions {
  /** `Last-Event-ID`: frames up to this id are not emitted. -1 for all. */
  readonly after: number;
  /** Modes a joining client asks for, Platform names; absent for all. `metadata` and `error` come in any case. */
  readonly streamModes?: readonly string[] | undefined;
  readonly resolve: ResolveRef;
}

/**
 * Where to start reading for the frames after a cursor. `messages/partial` frames hold a message from its beginning and
 * the log holds what came new, so whoever asks for them reads from the start.
 */
export function readFrom(
  kwargs: { readonly stream_mode: readonly string[] },
  cursor: Cursor,
  streamModes?: readonly string[],
): Cursor {
  const partials = kwargs.stream_mode.includes('messages') && (streamModes?.includes('messages') ?? true);
  return partials ? { kind: 'frame', after: -1 } : cursor;
}

/** Frames after `options.after`, in order. `entries` must begin where {@link readFrom} says. */
export async function* platformFrames(
  entries: AsyncIterable<Entry>,
  options: PlatformFramesOptions,
): AsyncGenerator<PlatformFrame, void, void> {
  const partials = new PartialMessages();
  for await (const entry of entries) {
    if (!isFrameEntry(entry) || !isAskedFor(entry.event, options.streamModes)) continue;
    const emitted = entry.frame > options.after;
    if (entry.event === 'metadata') partials.clear();
    if (entry.event === 'messages/partial') {
      const soFar = partials.append(await textOf(entry, options.resolve));
      if (emitted) yield { event: entry.event, data: soFar(), id: entry.frame };
    } else if (emitted) {
      yield { event: eventName(entry), data: await textOf(entry, options.resolve), id: entry.frame };
    }
  }
}

const eventName = ({ event, ns }: FrameEntry): string =>
  event.startsWith('messages/') ? event : [event, ...ns].join('|');

/** The join filter: which `stream_mode` an event belongs to. */
function isAskedFor(event: FrameEvent, modes: readonly string[] | undefined): boolean {
  if (modes === undefined || event === 'metadata' || event === 'error') return true;
  if (event === 'messages') return modes.includes('messages-tuple');
  if (event.startsWith('messages/')) return modes.includes('messages');
  return modes.includes(event);
}

const textOf = async ({ json, ref }: FrameEntry, resolve: ResolveRef): Promise<string> =>
  json ?? (ref === undefined ? 'null' : await resolve(ref));

/** Messages that are being streamed, by id. */
class PartialMessages {
  readonly #byId = new Map<string, StreamedMessage>();

  /** @param text `[<chunk>]`. Printing the message so far is left to the caller, who may not want it. */
  append(text: string): () => string {
    const [chunk] = JSON.parse(text) as readonly [Record<string, unknown>];
    const id = String(chunk['id']);
    const message = this.#byId.get(id);
    if (message === undefined) this.#byId.set(id, new StreamedMessage(chunk));
    else message.append(chunk);
    return () => JSON.stringify([this.#byId.get(id)?.toWire()]);
  }

  /** A run (re)starts here: messages of an attempt before it are not continued. */
  clear(): void {
    this.#byId.clear();
  }
}
