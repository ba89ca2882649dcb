// A real Postgres for one test file, on a free port, its data in a temporary folder. Works as root and as anybody else.
import { mkdtemp, rm } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '../../processes/data-folder.js';
import { createLog } from '../../processes/log.js';
import { startPostgres } from '../../processes/postgres-server.js';

/** For the hook that starts it: creating a cluster takes seconds, on a busy machine many. */
export const POSTGRES_START_TIMEOUT_MS = 120_000;

export interface TestPostgres {
  /** Of an empty database, with user and password. */
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

export async function startTestPostgres(): Promise<TestPostgres> {
  const data = openDataFolder(await mkdtemp(join(realpathSync(tmpdir()), 'superstep-postgres-')));
  const remove = async () => {
    data.release();
    await rm(data.path, { recursive: true, force: true });
  };
  try {
    const server = await startPostgres({ data, log: createLog({ level: 'error', format: 'text' }) });
    return { url: server.url, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
