import { throughput } from '../statistics.js';
import type { Row } from '../table.js';
import type { Subjects } from '../servers.js';

const RUNS = 1_000;
const WAITING = 200;

export async function measureMemory({ superstep }: Subjects): Promise<Row[]> {
  const { platform } = superstep;
  const fresh = superstep.memoryAfterStartMb;
  const oneRun = async () => {
    await platform.wait(await platform.createThread(), 'one', { count: 0 });
  };
  await throughput(200, 8, oneRun); // Caches and the heap reach their size.
  const before = superstep.memoryMb();
  await throughput(RUNS, 8, oneRun);
  const after = superstep.memoryMb();
  await throughput(WAITING, 8, async () => {
    await platform.wait(await platform.createThread(), 'ask', { answer: '' });
  });
  await throughput(200, 8, oneRun); // Pushes the waiting ones out of the worker's cache.
  const waiting = superstep.memoryMb();
  return [
    {
      what: 'memory of server + worker after start',
      unit: 'MB',
      ours: fresh,
      target: '≤ 350 MB',
      reached: fresh <= 350,
    },
    {
      what: `growth over ${RUNS} runs`,
      unit: 'MB',
      ours: after - before,
      target: '≤ 30 MB',
      reached: after - before <= 30,
    },
    {
      what: `growth with ${WAITING} waiting runs, evicted`,
      unit: 'MB',
      ours: waiting - after,
      target: 'nothing but noise (≤ 20 MB)',
      reached: waiting - after <= 20,
    },
  ];
}
