// `superstep dev` killed with all it runs, and started again: there server and worker share a process and a live bus, so
// readers see entries that were never logged.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../processes/free-port.js';
import { packageRoot } from '../../processes/package-root.js';
import { tokenText } from '../fixtures/graphs/tok.js';
import { cleanEnvironment, fixturesConfig } from '../support/service.js';
import { readSse, type SseEvent } from '../support/sse.js';
import { temporalProgram } from '../support/temporal-program.js';
import { until } from '../support/until.js';
import { checkMessages, readThroughOutages } from './durable-reader.js';
import { PatientClient } from './patient-client.js';
import { Random } from './random.js';

const START_TIMEOUT_MS = 180_000;
const seed = Number(process.env.SUPERSTEP_FAULT_SEED ?? Date.now() % 1_000_000);

let folder: string;
let client: PatientClient;
let dev: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'superstep-dev-'));
  client = new PatientClient(`http://127.0.0.1:${await freePort()}`);
  await startDev();
}, START_TIMEOUT_MS);
afterAll(async () => {
  dev.kill('SIGTERM');
  if (dev.exitCode === null && dev.signalCode === null) await once(dev, 'exit');
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function startDev(): Promise<void> {
  const cli = join(packageRoot, 'dist', 'processes', 'cli.js');
  const options = ['--config', fixturesConfig, '--port', new URL(client.platform.url).port, '--data-dir', folder];
  const log = join(folder, 'dev.log');
  const output = openSync(log, 'a');
  const env = { ...cleanEnvironment(), TEMPORAL_CLI_PATH: await temporalProgram(), SUPERSTEP_STEP_ATTEMPTS: '10' };
  dev = spawn(process.execPath, [cli, 'dev', ...options], { env, stdio: ['ignore', output, output] });
  closeSync(output);
  await until('dev serves', async () => (await fetch(`${client.platform.url}/ok`)).ok, {
    withinMs: START_TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}\n${readFileSync(log, 'utf8').slice(-4_000)}`, { cause: error });
  });
}

async function killDev(): Promise<void> {
  dev.kill('SIGKILL');
  await once(dev, 'exit');
}

test('a killed dev goes on where it was: the stream with its reader, the question with its asker', async () => {
  const random = new Random(seed);
  const asking = await client.thread();
  const question = await client.submit(asking, 'ask', { input: {} });
  const asked = await client.asked(asking, 1);

  const tokens = 60;
  const thread = await client.thread();
  const ids = await client.submit(thread, 'tok', {
    input: { tokens, delayMs: 100, messages: [] },
    stream_mode: ['messages-tuple', 'values'],
    stream_resumable: true,
  });
  const events: SseEvent[] = [];
  const reading = readThroughOutages(client, ids, random, events);
  for (let kill = 0; kill < 2; kill += 1) {
    const seen = events.length + random.between(5, 30);
    await until('the reader to be in the middle of the stream', () => events.length >= seen, { withinMs: 120_000 });
    await killDev();
    await startDev();
  }
  await reading;
  expect(await client.status(ids)).toBe('success');
  checkMessages(events, tokenText(tokens));
  // What was only shown is not in the log; what is in the log was shown.
  const replay = await readSse(`${client.platform.url}/threads/${thread}/runs/${ids.run}/stream`, { lastEventId: -1 });
  const replayed = new Set(replay.map(({ id }) => id));
  expect(events.filter(({ id }) => replayed.has(id))).toEqual(replay);
  const history = await client.ask<{ metadata: { step: number } }[]>('GET', `/threads/${thread}/history?limit=100`);
  expect(history.map(({ metadata }) => metadata.step)).toEqual([1, 0, -1]);

  expect(await client.asked(asking, 1)).toEqual(asked);
  await client.resume(question, 'yes');
  expect(await client.ended(question)).toBe('success');
  expect((await client.state(asking)).values).toMatchObject({ v: 'yes' });
}, 600_000);
