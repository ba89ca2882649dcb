// npm run bench, npm run bench:engine: set-up, then the measurements of bench/; options after `--` are theirs.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureDependencies, root } from './dependencies.mjs';
import { main } from './progress.mjs';
import { ensureTemporal } from './temporal-binary.mjs';

const options = process.argv.slice(2);
const engineOnly = options[0] === '--engine';

await main(async () => {
  await ensureDependencies();
  const env = engineOnly ? process.env : await serviceEnv();
  const bench = engineOnly ? join('engine', 'run.ts') : 'run.ts';
  const args = ['--import', 'tsx', join(root, 'bench', bench), ...options.filter((option) => option !== '--engine')];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});

async function serviceEnv() {
  await ensureBuild();
  return { ...process.env, TEMPORAL_CLI_PATH: await ensureTemporal() };
}
