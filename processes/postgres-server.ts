// Postgres as a child of this process, for a service that brings its own.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startChildServer, stopLeftover, type ChildExit, type ChildServer } from './child-server.js';
import type { DataFolder } from './data-folder.js';
import { freePort, isFree } from './free-port.js';
import type { Log } from './log.js';
import { OperatorError } from './operator-error.js';
import { openCluster, superuser, type PostgresCluster } from './postgres-cluster.js';
import { postgresPrograms, type PostgresPrograms } from './postgres-programs.js';
import { postgresUser, type UserIds } from './postgres-user.js';
import { commandOf, identify } from './process-identity.js';

export interface PostgresOptions {
  readonly data: DataFolder;
  readonly log: Log;
  /** On loopback. Absent: the port of the last start if it is free, otherwise any free one. */
  readonly port?: number;
}

export interface PostgresServer extends ChildServer {
  /** Of the database `superstep`, with user and password. */
  readonly url: string;
}

const name = 'postgres';
const database = 'superstep';
/** Someone else may take a free port between our look and Postgres' bind. */
const portAttempts = 3;
/** Backends of a killed server need a moment to notice; until then its shared memory is in use. */
const orphanWaitMs = 10_000;
const pollIntervalMs = 50;

/**
 * Starts Postgres on the data folder's cluster, created on first use, and waits until it answers.
 * @throws OperatorError when it cannot run: a port that is taken, a cluster that another server uses, an early exit.
 */
export async function startPostgres({ data, log, port }: PostgresOptions): Promise<PostgresServer> {
  if (port !== undefined && !(await isFree(port))) {
    throw new OperatorError(`Port ${port} on 127.0.0.1, asked for Postgres, is taken.`);
  }
  if ((await stopLeftover(data, name)) === 'stopped') log.info('Stopped the Postgres left over from an earlier start');
  const user = await postgresUser();
  const programs = postgresPrograms(user);
  const cluster = await openCluster(data, programs, user);
  refuseForeignServer(cluster);

  const giveUpOnOrphansAt = Date.now() + orphanWaitMs;
  const lastPort = readLastPort(cluster);
  for (let attempt = 1; ;) {
    const usedPort = port ?? (await freePort(attempt === 1 ? lastPort : undefined));
    const child = spawnPostgres({ data, programs, cluster, user }, usedPort);
    const early = await untilReady(cluster, usedPort, child);
    if (early === 'ready') return { ...child, url: connectionUrl(cluster, usedPort, database) };
    const orphans = /pre-existing shared memory block/.test(early.lastLines) && Date.now() < giveUpOnOrphansAt;
    const portLost = /could not bind|could not create any TCP/.test(early.lastLines) && attempt++ < portAttempts;
    if (!orphans && !(portLost && port === undefined)) throw earlyExit(early, data);
    await delay(pollIntervalMs);
  }
}

interface Installation {
  readonly data: DataFolder;
  readonly programs: PostgresPrograms;
  readonly cluster: PostgresCluster;
  readonly user: UserIds | undefined;
}

function spawnPostgres({ data, programs, cluster, user }: Installation, port: number): ChildServer {
  return startChildServer({
    name,
    data,
    command: programs.postgres,
    args: serverArgs(cluster, port),
    cwd: cluster.path,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    ...(user && { user }),
    stopSignal: 'SIGINT', // Postgres' fast shutdown: sessions end, everything is written.
  });
}

/** Waits until the database can be used, or the server has ended. Whatever else fails, no server is left running. */
async function untilReady(cluster: PostgresCluster, port: number, child: ChildServer): Promise<'ready' | ChildExit> {
  try {
    const early = await Promise.race([child.exited, answers(cluster, port, child)]);
    if (early !== 'answers') return early;
    await createDatabase(cluster, port);
    return 'ready';
  } catch (error) {
    await child.stop();
    throw error;
  }
}

function serverArgs(cluster: PostgresCluster, port: number): string[] {
  // No Unix socket: the path of a data folder may be longer than a socket's name may be.
  const parameters = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', 'log_timezone=UTC'];
  return ['-D', cluster.path, '-p', String(port), ...parameters.flatMap((parameter) => ['-c', parameter])];
}

async function answers(cluster: PostgresCluster, port: number, child: ChildServer): Promise<'answers'> {
  let running = true;
  void child.exited.then(() => (running = false));
  while (running && !(await canConnect(cluster, port))) await delay(pollIntervalMs);
  return running ? 'answers' : new Promise(() => {}); // The race is already decided by `exited`.
}

async function canConnect(cluster: PostgresCluster, port: number): Promise<boolean> {
  try {
    await withClient(cluster, port, 'postgres', async () => {});
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === '28P01') {
      throw new OperatorError(
        'Postgres refuses the password in postgres.password: the file belongs to another database.',
      );
    }
    return false; // Not listening yet, or still recovering (57P03) after a crash.
  }
}

async function createDatabase(cluster: PostgresCluster, port: number): Promise<void> {
  await withClient(cluster, port, 'postgres', async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  });
}

async function withClient(
  cluster: PostgresCluster,
  port: number,
  databaseName: string,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: connectionUrl(cluster, port, databaseName) });
  client.on('error', () => {}); // The server may end while we are connected; the query then fails as well.
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function connectionUrl({ password }: PostgresCluster, port: number, databaseName: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** `postmaster.pid`: process id, data directory, start time, port, a line each. */
function readPostmaster({ path }: PostgresCluster): string[] {
  try {
    return readFileSync(join(path, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** From `postmaster.opts`, the command line of the last start, which stays after a clean stop. */
function readLastPort({ path }: PostgresCluster): number | undefined {
  try {
    const port = /"-p" "(\d+)"/.exec(readFileSync(join(path, 'postmaster.opts'), 'utf8'))?.[1];
    return port === undefined ? undefined : Number(port);
  } catch {
    return undefined;
  }
}

/**
 * After a kill `postmaster.pid` stays behind, and its id may by now belong to any process; Postgres would then refuse
 * to start. A server that really uses this cluster is somebody else's, since ours was stopped: it is left alone.
 */
function refuseForeignServer(cluster: PostgresCluster): void {
  const pid = Number(readPostmaster(cluster)[0]);
  if (identify(pid) === undefined) return;
  if (commandOf(pid)?.includes(cluster.path)) {
    throw new OperatorError(
      `The database in ${cluster.path} is in use by process ${pid}, which superstep did not start. Stop it, or name another data folder with SUPERSTEP_DATA_DIR.`,
    );
  }
  rmSync(join(cluster.path, 'postmaster.pid'), { force: true });
}

function earlyExit({ lastLines }: ChildExit, data: DataFolder): OperatorError {
  return new OperatorError(`Postgres ended at once. The end of ${join(data.path, `${name}.log`)}:\n${lastLines}`);
}
