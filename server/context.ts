// Everything a route may use. Built in processes/, passed to createApp(), and replaced piece by piece in tests.
import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph-checkpoint';
import type { GraphRegistry } from '../graph-core/index.js';
import type { LiveBus } from '../events/live-bus.js';
import type { LogReader } from '../events/log-reader.js';
import type { Assistants } from '../storage/assistants.js';
import type { Blobs } from '../storage/blobs.js';
import type { Runs } from '../storage/runs.js';
import type { Threads } from '../storage/threads.js';
import type { ReportFault } from './error-responses.js';
import type { RunControl } from './run-control.js';

export interface ServerContext {
  readonly graphs: GraphRegistry;
  readonly threads: Threads;
  readonly runs: Runs;
  readonly assistants: Assistants;
  readonly blobs: Blobs;
  /** For state reads and edits; the same tables the superstep activity writes. */
  readonly saver: BaseCheckpointSaver;
  readonly store?: BaseStore;
  readonly log: LogReader;
  /** Absent where server and worker do not share a bus: readers poll the log. */
  readonly bus?: LiveBus;
  readonly control: RunControl;
  /** Present: every request but /ok, /info and preflights must carry it as `x-api-key`. */
  readonly apiKey?: string;
  readonly limits: {
    readonly bodyBytes: number;
    /** Between heartbeat comments on an idle stream; milliseconds. */
    readonly heartbeatMs: number;
    /** Between two reads of the log where there is no bus; milliseconds. */
    readonly pollMs: number;
  };
  /** Aborted when the process is told to stop: streams end so that clients reconnect elsewhere. */
  readonly closing: AbortSignal;
  /** Of this package; shown by /info. */
  readonly version: string;
  /** Told of every fault of ours that a client saw as 500 or 503. */
  readonly reportFault: ReportFault;
}
