// The README's two minutes, as written: start, run, see it wait, kill everything, start again, approve, replay.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../processes/free-port.js';
import { packageRoot } from '../../processes/package-root.js';
import { commandBlocks } from '../support/markdown.js';
import { cleanEnvironment } from '../support/service.js';
import { temporalProgram } from '../support/temporal-program.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const START_TIMEOUT_MS = 180_000;
const README_URL = 'http://127.0.0.1:2024';
const blocks = new Map(
  commandBlocks(readFileSync(join(packageRoot, 'README.md'), 'utf8')).map(({ name, text }) => [name, text]),
);

let folder: string;
let port: number;
let service: ChildProcess;
let output = '';

beforeAll(async () => {
  folder = temporaryFolder('readme');
  port = await freePort();
  await start();
}, START_TIMEOUT_MS);
afterAll(async () => {
  if (service.exitCode === null && service.signalCode === null) {
    service.kill('SIGINT');
    await once(service, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** The block `start`, on a port and in a folder of its own. */
async function start(): Promise<void> {
  const [command = '', ...words] = (blocks.get('start') ?? '').split(' ');
  const options = [...words, '--', '--port', String(port), '--data-dir', folder];
  const env = { ...cleanEnvironment(), TEMPORAL_CLI_PATH: await temporalProgram() };
  output = '';
  service = spawn(command, options, { cwd: packageRoot, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (bytes) => (output += String(bytes)));
  await until('the service to say where it is', () => output.includes(`Superstep    http://127.0.0.1:${port}`), {
    withinMs: START_TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  });
}

/** Runs blocks in one shell, as a reader does who goes on in the same terminal. */
async function run(...names: string[]): Promise<string> {
  const script = names.map((name) => (blocks.get(name) ?? '').replaceAll(README_URL, `http://127.0.0.1:${port}`));
  const { stdout } = await promisify(execFile)('sh', ['-euc', script.join('\n')], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

test('the two minutes of the README hold as written', async () => {
  const streamed = await run('run');
  expect(streamed).toMatch(/^event: metadata$/m);
  expect(streamed).toMatch(/^event: messages$/m);
  expect(streamed).toMatch(/__interrupt__/);
  const waiting = JSON.parse(await run('state')) as { next: string[]; tasks: { interrupts: unknown[] }[] };
  expect(waiting.next).toHaveLength(1);
  expect(waiting.tasks[0]?.interrupts).toHaveLength(1);

  process.kill(-(service.pid ?? 0), 'SIGKILL');
  await once(service, 'exit');
  await start();

  expect(JSON.parse(await run('state'))).toEqual(waiting);
  const answers = await run('approve', 'replay');
  expect(answers).toMatch(/"outcome":/);
  expect(answers).toMatch(/^event: metadata$/m);
  const ended = JSON.parse(await run('state')) as { next: string[]; values: { outcome?: string } };
  expect(ended.next).toEqual([]);
  expect(ended.values.outcome).toBeTruthy();
}, 300_000);

test('Ctrl-C, which reaches npm and all below it, stops everything in good order', async () => {
  process.kill(-(service.pid ?? 0), 'SIGINT');
  await until('the service to say that it has stopped', () => output.includes('Stopped;'));
  await until('the database to be let go', () => !existsSync(join(folder, 'postgres.json')));
  await until('the data folder to be let go', () => !existsSync(join(folder, 'owner.json')));
}, 60_000);
