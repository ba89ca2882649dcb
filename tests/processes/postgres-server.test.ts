import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDataFolder, type DataFolder } from '../../processes/data-folder.js';
import { createLog } from '../../processes/log.js';
import { startPostgres, type PostgresServer } from '../../processes/postgres-server.js';
import { identify } from '../../processes/process-identity.js';

const timeoutMs = 120_000;
const log = createLog({ level: 'error', format: 'text' });
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}, timeoutMs);

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'superstep-postgres-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function open(path: string): DataFolder {
  const data = openDataFolder(path);
  cleanups.push(() => data.release());
  return data;
}

async function start(data: DataFolder, port?: number): Promise<PostgresServer> {
  const server = await startPostgres({ data, log, ...(port !== undefined && { port }) });
  cleanups.push(() => server.stop());
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts the fixture, waits until its Postgres answers. */
async function holdInOtherProcess(folder: string) {
  const script = join('tests', 'fixtures', 'processes', 'hold-postgres.ts');
  const holder = spawn(process.execPath, ['--import', 'tsx', script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanups.push(() => holder.kill('SIGKILL'));
  const [line] = (await once(holder.stdout, 'data')) as [Buffer];
  return { holder, ...(JSON.parse(line.toString()) as { pid: number; url: string }) };
}

test(
  'a second start finds what the first one stored, on the same port',
  async () => {
    const folder = makeFolder();
    const first = await start(open(folder));
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start({ path: folder, release: () => {} });
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  },
  timeoutMs,
);

test(
  'the password is only for its owner to read, and the server listens on loopback alone',
  async () => {
    const data = open(makeFolder());
    const server = await start(data);
    expect(statSync(join(data.path, 'postgres.password')).mode & 0o777).toBe(0o600);
    expect(await query(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await expect(query(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    );
  },
  timeoutMs,
);

test(
  'after SIGKILL of server and owner, the next start recovers, also if postmaster.pid names a process that is not Postgres',
  async () => {
    const folder = makeFolder();
    const { holder, pid, url } = await holdInOtherProcess(folder);
    await query(url, 'create table kept as select 42 as answer');
    process.kill(pid, 'SIGKILL');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${process.pid}\n${folder}/postgres\n`);
    const server = await start(open(folder));
    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  },
  timeoutMs,
);

test(
  'Postgres ends when its owner is killed, and the next start takes over',
  async () => {
    const folder = makeFolder();
    const { holder, pid } = await holdInOtherProcess(folder);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const server = await start(open(folder));
    expect(identify(pid)).toBeUndefined();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  },
  timeoutMs,
);

test(
  'a data folder that a live process uses is refused by name, and left alone',
  async () => {
    const folder = makeFolder();
    const { holder, url } = await holdInOtherProcess(folder);
    expect(() => openDataFolder(folder)).toThrow(`in use by process ${holder.pid}`);
    const stranger = { path: folder, release: () => {} };
    rmSync(join(folder, 'postgres.json'));
    await expect(startPostgres({ data: stranger, log })).rejects.toThrow(/which superstep did not start/);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  },
  timeoutMs,
);

test(
  'a port that is asked for and taken is refused by number',
  async () => {
    const server = await start(open(makeFolder()));
    const port = Number(new URL(server.url).port);
    await expect(startPostgres({ data: open(makeFolder()), log, port })).rejects.toThrow(`Port ${port} on 127.0.0.1`);
  },
  timeoutMs,
);

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot(
  'below a home of mode 0700 root keeps the data where the user "postgres" can reach it',
  async () => {
    const home = makeFolder(); // mkdtemp makes it 0700.
    const clone = join(home, 'clone');
    mkdirSync(clone);
    const data = open(join(clone, '.superstep'));
    cleanups.push(() => rmSync(dirname(realpathSync(join(data.path, 'postgres'))), { recursive: true }));
    const server = await start(data);
    expect(realpathSync(join(data.path, 'postgres'))).not.toContain(home);
    await query(server.url, 'create table kept as select 42 as answer');
    await server.stop();
    const again = await start(data);
    expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  },
  timeoutMs,
);

test(
  'an initdb that was cut off leaves nothing that the next start would take for a database',
  async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'postgres-cut-off', 'cluster'), { recursive: true });
    const server = await start(open(folder));
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(folder).filter((name) => name.startsWith('postgres-'))).toEqual(['postgres-cut-off']);
  },
  timeoutMs,
);

test('a database that is gone is not taken for one that never was', async () => {
  const data = open(makeFolder());
  symlinkSync(join(data.path, 'elsewhere'), join(data.path, 'postgres'));
  await expect(startPostgres({ data, log })).rejects.toThrow(/The database of this data folder is gone/);
});
