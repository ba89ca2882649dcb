// What a run of a random program left to compare. Chunks are kept by namespace: how those of parallel subgraphs mix is
// no promise of either library.
import { isBaseMessage } from '@langchain/core/messages';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { isAborted, masked, normalizer, type Normalizer } from '../normalize.js';

export type Chunks = Map<string, unknown[]>;

/** Whether the order of the chunks of a namespace counts. */
type Order = 'ordered' | 'unordered';

type Entry =
  | { readonly kind: 'value'; readonly label: string; readonly value: unknown }
  | {
      readonly kind: 'stream';
      readonly order: Order;
      readonly chunks: Chunks;
      readonly error?: { readonly was: unknown };
    }
  | { readonly kind: 'saved'; readonly label: string; readonly tuples: Chunks };

export class Recording {
  readonly entries: Entry[] = [];
  /** Ids of messages of states that were looked at. */
  private readonly known = new Set<string>();

  async outcome<Value>(label: string, action: () => Promise<Value>): Promise<Value | undefined> {
    try {
      const value = await action();
      this.entries.push({ kind: 'value', label, value });
      for (const id of messageIds(value)) this.known.add(id);
      return value;
    } catch (error) {
      this.entries.push({ kind: 'value', label: `${label} fails`, value: error });
      return undefined;
    }
  }

  stream(order: Order, all: Chunks, error?: { readonly was: unknown }): void {
    const counts = (chunk: unknown): boolean => !tellsOfAbort(chunk) && !this.known.has(streamedMessage(chunk) ?? '');
    const chunks = new Map([...all].map(([ns, own]) => [ns, own.filter(counts)]));
    this.entries.push({ kind: 'stream', order, chunks, error });
  }

  /** After a failure only of the outermost graph: LangGraph lets those within go on for a while without it. */
  saved(label: string, all: Chunks): void {
    const failed = this.entries.some((entry) => entry.kind === 'stream' && entry.error);
    const tuples = failed ? new Map([...all].filter(([ns]) => ns === '')) : all;
    this.entries.push({ kind: 'saved', label, tuples });
  }
}

/** Both in a form that `toEqual` compares. A failed stream of LangGraph drops what was not read yet; ours does not. */
export function comparable(expected: Recording, received: Recording): { expected: unknown; received: unknown } {
  const trimmed = received.entries.map((entry, index) => {
    const other = expected.entries[index];
    // Writes that do not fit together: LangGraph cannot tell the state then.
    if (entry.kind === 'value' && entry.label === 'state' && other?.kind === 'value' && other.label === 'state fails') {
      return other;
    }
    if (entry.kind !== 'stream' || other?.kind !== 'stream' || !other.error) return entry;
    const names = alike(other.chunks);
    const lengths = new Map([...other.chunks].map(([ns, own]) => [names.get(ns), own.length]));
    const ours = alike(entry.chunks);
    const kept = [...entry.chunks].map(([ns, own]): [string, unknown[]] => [
      ns,
      own.slice(0, lengths.get(ours.get(ns)) ?? 0),
    ]);
    return { ...entry, chunks: new Map(kept.filter(([, chunks]) => chunks.length > 0)) };
  });
  return { expected: plain(expected.entries), received: plain(trimmed) };
}

function plain(entries: readonly Entry[]): unknown {
  const normalize = normalizer();
  return entries.map((entry): unknown => {
    switch (entry.kind) {
      case 'value':
        return { [entry.label]: normalize(entry.value) };
      case 'stream': {
        const ordered = entry.order === 'ordered';
        // Which chunks were read before the failure is a matter of chance.
        if (!ordered && entry.error) return { failed: normalize(entry.error.was) };
        const chunks = byNamespace(entry.chunks, normalize, ordered ? undefined : (own) => unordered(own, normalize));
        return { stream: chunks, ...(entry.error ? { failed: normalize(entry.error.was) } : {}) };
      }
      case 'saved':
        return {
          [entry.label]: byNamespace(entry.tuples, normalize, (own) =>
            own.map((tuple) => withSortedWrites(tuple, normalize)),
          ),
        };
    }
  });
}

