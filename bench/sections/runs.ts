// Whole runs and single supersteps.
import { median, repeat, throughput, timed } from '../statistics.js';
import type { Row } from '../table.js';
import type { Subjects } from '../servers.js';

const RUNS_PER_ROUND = 15;
const THROUGHPUT_RUNS = 60;
const CONCURRENCY = 8;
const STEPS = 10;

export async function measureRuns({ superstep, reference, bare, rounds }: Subjects): Promise<Row[]> {
  const oneRun = (platform: typeof superstep.platform) => async () => {
    await platform.wait(await platform.createThread(), 'one', { count: 1 });
  };
  const ours = oneRun(superstep.platform);
  const theirs = oneRun(reference.platform);
  await repeat(5, ours);
  await repeat(2, theirs);
  await repeat(5, () => bare.sequence(1));
  const figures = { ours: [] as number[], theirs: [] as number[], bare: [] as number[] };
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    figures.ours.push(median(await repeat(RUNS_PER_ROUND, ours)));
    figures.bare.push(median(await repeat(RUNS_PER_ROUND, () => bare.sequence(1))));
    figures.theirs.push(median(await repeat(RUNS_PER_ROUND, theirs)));
    rates.ours.push(await throughput(THROUGHPUT_RUNS, CONCURRENCY, ours));
    rates.bare.push(await throughput(THROUGHPUT_RUNS, CONCURRENCY, () => bare.sequence(1)));
  }
  const [run, bareRun, referenceRun] = [median(figures.ours), median(figures.bare), median(figures.theirs)];
  const [rate, bareRate] = [median(rates.ours), median(rates.bare)];
  return [
    {
      what: 'create thread + wait for a one-node run',
      unit: 'ms',
      ours: run,
      bare: bareRun,
      reference: referenceRun,
      target: '≤ 1.2 × bare, ≤ 0.4 × reference',
      reached: run <= 1.2 * bareRun && run <= 0.4 * referenceRun,
    },
    {
      what: `one-node runs at concurrency ${CONCURRENCY}`,
      unit: 'runs/s',
      ours: rate,
      bare: bareRate,
      target: '≥ 0.7 × bare',
      reached: rate >= 0.7 * bareRate,
    },
  ];
}

/** A chain of ten less a run of one, by nine: what one more superstep costs. */
export async function measureSteps({ superstep, bare, rounds }: Subjects): Promise<Row[]> {
  const { platform } = superstep;
  const rows: Row[] = [];
  for (const { bytes, label, limit } of [
    { bytes: 1_000, label: '1 KB', limit: 1.25 },
    { bytes: 100_000, label: '100 KB', limit: 1.5 },
  ]) {
    const input = { count: 0, filler: 'x'.repeat(bytes) };
    const chain = async (graph: string) => {
      const thread = await platform.createThread();
      return timed(() => platform.wait(thread, graph, input));
    };
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const ten: number[] = [];
      const single: number[] = [];
      const bareTen: number[] = [];
      const bareOne: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        ten.push(await chain('chain10'));
        bareTen.push(await timed(() => bare.sequence(STEPS)));
        single.push(await chain('one'));
        bareOne.push(await timed(() => bare.sequence(1)));
      }
      ours.push((median(ten) - median(single)) / (STEPS - 1));
      theirs.push((median(bareTen) - median(bareOne)) / (STEPS - 1));
    }
    const [step, bareStep] = [median(ours), median(theirs)];
    rows.push({
      what: `one superstep in a chain of ${STEPS}, ${label} of state`,
      unit: 'ms',
      ours: step,
      bare: bareStep,
      target: `≤ ${limit} × bare without payload`,
      reached: step <= limit * bareStep,
    });
  }
  return rows;
}
