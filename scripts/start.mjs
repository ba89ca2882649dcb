// npm start: everything in one process tree. Gets what is missing, then becomes `superstep dev`; options after `--` are its own.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureDependencies, root } from './dependencies.mjs';
import { main } from './progress.mjs';

await main(async () => {
  await ensureDependencies();
  await ensureBuild();
  return superstep(['dev', ...withConfig(process.argv.slice(2))]);
});

/** Without a config of the user's it serves the examples. */
function withConfig(options) {
  const named = process.env.SUPERSTEP_CONFIG || options.some((option) => /^--config(=|$)/.test(option));
  return named ? options : [...options, '--config', join(root, 'examples', 'langgraph.json')];
}

/** Runs the command in the foreground and ends as it ends. */
function superstep(args) {
  const cli = join(root, 'dist', 'processes', 'cli.js');
  const child = spawn(process.execPath, ['--enable-source-maps', cli, ...args], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the child by itself; sent to this process alone, it is passed on. Twice is harmless.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
