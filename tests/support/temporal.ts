// A real Temporal dev server for one test file, with the search attributes and the flags of the service.
import { mkdtemp, rm } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { openDataFolder } from '../../processes/data-folder.js';
import { createLog } from '../../processes/log.js';
import { registerSearchAttributes } from '../../processes/temporal-namespace.js';
import { startTemporal } from '../../processes/temporal-server.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.js';
import { temporalProgram } from './temporal-program.js';

export interface TestTemporal {
  readonly address: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

export async function startTestTemporal(): Promise<TestTemporal> {
  const data = openDataFolder(await mkdtemp(join(realpathSync(tmpdir()), 'superstep-temporal-')));
  const remove = async () => {
    data.release();
    await rm(data.path, { recursive: true, force: true });
  };
  try {
    const log = createLog({ level: 'error', format: 'text' });
    const program = await temporalProgram();
    const server = await startTemporal({ data, log, program, port: 'any', uiPort: 'any' });
    await registerAttributes(server.address);
    return { address: server.address, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function registerAttributes(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const { waitsForApproval, ...keywords } = SEARCH_ATTRIBUTES;
  const types = Object.fromEntries(Object.values(keywords).map((name) => [name, 'Keyword' as const]));
  await registerSearchAttributes(connection, 'default', { ...types, [waitsForApproval]: 'Bool' });
  await connection.close();
}
