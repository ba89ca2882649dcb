// The compared servers, each a process of its own on a free port, with its files in a temporary folder.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { freePort } from '../processes/free-port.js';
import { packageRoot } from '../processes/package-root.js';
import type { BareEngine } from './bare/engine.js';
import { Platform } from './platform.js';

export interface Subjects {
  readonly superstep: SuperstepService;
  readonly reference: ReferenceServer;
  readonly bare: BareEngine;
  readonly rounds: number;
  readonly folder: string;
}

const START_MS = 60_000;

/** `superstep dev`: server and worker in one process, with Temporal and Postgres of its own. */
export class SuperstepService {
  private constructor(
    readonly platform: Platform,
    readonly temporal: Client,
    readonly temporalAddress: string,
    private readonly connection: Connection,
    private readonly child: ChildProcess,
    readonly memoryAfterStartMb: number,
  ) {}

  static async start(folder: string): Promise<SuperstepService> {
    const port = await freePort();
    const data = join(folder, 'superstep');
    const child = startNode('superstep', folder, [
      join(packageRoot, 'dist', 'processes', 'cli.js'),
      ...['dev', '--config', join(packageRoot, 'bench', 'graphs', 'langgraph.json')],
      ...['--port', String(port), '--data-dir', data],
    ]);
    const platform = new Platform(`http://127.0.0.1:${port}`);
    await untilServed(platform, child, join(folder, 'superstep.log'));
    // The ports that the service remembers for its next start.
    const { grpc } = JSON.parse(readFileSync(join(data, 'temporal.ports.json'), 'utf8')) as { grpc: number };
    const address = `127.0.0.1:${grpc}`;
    const connection = await Connection.connect({ address });
    return new SuperstepService(platform, new Client({ connection }), address, connection, child, rssMb(child));
  }

  memoryMb(): number {
    return rssMb(this.child);
  }

  async stop(): Promise<void> {
    await this.connection.close();
    await stopNode(this.child);
  }
}

export class ReferenceServer {
  private constructor(
    readonly platform: Platform,
    private readonly child: ChildProcess,
  ) {}

  static async start(folder: string): Promise<ReferenceServer> {
    const port = await freePort();
    const data = join(folder, 'reference');
    mkdirSync(data);
    const script = join(packageRoot, 'bench', 'reference-server.ts');
    const child = startNode('reference', folder, ['--import', 'tsx', script, String(port), data]);
    const platform = new Platform(`http://127.0.0.1:${port}`);
    await untilServed(platform, child, join(folder, 'reference.log'));
    return new ReferenceServer(platform, child);
  }

  stop(): Promise<void> {
    return stopNode(this.child);
  }
}

function startNode(name: string, folder: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(process.execPath, args, { cwd: packageRoot, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

async function stopNode(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function untilServed(platform: Platform, child: ChildProcess, log: string): Promise<void> {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    try {
      await platform.json('GET', '/ok');
      return;
    } catch {
      if (child.exitCode !== null || Date.now() > giveUpAt) {
        throw new Error(`${platform.url} does not answer:\n${readFileSync(log, 'utf8').slice(-4_000)}`);
      }
      await delay(50);
    }
  }
}

/** Resident memory of the process alone; Temporal and Postgres are children of it. */
function rssMb(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}
