// Agents of packages that import LangGraph: their programs (`agents/`) run in one process with LangGraph and in another
// with this engine in its place.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from '@jest/globals';
import type { EngineAlias } from '../../processes/module-redirects.js';
import { expectAlike } from './harness.js';

const run = promisify(execFile);
const folder = join(process.cwd(), 'tests', 'conformance', 'agents');
const files = readdirSync(folder).filter((file) => file !== 'agent-program.ts');

async function tracesOf(engineAlias: EngineAlias): Promise<Record<string, unknown[]>> {
  const script = join('tests', 'fixtures', 'processes', 'run-agent-programs.ts');
  const args = ['--import', 'tsx', script, engineAlias, ...files.map((file) => join(folder, file))];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 256 * 1024 * 1024 });
  return JSON.parse(stdout) as Record<string, unknown[]>;
}

const [theirs, ours] = await Promise.all([tracesOf('off'), tracesOf('on')]);

test.each(Object.keys(theirs))('%s', (name) => expectAlike(ours[name] ?? [], theirs[name] ?? []));
