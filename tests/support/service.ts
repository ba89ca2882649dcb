// The real service for black-box tests: Temporal, Postgres, server and workers as processes of their own, on free ports
// and in a temporary folder. Any part can be killed and started again; everything is stopped, by process id, at the end.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDataFolder, type DataFolder } from '../../processes/data-folder.js';
import { freePort } from '../../processes/free-port.js';
import { createLog } from '../../processes/log.js';
import { packageRoot } from '../../processes/package-root.js';
import { startPostgres, type PostgresServer } from '../../processes/postgres-server.js';
import { startTemporal, type TemporalServer } from '../../processes/temporal-server.js';
import { allStarted } from './all-started.js';
import { temporalProgram } from './temporal-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

const cli = join(packageRoot, 'dist', 'processes', 'cli.js');
export const fixturesConfig = join(packageRoot, 'tests', 'fixtures', 'graphs', 'langgraph.json');

export type Part = 'server' | 'temporal' | 'postgres' | `worker-${number}`;

export interface ServiceOptions {
  /** Path of the langgraph.json. */
  readonly config?: string;
  /** Workers, each a process beside the server's. */
  readonly workers?: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface NodePart {
  readonly args: readonly string[];
  process: ChildProcess;
  exited: Promise<void>;
}

/** Server, workers, Temporal and Postgres, each a process of its own. Readers poll the log: there is no shared bus. */
export class Service {
  readonly #folder: string;
  readonly #data: DataFolder;
  readonly #options: ServiceOptions;
  readonly #parts = new Map<Part, NodePart>();
  #temporal: TemporalServer | undefined;
  #postgres: PostgresServer | undefined;
  #port = 0;
  /** Killed on purpose, and not started again yet. */
  readonly #down = new Set<Part>();
  #stopping = false;

  private constructor(options: ServiceOptions) {
    this.#options = options;
    this.#folder = temporaryFolder('service');
    this.#data = openDataFolder(join(this.#folder, 'data'));
  }

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const service = new Service(options);
    try {
      service.#port = await freePort();
      await allStarted([service.startTemporal(), service.startPostgres()]);
      service.startNode('server');
      for (let n = 1; n <= (options.workers ?? 2); n += 1) service.startNode(`worker-${n}`);
      await service.ready();
      return service;
    } catch (error) {
      const logs = service.logs();
      await service.stop();
      throw new Error(`The service did not start: ${(error as Error).message}\n${logs}`, { cause: error });
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }
  get databaseUrl(): string {
    if (this.#postgres === undefined) throw new Error('Postgres is not running.');
    return this.#postgres.url;
  }
  get temporalAddress(): string {
    if (this.#temporal === undefined) throw new Error('Temporal is not running.');
    return this.#temporal.address;
  }
  get workerNames(): Part[] {
    return [...this.#parts.keys()].filter((part) => part.startsWith('worker-'));
  }
  pidOf(part: Part): number | undefined {
    if (part === 'temporal') return this.#temporal?.pid;
    if (part === 'postgres') return this.#postgres?.pid;
    return this.#parts.get(part)?.process.pid;
  }

  /** Waits until the server answers. */
  async ready(): Promise<void> {
    await until('the server answers /ok', async () => (await fetch(`${this.url}/ok`)).ok, { withinMs: 120_000 });
  }

  /** SIGKILL, and waits until the process is gone. It is not started again. */
  async kill(part: Part): Promise<void> {
    if (part === 'temporal' || part === 'postgres') {
      const child = part === 'temporal' ? this.#temporal : this.#postgres;
      if (child === undefined) return;
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
      return;
    }
    const node = this.#parts.get(part);
    if (node === undefined) throw new Error(`There is no ${part}.`);
    this.#down.add(part);
    node.process.kill('SIGKILL');
    await node.exited;
  }

  /** SIGTERM, and waits for its end. */
  async terminate(part: 'server' | `worker-${number}`): Promise<void> {
    const node = this.#parts.get(part);
    if (node === undefined) throw new Error(`There is no ${part}.`);
    this.#down.add(part);
    node.process.kill('SIGTERM');
    await node.exited;
  }

  /** Starts a part that was killed, where it was. */
  async restart(part: Part): Promise<void> {
    if (part === 'temporal') return this.startTemporal();
    if (part === 'postgres') return this.startPostgres();
    this.startNode(part);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const nodes = [...this.#parts.values()];
    for (const { process: child } of nodes) child.kill('SIGKILL');
    await Promise.all(nodes.map(({ exited }) => exited));
    await Promise.all([this.#temporal?.stop(), this.#postgres?.stop()]);
    this.#data.release();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What the processes wrote; for the message of a failed test. */
  logs(): string {
    return [...this.#parts.keys()]
      .map((part) => `--- ${part}\n${readFileSync(this.logFile(part), 'utf8').split('\n').slice(-60).join('\n')}`)
      .join('\n');
  }
  logFile(part: Part): string {
    return join(this.#folder, `${part}.log`);
  }

  private async startTemporal(): Promise<void> {
    const last = this.#temporal && Number(this.#temporal.address.split(':')[1]);
    const options = last === undefined ? ({ port: 'any', uiPort: 'any' } as const) : { port: last };
    this.#temporal = await startTemporal({ data: this.#data, log, program: await temporalProgram(), ...options });
  }

  private async startPostgres(): Promise<void> {
    const last = this.#postgres && Number(new URL(this.#postgres.url).port);
    this.#postgres = await startPostgres({ data: this.#data, log, ...(last !== undefined && { port: last }) });
  }

  private startNode(part: 'server' | `worker-${number}`): void {
    this.#down.delete(part);
    const config = ['--config', this.#options.config ?? fixturesConfig];
    const args = part === 'server' ? ['server', ...config, '--port', String(this.#port)] : ['worker', ...config];
    const output = openSync(this.logFile(part), 'a');
    const child = spawn(process.execPath, [cli, ...args], {
      env: {
        ...cleanEnvironment(),
        DATABASE_URL: this.databaseUrl,
        TEMPORAL_ADDRESS: this.temporalAddress,
        // For graphs that call other graphs of the same deployment.
        SERVICE_URL: this.url,
        ...this.#options.env,
      },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.#parts.set(part, { args, process: child, exited });
    // A worker that a graph killed comes back, as under any process supervisor.
    void exited.then(() => {
      if (!this.#stopping && !this.#down.has(part)) this.startNode(part);
    });
  }
}

const log = createLog({ level: 'error', format: 'text' });

/** Ours without what would change the service's behaviour. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TEMPORAL_|SUPERSTEP_|DATABASE_URL|PORT$|HOST$|NODE_OPTIONS|JEST_)/.test(name),
  );
  return { ...Object.fromEntries(kept), NODE_ENV: 'test', LOG_JSON: 'true' };
}
