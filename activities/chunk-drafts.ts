// From the engine's chunks to drafts of log entries: which ones a run asked for, and under which Platform event. What
// remains is to number them (event-writer.ts).
import type { StreamChunk, StreamMode } from '../graph-core/index.js';
import type { FrameEvent, ProgressEvent } from '../events/entry.js';
import { platformPayload } from '../events/platform-payloads.js';
import { progressPayload } from '../events/progress-payloads.js';
import { toWireJson } from '../events/wire-json.js';
import type { RunKwargs } from '../storage/records.js';

export type Draft =
  | {
      readonly kind: 'frame';
      readonly event: FrameEvent;
      readonly ns: readonly string[];
      readonly json: string;
      /** The JSON is this root checkpoint's values. */
      readonly checkpointId?: string;
    }
  | { readonly kind: 'progress'; readonly event: ProgressEvent; readonly json: string };

export type StreamKwargs = Pick<RunKwargs, 'stream_mode' | 'stream_subgraphs' | 'stream_resumable'>;

const ENGINE_MODES: ReadonlyMap<string, readonly StreamMode[]> = new Map<string, readonly StreamMode[]>([
  ['values', ['values']],
  ['updates', ['updates']],
  // Completed messages are found in the state.
  ['messages', ['messages', 'values']],
  ['messages-tuple', ['messages']],
  ['custom', ['custom']],
  ['tools', ['tools']],
  ['tasks', ['tasks']],
  ['checkpoints', ['checkpoints']],
  ['debug', ['debug']],
]);

/** Modes the engine must stream for a run: what it asked for, and what progress views live on. */
export function engineModes({ stream_mode }: Pick<RunKwargs, 'stream_mode'>): readonly StreamMode[] {
  return [...new Set<StreamMode>(['tasks', 'custom', ...stream_mode.flatMap((mode) => ENGINE_MODES.get(mode) ?? [])])];
}

interface ChunkDraftsInput {
  readonly kwargs: StreamKwargs;
  /** Of the superstep, 1-based; shown with the nodes it starts. */
  readonly attempt: number;
  /** Messages of the state that were announced as complete before. */
  readonly knownMessageIds: Iterable<string>;
  /** Ids of root tasks whose start was shown before: in frames it is not shown again. */
  readonly toldStarts: Iterable<string>;
}

export class ChunkDrafts {
  readonly #asked: ReadonlySet<string>;
  readonly #subgraphs: boolean;
  readonly #attempt: number;
  readonly #completed: Set<string>;
  readonly #toldStarts: ReadonlySet<string>;
  /** Ids that have had their `messages/metadata`. */
  readonly #described = new Set<string>();
  /** Metadata is one object for all tokens of a message; its text is made once. */
  readonly #metadataTexts = new WeakMap<object, string>();
  /** Root tasks that have started and not ended, by id. */
  readonly #running = new Map<string, string>();

  constructor({ kwargs, attempt, knownMessageIds, toldStarts }: ChunkDraftsInput) {
    this.#asked = new Set(kwargs.stream_mode);
    this.#subgraphs = kwargs.stream_subgraphs;
    this.#attempt = attempt;
    this.#completed = new Set(knownMessageIds);
    this.#toldStarts = new Set(toldStarts);
  }

