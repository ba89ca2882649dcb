// SIGKILL at random moments: of a worker, the server, both, Temporal, Postgres. SUPERSTEP_FAULT_KILLS says how many,
// SUPERSTEP_FAULT_SEED repeats the choices (not the machine's timing).
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../support/service.js';
import { KILLS_PER_WAVE } from './outages.js';
import { Random } from './random.js';
import { runWave } from './wave.js';

const kills = Number(process.env.SUPERSTEP_FAULT_KILLS ?? 10);
const firstSeed = Number(process.env.SUPERSTEP_FAULT_SEED ?? Date.now() % 1_000_000);
const waves = Array.from({ length: Math.ceil(kills / KILLS_PER_WAVE) }, (_, index) => ({ seed: firstSeed + index }));

const WAVE_TIMEOUT_MS = 600_000;

let service: Service;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'superstep-faults-'));
  service = await Service.start({
    workers: 2,
    env: { SUPERSTEP_STEP_ATTEMPTS: '100', SUPERSTEP_HEARTBEAT_TIMEOUT_SECONDS: '3' },
  });
}, 240_000);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

test.each(waves)(
  'runs survive kills at random moments (seed $seed)',
  async ({ seed }) => {
    try {
      const report = await runWave(service, new Random(seed), folder);
      expect(report.kills).toHaveLength(KILLS_PER_WAVE);
    } catch (error) {
      const { message } = error as Error;
      const logs = service.logs();
      throw new Error(`To repeat: SUPERSTEP_FAULT_SEED=${seed}\n${message}\n\n${logs}`, { cause: error });
    }
  },
  WAVE_TIMEOUT_MS,
);
