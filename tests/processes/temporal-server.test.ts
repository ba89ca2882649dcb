import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { openDataFolder, type DataFolder } from '../../processes/data-folder.js';
import { createLog } from '../../processes/log.js';
import { raiseRetention, registerSearchAttributes } from '../../processes/temporal-namespace.js';
import { temporalProgram } from '../../processes/temporal-program.js';
import { startTemporal, type TemporalServer } from '../../processes/temporal-server.js';

const timeoutMs = 60_000;
const log = createLog({ level: 'error', format: 'text' });
const folder = mkdtempSync(join(tmpdir(), 'superstep-temporal-'));
let data: DataFolder;
let server: TemporalServer;
let program: string;

beforeAll(async () => {
  data = openDataFolder(folder);
  program = await temporalProgram(process.env['TEMPORAL_CLI_PATH']);
  server = await startTemporal({ data, log, program, port: 'any', uiPort: 'any' });
}, 600_000);

afterAll(async () => {
  await server.stop();
  data.release();
  rmSync(folder, { recursive: true });
}, timeoutMs);

async function withConnection<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const retentionDays = (connection: Connection) =>
  connection.workflowService
    .describeNamespace({ namespace: 'default' })
    .then(({ config }) => Number(config?.workflowExecutionRetentionTtl?.seconds) / 86_400);

test(
  'once it has started it serves, and its UI answers',
  async () => {
    expect((await fetch(server.uiUrl)).status).toBe(200);
    await withConnection((connection) => connection.workflowService.describeNamespace({ namespace: 'default' }));
  },
  timeoutMs,
);

test(
  'search attributes are registered, and registering them again changes nothing',
  async () => {
    await withConnection(async (connection) => {
      const attributes = { SsTestName: 'Keyword', SsTestFlag: 'Bool' } as const;
      await registerSearchAttributes(connection, 'default', attributes);
      await registerSearchAttributes(connection, 'default', { ...attributes, SsTestLater: 'Keyword' });
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
      expect(customAttributes).toMatchObject({ SsTestName: 2, SsTestFlag: 5, SsTestLater: 2 });
    });
  },
  timeoutMs,
);

test(
  'retention is raised and never lowered; a restart after SIGKILL keeps it, and the ports',
  async () => {
    await withConnection(async (connection) => {
      await raiseRetention(connection, 'default', 30);
      await raiseRetention(connection, 'default', 7);
      expect(await retentionDays(connection)).toBe(30);
    });
    const { address, uiUrl } = server;
    process.kill(server.pid, 'SIGKILL');
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
    server = await startTemporal({ data, log, program });
    expect(server).toMatchObject({ address, uiUrl });
    expect(await withConnection(retentionDays)).toBe(30);
  },
  timeoutMs,
);

test('a port that is asked for and taken is refused by number, and whoever has it keeps it', async () => {
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as { port: number };
  await expect(startTemporal({ data, log, program, port })).rejects.toThrow(`Port ${port} on 127.0.0.1`);
  expect(stranger.listening).toBe(true);
  stranger.close();
});

test(
  'a program that ends at once is named, with the end of its log',
  async () => {
    const other = openDataFolder(mkdtempSync(join(tmpdir(), 'superstep-temporal-')));
    await expect(startTemporal({ data: other, log, program: process.execPath })).rejects.toThrow(
      /ended at once[\s\S]*Cannot find module/,
    );
    await expect(startTemporal({ data: other, log, program: '/no/such/program' })).rejects.toThrow(
      /ended at once[\s\S]*ENOENT/,
    );
    rmSync(other.path, { recursive: true });
  },
  timeoutMs,
);