  /** @throws WireJsonError for a payload without a JSON form. */
  of(chunk: StreamChunk): readonly Draft[] {
    const shown = this.#shown(chunk);
    const frames = shown && !this.#isToldStart(shown) ? this.#frames(shown) : [];
    return [...frames, ...this.#progress(chunk)];
  }

  /** Without its subgraphs a run still shows what their nodes write by `config.writer`, as its own: as `stream()` does. */
  #shown(chunk: StreamChunk): StreamChunk | undefined {
    if (this.#subgraphs || chunk.ns.length === 0) return chunk;
    return chunk.mode === 'custom' ? { ...chunk, ns: [] } : undefined;
  }

  #isToldStart({ ns, mode, payload }: StreamChunk): boolean {
    if (this.#toldStarts.size === 0 || ns.length > 0) return false;
    const task = mode === 'debug' ? (payload as DebugChunk).payload : mode === 'tasks' ? payload : undefined;
    const { id, result } = (task ?? {}) as Partial<TaskChunk>;
    return id !== undefined && result === undefined && this.#toldStarts.has(id);
  }

  #frames({ ns, mode, payload, checkpointId }: StreamChunk): readonly Draft[] {
    const asked = this.#asked.has(mode);
    switch (mode) {
      case 'messages':
        return this.#messageFrames(ns, payload);
      case 'values': {
        const values: Draft = {
          kind: 'frame',
          event: 'values',
          ns,
          json: asked ? toWireJson(payload) : '',
          ...(checkpointId === undefined ? {} : { checkpointId }),
        };
        return [...(asked ? [values] : []), ...(ns.length === 0 ? this.#completions(payload) : [])];
      }
      case 'updates':
      case 'custom':
      case 'tools':
        return asked ? [{ kind: 'frame', event: mode, ns, json: toWireJson(payload) }] : [];
      case 'tasks':
      case 'checkpoints':
      case 'debug':
        return asked ? [{ kind: 'frame', event: mode, ns, json: toWireJson(platformPayload(mode, payload)) }] : [];
    }
  }

  #messageFrames(ns: readonly string[], payload: unknown): readonly Draft[] {
    const [message, metadata] = payload as readonly [StreamedMessageLike, object];
    const drafts: Draft[] = [];
    const text = toWireJson(message);
    if (this.#asked.has('messages-tuple')) {
      drafts.push({ kind: 'frame', event: 'messages', ns, json: `[${text},${this.#metadataText(metadata)}]` });
    }
    // Whole messages of this mode are not partial; they show as `messages/complete` once they are in the state.
    if (this.#asked.has('messages') && message.id !== undefined && typeof message.concat === 'function') {
      if (!this.#described.has(message.id)) {
        this.#described.add(message.id);
        const json = `{${JSON.stringify(message.id)}:{"metadata":${this.#metadataText(metadata)}}}`;
        drafts.push({ kind: 'frame', event: 'messages/metadata', ns: [], json });
      }
      drafts.push({ kind: 'frame', event: 'messages/partial', ns: [], json: `[${text}]` });
    }
    return drafts;
  }

  #metadataText(metadata: object): string {
    let text = this.#metadataTexts.get(metadata);
    if (text === undefined) {
      text = toWireJson(metadata);
      this.#metadataTexts.set(metadata, text);
    }
    return text;
  }

  /** Messages that are new in the state. */
  #completions(values: unknown): readonly Draft[] {
    if (!this.#asked.has('messages')) return [];
    const held = (values as { messages?: unknown } | null | undefined)?.messages;
    const fresh = (Array.isArray(held) ? (held as unknown[]) : [held]).filter((message) => {
      const id = (message as { id?: unknown } | null | undefined)?.id;
      if (typeof id !== 'string' || this.#completed.has(id)) return false;
      this.#completed.add(id);
      return true;
    });
    return fresh.length === 0 ? [] : [{ kind: 'frame', event: 'messages/complete', ns: [], json: toWireJson(fresh) }];
  }

  /** Progress views show the nodes of the run's own graph; what a nested node reports counts for the node it is in. */
  #progress({ ns, mode, payload }: StreamChunk): readonly Draft[] {
    if (mode === 'custom') return this.#report(ns[0], payload);
    if (mode !== 'tasks' || ns.length > 0) return [];
    const { id, name, error, interrupts } = payload as TaskChunk;
    if (!('result' in (payload as TaskChunk))) {
      this.#running.set(id, name);
      return [progress('node.started', { node: name, task_id: id, attempt: this.#attempt })];
    }
    this.#running.delete(id);
    // A task that asks is neither completed nor failed; `run.paused` follows. Whether a failure is final, a retry or an
    // abort is known to whoever runs the superstep.
    if ((error ?? null) !== null || interrupts.length > 0) return [];
    return [progress('node.completed', { node: name, task_id: id })];
  }

  #report(segment: string | undefined, payload: unknown): readonly Draft[] {
    const json = progressPayload('node.progress', { ...this.#reporter(segment), report: payload });
    return 'report' in json ? [{ kind: 'progress', event: 'node.progress', json: JSON.stringify(json) }] : [];
  }

  /** The reporting task, where it can be told: by its namespace, or as the only one that runs. */
  #reporter(segment: string | undefined): { readonly node?: string; readonly task_id?: string } {
    const colon = segment?.lastIndexOf(':') ?? -1;
    if (segment !== undefined && colon > 0) {
      return { node: segment.slice(0, colon), task_id: segment.slice(colon + 1) };
    }
    const [only, ...others] = this.#running;
    return only === undefined || others.length > 0 ? {} : { node: only[1], task_id: only[0] };
  }
}

const progress = <Event extends 'node.started' | 'node.completed'>(
  event: Event,
  facts: Parameters<typeof progressPayload<Event>>[1],
): Draft => ({ kind: 'progress', event, json: JSON.stringify(progressPayload(event, facts)) });

interface StreamedMessageLike {
  readonly id?: string;
  /** Chunks have it, whole messages do not. */
  readonly concat?: unknown;
}

interface DebugChunk {
  readonly payload: unknown;
}

/** A task's start; with `result`, its end. */
interface TaskChunk {
  readonly id: string;
  readonly name: string;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly interrupts: readonly unknown[];
}
