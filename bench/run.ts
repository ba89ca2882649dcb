// `npm run bench`: our service beside the bare engine and the reference server, in one run on one Temporal server.
// Prints a table with ratios. Every figure is the median of ROUNDS rounds, and the rounds of the compared are interleaved.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BareEngine } from './bare/engine.js';
import { machine, writeTable } from './page.js';
import { ReferenceServer, SuperstepService } from './servers.js';
import { measureCancel } from './sections/cancel.js';
import { measureEvents, measureRejoin } from './sections/events.js';
import { measureHistory } from './sections/history.js';
import { measureMemory } from './sections/memory.js';
import { measureSubmits } from './sections/submits.js';
import { measureRuns, measureSteps } from './sections/runs.js';
import { table, type Row } from './table.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const folder = mkdtempSync(join(tmpdir(), 'superstep-bench-'));
chmodSync(folder, 0o711); // As root Postgres runs as another user, who has to reach its data.
const superstep = await SuperstepService.start(folder);
const reference = await ReferenceServer.start(folder);
const bare = await BareEngine.start(superstep.temporalAddress);
const subjects = { superstep, reference, bare, rounds, folder };
const sections: Record<string, () => Promise<Row[]>> = {
  runs: () => measureRuns(subjects),
  steps: () => measureSteps(subjects),
  events: () => measureEvents(subjects),
  rejoin: () => measureRejoin(subjects),
  history: () => measureHistory(subjects),
  submits: () => measureSubmits(subjects),
  cancel: () => measureCancel(subjects),
  memory: () => measureMemory(subjects),
};
const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(sections)) {
    if (only.length > 0 && !only.includes(name)) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await measure()));
  }
} finally {
  await Promise.allSettled([bare.stop(), reference.stop()]);
  await superstep.stop();
  rmSync(folder, { recursive: true, force: true });
}
const text = `${machine()}; median of ${rounds} rounds\n\n${table(rows)}\n`;
console.log(text);
if (process.argv.includes('--write')) writeTable('service table', text);
