// What `wait` and `join` answer: the run's last values, with the questions of a run that waits, or its error. A failed
// run is a 200 too: the client asked how it ended, and this is how.
import { isFrameEntry, type FrameEntry } from '../events/entry.js';
import type { Run } from '../storage/records.js';
import type { ServerContext } from './context.js';
import { isSettled } from './run-control.js';
import { resolveRef, runEntries } from './run-events.js';

/** Waits until the run is settled, waits for an answer, or is gone. JSON text; `null` for a run that was rolled back. */
export async function runResult(context: ServerContext, run: Run, signal: AbortSignal): Promise<string> {
  const shown = await untilQuiet(context, run, signal);
  const [newest, thread] = await Promise.all([newestRun(context, run.threadId), context.threads.get(run.threadId)]);
  const isNewest = newest?.runId === run.runId;
  const ended = isNewest ? newest : await context.runs.get(run.threadId, run.runId);
  if (ended === null || thread === null) return 'null';
  if (ended.state === 'error' || ended.state === 'timeout') {
    const { error, message } = ended.error ?? { error: 'Error', message: `The run ended as ${ended.state}.` };
    return JSON.stringify({ __error__: { error, message } });
  }
  // A later run may have changed the thread already; then what this run showed last is its own.
  const values = isNewest || shown === undefined ? JSON.stringify(thread.values) : await textOf(context, run, shown);
  return ended.state === 'paused' && ended.pause ? withInterrupts(values, ended.pause.interrupts) : values;
}

/** Returns when the run no longer runs. */
async function untilQuiet(context: ServerContext, run: Run, signal: AbortSignal): Promise<FrameEntry | undefined> {
  if (isSettled(run.state) || run.state === 'paused') return undefined;
  let last: FrameEntry | undefined;
  for await (const entry of runEntries(context, run, { after: { kind: 'frame', after: -1 }, until: 'pause', signal })) {
    if (isFrameEntry(entry) && isWholeState(entry)) last = entry;
  }
  return last;
}

const newestRun = async (context: ServerContext, threadId: string): Promise<Run | undefined> =>
  (await context.runs.list(threadId, { limit: 1, offset: 0 }))[0];

/** A pause shows its questions as a `values` frame of their own. */
const isWholeState = ({ event, ns, json }: FrameEntry): boolean =>
  event === 'values' && ns.length === 0 && !json?.startsWith('{"__interrupt__"');

const textOf = async (context: ServerContext, run: Run, { json, ref }: FrameEntry): Promise<string> =>
  json ?? (ref === undefined ? 'null' : resolveRef(context, run, ref));

function withInterrupts(values: string, interrupts: NonNullable<Run['pause']>['interrupts']): string {
  const state: unknown = JSON.parse(values);
  const base = typeof state === 'object' && state !== null && !Array.isArray(state) ? state : {};
  return JSON.stringify({ ...base, __interrupt__: interrupts.map(({ id, value }) => ({ id, value })) });
}
