// One wave: clients begin their stories at random moments while parts of the service are killed at random moments.
import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../support/service.js';
import { Outages, type Kill } from './outages.js';
import { describeOpenRuns } from './open-runs.js';
import { PatientClient } from './patient-client.js';
import type { Random } from './random.js';
import { stories, type Scene } from './workload.js';

/** Between the beginnings of two stories. */
const BETWEEN_STORIES_MS = [200, 1_500] as const;

export interface WaveReport {
  readonly kills: readonly Kill[];
  readonly stories: number;
}

/** @throws naming every story that did not end as it should, and the kills */
export async function runWave(service: Service, random: Random, folder: string): Promise<WaveReport> {
  const outages = new Outages(service, random.fork());
  const order = random.shuffled(Object.keys(stories));
  const calm = delay(BETWEEN_STORIES_MS[1]).then(() => outages.run());
  void calm.catch(() => undefined);
  const failures: string[] = [];
  const told: Promise<void>[] = [];
  for (const name of order) {
    const scene: Scene = {
      client: new PatientClient(service.url),
      random: random.fork(),
      folder,
      databaseUrl: service.databaseUrl,
      calm,
      killsDuring: (from, to) => outages.during(from, to),
    };
    told.push(tell(name, scene, failures));
    await delay(random.between(...BETWEEN_STORIES_MS));
  }
  await calm;
  await Promise.all(told);
  if (failures.length > 0) throw new Error(await describe(service, failures, outages.kills));
  return { kills: outages.kills, stories: told.length };
}

async function tell(name: string, scene: Scene, failures: string[]): Promise<void> {
  const began = Date.now();
  try {
    await stories[name]?.(scene);
  } catch (error) {
    const { stack, cause } = error as Error;
    const because = cause instanceof Error ? `\nCause: ${cause.stack}` : '';
    failures.push(`"${name}", begun at ${time(began)}: ${stack}${because}`);
  }
}

async function describe(service: Service, failures: readonly string[], kills: readonly Kill[]): Promise<string> {
  const killed = kills.map(({ at, parts }) => `  ${time(at)} ${parts.join(', ')}`);
  return [...failures, `Kills:\n${killed.join('\n')}`, await describeOpenRuns(service)].join('\n\n');
}

const time = (at: number): string => new Date(at).toISOString().slice(11, 23);
