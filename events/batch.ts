// Batches: runs of consecutive entries as the workflow keeps them, closed and compressed. The workflow reads only the
// header. This file is types alone, so that workflow code can import it; the codec is batch-codec.ts.
import type { LogPosition } from './entry.js';

export interface Batch {
  readonly first: LogPosition;
  /** Of the last entry; `frame` is the highest frame number used so far, whether or not this batch holds a frame. */
  readonly last: LogPosition;
  readonly entries: number;
  readonly body:
    /** Entries as JSON lines, deflated, in base64. */
    | { readonly kind: 'inline'; readonly deflated: string }
    /** The same bytes in the blobs table; for batches over {@link MAX_INLINE_BATCH_BYTES}. */
    | { readonly kind: 'blob'; readonly blobId: string };
}

/** What a reader has seen: the last Platform frame id, or the last log seq. -1 is before everything. */
export type Cursor =
  { readonly kind: 'frame'; readonly after: number } | { readonly kind: 'seq'; readonly after: number };

/** Argument of the `events` query. */
export interface EventsRequest {
  readonly after: Cursor;
  /** Stop adding batches when their bodies exceed this; at least one batch is returned. */
  readonly maxBytes: number;
}

/** Answer of the `events` query: batches that hold anything after the cursor, in order. */
export interface EventsAnswer {
  readonly batches: readonly Batch[];
  /** More batches follow in this execution: ask again from the last one's end. */
  readonly more: boolean;
  readonly end: LogPosition;
}
