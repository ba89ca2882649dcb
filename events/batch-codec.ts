// Entries ↔ batches. A batch body is one line for each entry, deflated: a head `[seq, frame, at, event, ns, ref]` in
// JSON, a tab, and the entry's JSON text as the writer made it, so that nobody parses and prints it again.
import { deflate, inflate } from 'node:zlib';
import {
  FRAME_EVENTS,
  PROGRESS_EVENTS,
  type DataRef,
  type Entry,
  type FrameEvent,
  type LogPosition,
  type ProgressEvent,
} from './entry.js';
import type { Batch } from './batch.js';
import type { GetBlob, PutBlob } from './blob-ports.js';

/** Of base64. The workflow's history holds inline bodies; a superstep's result must stay under 64 KB. */
export const MAX_INLINE_BATCH_BYTES = 40 * 1024;
/** Of lines before deflating, unless a single entry is longer. A reader holds a batch or two of these at a time. */
export const MAX_BATCH_JSON_BYTES = 1024 * 1024;
/** Entries of 20 bytes must not make a batch of 50,000. */
export const MAX_BATCH_ENTRIES = 5_000;
/** No writer makes a batch so large; more is a forged or broken body, refused before it fills the memory. */
export const MAX_INFLATED_BATCH_BYTES = 16 * MAX_BATCH_JSON_BYTES;

/** A batch that cannot be read: broken base64 or deflate stream, too large once inflated, or not what its header says. */
export class BatchCorruptError extends Error {
  override readonly name = 'BatchCorruptError';

  constructor(batch: Batch, cause: string) {
    super(`The event log's batch ${batch.first.seq}–${batch.last.seq} cannot be read: ${cause}.`);
  }
}

/**
 * Batches of the entries, in order. `end` is the last position used, which may lie above the last entry (entries shown
 * live and not logged); a batch without entries carries such an end alone.
 */
export async function encodeBatches(
  entries: readonly Entry[],
  start: LogPosition,
  end: LogPosition,
  putBlob: PutBlob,
): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  let frame = start.frame;
  for (const group of split(entries)) {
    const lines = group.map(({ line }) => line);
    const first = positionOf(group[0]?.entry, { seq: end.seq, frame });
    frame = group.reduce((highest, { entry }) => ('frame' in entry ? entry.frame : highest), frame);
    const last = positionOf(group.at(-1)?.entry, end, frame);
    batches.push({ first, last, entries: group.length, body: await encodeBody(lines.join('\n'), putBlob) });
  }
  const tail = batches.pop();
  return tail === undefined ? [] : [...batches, { ...tail, last: end }];
}

/** The batches with inline bodies of {@link MAX_INLINE_BATCH_BYTES} in all; those that do not fit become blobs. */
export async function fitInline(batches: readonly Batch[], putBlob: PutBlob): Promise<readonly Batch[]> {
  const fitted: Batch[] = [];
  let inline = 0;
  for (const batch of batches) {
    const size = batch.body.kind === 'inline' ? batch.body.deflated.length : 0;
    if (batch.body.kind === 'inline' && inline + size > MAX_INLINE_BATCH_BYTES) {
      const blobId = await putBlob(Buffer.from(batch.body.deflated, 'base64'));
      fitted.push({ ...batch, body: { kind: 'blob', blobId } });
    } else {
      inline += size;
      fitted.push(batch);
    }
  }
  return fitted;
}

/** @throws BatchCorruptError, and what `getBlob` throws. */
export async function decodeBatch(batch: Batch, getBlob: GetBlob): Promise<readonly Entry[]> {
  const deflated =
    batch.body.kind === 'inline' ? Buffer.from(batch.body.deflated, 'base64') : await getBlob(batch.body.blobId);
  const text = await inflateBounded(batch, deflated);
  const entries = text === '' ? [] : text.split('\n').map((line) => parseLine(batch, line));
  if (entries.length !== batch.entries) {
    throw new BatchCorruptError(batch, `it holds ${entries.length} entries where ${batch.entries} are announced`);
  }
  let before = batch.first.seq - 1;
  for (const { seq } of entries) {
    if (seq <= before || seq > batch.last.seq) throw new BatchCorruptError(batch, `entry ${seq} is out of place`);
    before = seq;
  }
  return entries;
}

