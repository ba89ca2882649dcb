// Where a reader gets a run's log from; implemented by the server over workflow queries and the run's row.
import type { Entry, LogPosition } from './entry.js';
import type { Cursor } from './batch.js';

export interface LogPage {
  /** Entries after the cursor, in order. */
  readonly entries: readonly Entry[];
  /** Of this page; of the log where `more` is false. May lie above the last entry: numbers that only live readers saw. */
  readonly end: LogPosition;
  /**
   * `open`: more will come. `paused`: nothing more until somebody answers. `settled`: this page ends the log.
   * `expired`: the log is no longer kept, `entries` is empty. `missing`: no such run.
   * Only meaningful when `more` is false.
   */
  readonly state: 'open' | 'paused' | 'settled' | 'expired' | 'missing';
  readonly more: boolean;
}

export interface LogReader {
  read(runId: string, after: Cursor): Promise<LogPage>;
}