/** From the outside in: the ids in a namespace are those of tasks that the graph around it has told of. */
function byNamespace(
  chunks: Chunks,
  normalize: Normalizer,
  finish: (chunks: readonly unknown[]) => readonly unknown[] = (own) => own.map(normalize),
): readonly (readonly [string, readonly unknown[]])[] {
  const depths = [...new Set([...chunks.keys()].map(depth))].sort((a, b) => a - b);
  return depths.flatMap((level) =>
    [...chunks]
      .filter(([ns]) => depth(ns) === level)
      .map(([ns, own]): [string, unknown[]] => [normalize(ns) as string, own])
      .sort(([a], [b]) => compare(a, b))
      .map(([ns, own]) => [ns, ns === '' ? finish(own) : withoutAborts(finish(own))] as const),
  );
}

/** Whether a task of a graph within was still told that the run around it had failed is no promise. */
const withoutAborts = (chunks: readonly unknown[]): readonly unknown[] =>
  JSON.parse(JSON.stringify(chunks), (key, value: unknown) =>
    key === 'error' && value === '<aborted>' ? undefined : value,
  ) as unknown[];

/** The writes of a checkpoint are kept by task id, which is a matter of chance. */
function withSortedWrites(tuple: unknown, normalize: Normalizer): unknown {
  const { pendingWrites = [], ...rest } = tuple as CheckpointTuple;
  return { ...(normalize(rest) as object), pendingWrites: unordered(pendingWrites, normalize) };
}

/** Ids are numbered in an order that does not depend on them, but for those that were met before. */
function unordered(items: readonly unknown[], normalize: Normalizer): readonly string[] {
  const alikes = new Map<string, { readonly text: string; readonly item: unknown }[]>();
  for (const item of items) {
    const text = JSON.stringify(item);
    alikes.set(masked(text), [...(alikes.get(masked(text)) ?? []), { text, item }]);
  }
  return [...alikes]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([, alike]) =>
      alike
        .map(({ text, item }): [string, unknown] => [normalize.peek(text), item])
        .sort(([a], [b]) => compare(a, b))
        .map(([, item]) => JSON.stringify(normalize(item))),
    )
    .sort();
}

/** The end of a task that a failure aborted: which of several hears of it first is no promise. */
function tellsOfAbort(chunk: unknown): boolean {
  const payload: unknown = Array.isArray(chunk) ? chunk.at(-1) : chunk;
  const { error, payload: inner } = payload as { error?: unknown; payload?: { error?: unknown } };
  return isAborted(error) || isAborted(inner?.error);
}

/**
 * The id of a chunk of mode `messages`, alone or among other modes. LangGraph emits the messages of a graph within again
 * when it is resumed; ours does not.
 */
function streamedMessage(chunk: unknown): string | undefined {
  for (const payload of [chunk, Array.isArray(chunk) ? (chunk.at(-1) as unknown) : undefined]) {
    const message: unknown = Array.isArray(payload) ? payload[0] : undefined;
    if (isBaseMessage(message)) return message.id;
  }
  return undefined;
}

function* messageIds(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (!isBaseMessage(value)) for (const item of Object.values(value) as unknown[]) yield* messageIds(item);
  else if (value.id !== undefined) yield value.id;
}

const depth = (ns: string): number => (ns === '' ? 0 : ns.split('|').length);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Namespaces of one run by what they have in common with the other's: names, and the place among equals. */
function alike(chunks: Chunks): Map<string, string> {
  const seen = new Map<string, number>();
  return new Map(
    [...chunks.keys()].map((ns) => {
      const place = seen.get(masked(ns)) ?? 0;
      seen.set(masked(ns), place + 1);
      return [ns, `${masked(ns)} ${place}`];
    }),
  );
}
