import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median, wallClock } from '../statistics.js';
import type { Row } from '../table.js';
import type { Subjects } from '../servers.js';

export async function measureCancel({ superstep, rounds, folder }: Subjects): Promise<Row[]> {
  const { platform } = superstep;
  const times: number[] = [];
  for (let n = 0; n < rounds * 3; n += 1) {
    const file = join(folder, `cancel-${n}`);
    const lines = () => {
      try {
        return readFileSync(file, 'utf8').trim().split('\n');
      } catch {
        return [];
      }
    };
    const thread = await platform.createThread();
    const run = await platform.createRun(thread, 'cancel', { file });
    while (lines().length < 1) await delay(10);
    const askedAt = wallClock();
    await platform.json('POST', `/threads/${thread}/runs/${run}/cancel?wait=1`);
    times.push(Number(lines()[1]) - askedAt);
  }
  return [
    {
      what: 'cancel to abort seen in the node',
      unit: 'ms',
      ours: median(times),
      target: '≤ 50 ms',
      reached: median(times) <= 50,
    },
  ];
}
