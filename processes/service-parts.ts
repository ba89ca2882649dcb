// What a server and a worker have in common: the database with its verbs, and the graphs.
import { Assistants } from '../storage/assistants.js';
import { Blobs } from '../storage/blobs.js';
import { CheckpointSaver } from '../storage/checkpoint-saver.js';
import { isUnavailable, openDatabase, type Database } from '../storage/database.js';
import { migrate } from '../storage/migrate.js';
import { Runs } from '../storage/runs.js';
import { Steps } from '../storage/steps.js';
import { Store } from '../storage/store.js';
import { TaskCache } from '../storage/task-cache.js';
import { Threads } from '../storage/threads.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './log.js';
import { OperatorError } from './operator-error.js';

export interface ServiceParts {
  readonly database: Database;
  readonly assistants: Assistants;
  readonly blobs: Blobs;
  readonly runs: Runs;
  readonly saver: CheckpointSaver;
  readonly steps: Steps;
  /** The graphs' own memory beside their threads. */
  readonly store: Store;
  readonly taskCache: TaskCache;
  readonly threads: Threads;
  close(): Promise<void>;
}

/** A database that is being started with us may need a moment; one that is misnamed should be told of soon. */
const databasePatienceMs = 20_000;
const databaseRetryMs = 500;

/**
 * Connects, and brings the schema up to date.
 * @throws OperatorError when the database cannot be reached, or has a newer schema.
 */
export async function openServiceParts(databaseUrl: string, maxConnections: number, log: Log): Promise<ServiceParts> {
  const database = openDatabase(databaseUrl, { maxConnections });
  try {
    await migrateWhenReachable(database, databaseUrl, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    database,
    assistants: new Assistants(database),
    blobs: new Blobs(database),
    runs: new Runs(database),
    saver: new CheckpointSaver(database.pool),
    steps: new Steps(database),
    store: new Store(database),
    taskCache: new TaskCache(database),
    threads: new Threads(database),
    close: () => database.close(),
  };
}

async function migrateWhenReachable(database: Database, databaseUrl: string, log: Log): Promise<void> {
  const giveUpAt = Date.now() + databasePatienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate(database);
    } catch (error) {
      if (!isUnavailable(error)) {
        throw new OperatorError(`The database ${placeOf(databaseUrl)} cannot be used: ${(error as Error).message}`);
      }
      if (Date.now() > giveUpAt) {
        throw new OperatorError(
          `The database ${placeOf(databaseUrl)} cannot be reached (${(error as Error).message}). Is it running, and does DATABASE_URL name it?`,
        );
      }
      if (attempt === 1) log.info('Waiting for the database', { at: placeOf(databaseUrl) });
      await delay(databaseRetryMs);
    }
  }
}

/** Host, port and database: the password stays out of messages. */
function placeOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
