// npm run bench: set-up, then the measurements of bench/; options after `--` are theirs.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureDependencies, root } from './dependencies.mjs';
import { main } from './progress.mjs';
import { ensureTemporal } from './temporal-binary.mjs';

await main(async () => {
  await ensureDependencies();
  await ensureBuild();
  const env = { ...process.env, TEMPORAL_CLI_PATH: await ensureTemporal() };
  const args = ['--import', 'tsx', join(root, 'bench', 'run.ts'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
