// Temporal's dev server as a child of this process, for a service that brings its own.
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { startChildServer, stopLeftover, type ChildExit, type ChildServer } from './child-server.js';
import type { DataFolder } from './data-folder.js';
import { readDynamicConfig } from './dynamic-config.js';
import { freePort, isFree } from './free-port.js';
import type { Log } from './log.js';
import { OperatorError } from './operator-error.js';
import { readRememberedPorts, rememberPorts } from './remembered-ports.js';

export interface TemporalOptions {
  readonly data: DataFolder;
  readonly log: Log;
  /** The `temporal` program. */
  readonly program: string;
  /** gRPC, on loopback. Absent: the port of the last start, or 7233, if it is free; otherwise any free one. */
  readonly port?: number | 'any';
  /** Web UI, on loopback. Absent: the port of the last start, or 8233, if it is free; otherwise any free one. */
  readonly uiPort?: number | 'any';
}

export interface TemporalServer extends ChildServer {
  /** `host:port` of its gRPC endpoint. */
  readonly address: string;
  readonly uiUrl: string;
}

interface Ports {
  readonly grpc: number;
  readonly ui: number;
}

const name = 'temporal';
const host = '127.0.0.1';
/** Temporal's own defaults. */
const usualPorts: Ports = { grpc: 7233, ui: 8233 };
/** Someone else may take a free port between our look and the server's bind. */
const portAttempts = 3;
const pollIntervalMs = 50;

/**
 * Starts the dev server on the data folder's SQLite file and waits until it serves.
 * @throws OperatorError when it cannot run: a port that is taken, a missing program, an early exit.
 */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const { data, log, port, uiPort } = options;
  for (const asked of [port, uiPort]) {
    if (typeof asked === 'number' && !(await isFree(asked))) {
      throw new OperatorError(`Port ${asked} on ${host}, asked for Temporal, is taken.`);
    }
  }
  if ((await stopLeftover(data, name)) === 'stopped')
    log.info('Stopped the Temporal server left over from an earlier start');
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts(options, attempt);
    const child = spawnTemporal(options, ports);
    const early = await untilReady(ports, child);
    if (early === 'ready') {
      rememberPorts(data, name, ports);
      return { ...child, address: `${host}:${ports.grpc}`, uiUrl: `http://${host}:${ports.ui}` };
    }
    const portLost = /address already in use|can't set .*port|can't bind/i.test(early.lastLines);
    if (!portLost || attempt >= portAttempts) throw earlyExit(early, options);
  }
}

async function choosePorts({ data, port, uiPort }: TemporalOptions, attempt: number): Promise<Ports> {
  const preferred: Partial<Ports> = attempt === 1 ? (readRememberedPorts<Ports>(data, name) ?? usualPorts) : {};
  const choose = async (asked: number | 'any' | undefined, usual: number | undefined) =>
    typeof asked === 'number' ? asked : freePort(asked === 'any' ? undefined : usual);
  return { grpc: await choose(port, preferred.grpc), ui: await choose(uiPort, preferred.ui) };
}

function spawnTemporal({ data, program }: TemporalOptions, { grpc, ui }: Ports): ChildServer {
  const flags: readonly (readonly [string, string])[] = [
    ['--ip', host],
    ['--port', String(grpc)],
    ['--ui-port', String(ui)],
    ['--db-filename', join(data.path, 'temporal.sqlite')],
    // Commits reach the operating system, not always the disk: nothing is lost by a kill, the last ones by a power cut.
    ['--sqlite-pragma', 'synchronous=1'],
    ['--log-level', 'warn'],
    ...Object.entries(readDynamicConfig()).map(
      ([key, value]) => ['--dynamic-config-value', `${key}=${value}`] as const,
    ),
  ];
  return startChildServer({
    name,
    data,
    command: program,
    args: ['server', 'start-dev', ...flags.flat()],
    cwd: data.path,
    // Its own environment configuration would otherwise be ours, meant for clients.
    env: Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('TEMPORAL_'))),
    stopSignal: 'SIGTERM',
  });
}

/** Waits until the server answers, or has ended. Whatever else fails, no server is left running. */
async function untilReady({ grpc }: Ports, child: ChildServer): Promise<'ready' | ChildExit> {
  let running = true;
  const ended = child.exited.then((exit) => {
    running = false;
    return exit;
  });
  const served = async (): Promise<'ready'> => {
    // Once it listens it is asked: a gRPC channel that was refused waits a second before it tries again.
    while (running && !(await listens(grpc))) await delay(pollIntervalMs);
    while (running && !(await serves(grpc))) await delay(pollIntervalMs);
    return 'ready';
  };
  try {
    const first = await Promise.race([ended, served()]);
    return running ? first : await ended;
  } catch (error) {
    await child.stop();
    throw error;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function serves(port: number): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address: `${host}:${port}`, connectTimeout: '2s' });
    try {
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

function earlyExit({ lastLines }: ChildExit, { data, program }: TemporalOptions): OperatorError {
  return new OperatorError(
    `The Temporal server (${program}) ended at once. The end of ${join(data.path, `${name}.log`)}:\n${lastLines}`,
  );
}
