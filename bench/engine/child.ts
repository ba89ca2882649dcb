// One workload on one engine, in a process of its own: prints the median time and how far the process's memory grew.
import { median, repeat } from '../statistics.js';
import { workloads, type Library, type WorkloadName } from './workloads.js';

/** What the process prints, as JSON. */
export interface Measurement {
  /** Median of the timed calls, in milliseconds. */
  readonly ms: number;
  /** Peak resident memory over what it was before the first call, in MB. */
  readonly memory: number;
}

const WARM_UPS = 2;
const CALLS = 5;
const KB = 1_024;
const MB = KB * KB;

const [engine, name] = process.argv.slice(2);
const library = (await import(
  engine === 'superstep' ? '../../graph-core/index.js' : '@langchain/langgraph'
)) as unknown;
const { MemorySaver } = await import('@langchain/langgraph-checkpoint');
const run = workloads[name as WorkloadName].prepare({ MemorySaver, ...(library as object) } as Library);
globalThis.gc?.();
const before = process.memoryUsage.rss();
await repeat(WARM_UPS, run);
const ms = median(await repeat(CALLS, run));
// maxRSS is in kilobytes.
const memory = (process.resourceUsage().maxRSS * KB - before) / MB;
console.log(JSON.stringify({ ms, memory } satisfies Measurement));