interface Line {
  readonly entry: Entry;
  readonly line: string;
}

/** At least one group, so that a position alone can be carried. */
function split(entries: readonly Entry[]): readonly (readonly Line[])[] {
  const groups: Line[][] = [[]];
  let bytes = 0;
  for (const entry of entries) {
    const line = printLine(entry);
    const full = bytes + line.length > MAX_BATCH_JSON_BYTES || groups.at(-1)!.length >= MAX_BATCH_ENTRIES;
    if (full && groups.at(-1)!.length > 0) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push({ entry, line });
    bytes += line.length;
  }
  return groups;
}

const positionOf = (entry: Entry | undefined, otherwise: LogPosition, frame = otherwise.frame): LogPosition =>
  entry === undefined ? otherwise : { seq: entry.seq, frame: 'frame' in entry ? entry.frame : frame };

const printLine = (entry: Entry): string =>
  `${JSON.stringify([
    entry.seq,
    'frame' in entry ? entry.frame : null,
    entry.at,
    entry.event,
    'ns' in entry && entry.ns.length > 0 ? entry.ns : null,
    entry.ref ?? null,
  ])}\t${entry.ref === undefined ? (entry.json ?? '') : ''}`;

const FRAMES: ReadonlySet<unknown> = new Set(FRAME_EVENTS);
const PROGRESS: ReadonlySet<unknown> = new Set(PROGRESS_EVENTS);

function parseLine(batch: Batch, line: string): Entry {
  const tab = line.indexOf('\t');
  const [seq, frame, at, event, ns, ref] = parseHead(batch, line.slice(0, Math.max(tab, 0)));
  if (!Number.isSafeInteger(seq) || typeof at !== 'number') throw new BatchCorruptError(batch, 'a line has no number');
  const text = line.slice(tab + 1);
  const data = ref === null || ref === undefined ? (text === '' ? {} : { json: text }) : { ref: ref as DataRef };
  const base = { seq: seq as number, at, ...data };
  if (Number.isSafeInteger(frame) && FRAMES.has(event)) {
    return { ...base, event: event as FrameEvent, frame: frame as number, ns: (ns ?? []) as readonly string[] };
  }
  if (frame === null && PROGRESS.has(event)) return { ...base, event: event as ProgressEvent };
  throw new BatchCorruptError(batch, `entry ${seq as number} is of unknown kind`);
}

function parseHead(batch: Batch, head: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(head);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Reported below with the rest.
  }
  throw new BatchCorruptError(batch, 'a line does not begin with its head');
}

async function encodeBody(text: string, putBlob: PutBlob): Promise<Batch['body']> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    deflate(text, (error, deflated) => (error === null ? resolve(deflated) : reject(error)));
  });
  const inBase64 = Math.ceil(bytes.byteLength / 3) * 4;
  return inBase64 <= MAX_INLINE_BATCH_BYTES
    ? { kind: 'inline', deflated: bytes.toString('base64') }
    : { kind: 'blob', blobId: await putBlob(bytes) };
}

function inflateBounded(batch: Batch, deflated: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    inflate(deflated, { maxOutputLength: MAX_INFLATED_BATCH_BYTES }, (error, inflated) => {
      if (error === null) resolve(inflated.toString('utf8'));
      else reject(new BatchCorruptError(batch, describe(error)));
    });
  });
}

const describe = (error: NodeJS.ErrnoException): string =>
  error.code === 'ERR_BUFFER_TOO_LARGE'
    ? `it is larger than ${MAX_INFLATED_BATCH_BYTES} bytes once inflated`
    : `its deflate stream is broken (${error.message})`;
