// `npm run bench:engine`: graph-core and LangGraph.js on the same programs, in one run. Each measurement has a process
// of its own, the engines take turns, and every figure is the median of ROUNDS rounds.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { machine, writeTable } from '../page.js';
import { median } from '../statistics.js';
import type { Measurement } from './child.js';
import { workloads, type WorkloadName } from './workloads.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const ENGINES = ['superstep', 'langgraph'] as const;

function measure(engine: (typeof ENGINES)[number], name: string): Measurement {
  const args = ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, 'child.ts'), engine, name];
  const env = { ...process.env, LANGCHAIN_TRACING_V2: 'false', LANGSMITH_TRACING: 'false' };
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env })) as Measurement;
}

function rowOf(name: WorkloadName): readonly string[] {
  process.stderr.write(`${name} …\n`);
  const measured = { superstep: [] as Measurement[], langgraph: [] as Measurement[] };
  for (let round = 0; round < rounds; round += 1)
    for (const engine of ENGINES) measured[engine].push(measure(engine, name));
  const figure = (engine: (typeof ENGINES)[number], of: keyof Measurement): number =>
    median(measured[engine].map((measurement) => measurement[of]));
  const time = figure('superstep', 'ms') / figure('langgraph', 'ms');
  const memory = figure('superstep', 'memory') / figure('langgraph', 'memory');
  const { target } = workloads[name];
  return [
    name,
    figure('superstep', 'ms').toFixed(1),
    figure('langgraph', 'ms').toFixed(1),
    `${time.toFixed(2)} ×`,
    `≤ ${target} ×`,
    figure('superstep', 'memory').toFixed(0),
    figure('langgraph', 'memory').toFixed(0),
    `${memory.toFixed(2)} ×`,
    '≤ 1 ×',
    time <= target && memory <= 1 ? 'yes' : '**no**',
  ];
}

const names = Object.keys(workloads) as WorkloadName[];
const rows = names.filter((name) => only.length === 0 || only.some((word) => name.includes(word))).map(rowOf);
const head = [
  'workload',
  'superstep (ms)',
  'LangGraph.js (ms)',
  'time',
  'target',
  'superstep (MB)',
  'LangGraph.js (MB)',
  'memory',
  'target',
  'reached',
];
const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const text = `${machine()}; median of ${rounds} rounds\n\n${table}\n`;
console.log(text);
if (process.argv.includes('--write')) writeTable('engine table', text);
