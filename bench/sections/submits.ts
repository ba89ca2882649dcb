// A client that sends the next run as soon as the one before has settled: the workflow is then just closing.
import { median, timed } from '../statistics.js';
import type { Row } from '../table.js';
import type { Subjects } from '../servers.js';

const SUBMITS = 300;

export async function measureSubmits({ superstep }: Subjects): Promise<Row[]> {
  const { platform } = superstep;
  const thread = await platform.createThread();
  const accepts: number[] = [];
  const runs: string[] = [];
  for (let n = 0; n < SUBMITS; n += 1) {
    let run = '';
    accepts.push(await timed(async () => (run = await platform.createRun(thread, 'one', { count: n }))));
    runs.push(run);
    await platform.json('GET', `/threads/${thread}/runs/${run}/join`);
  }
  const history = await platform.json<{ metadata: { run_id?: string; step?: number } }[]>(
    'POST',
    `/threads/${thread}/history`,
    { limit: 1_000 },
  );
  const ran = history.map(({ metadata }) => metadata.run_id).reverse();
  const order = ran.filter((run, n) => run !== ran[n - 1]);
  const once = order.length === SUBMITS && order.every((run, n) => run === runs[n]);
  const [typical, slowest] = [median(accepts), Math.max(...accepts)];
  return [
    {
      what: `submit behind a run that just settled, ${SUBMITS} times: accept`,
      unit: 'ms',
      ours: typical,
      target: `median ≤ 80 ms, none over 1 s (slowest ${slowest.toFixed(0)} ms), each once and in order (${once ? 'yes' : 'NO'})`,
      reached: typical <= 80 && slowest <= 1_000 && once,
    },
  ];
}
