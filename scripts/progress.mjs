// What the scripts print: one line as something begins, elapsed seconds while it takes long, one line when it is done.
// Only Node's own modules: this runs before any dependency is installed.
import { spawn } from 'node:child_process';

/** In a log: often enough to see that it goes on, rarely enough for a build of minutes. */
const everyMs = 10_000;

/** A failure that its message explains completely; it is printed without a stack. */
export class SetupError extends Error {}

/** Reports elapsed time while `work` is under way: in place at a terminal, as lines in a log. */
export async function during(title, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1_000);
  const { isTTY } = process.stdout;
  console.log(`• ${title} …`);
  const tick = () => process.stdout.write(isTTY ? `\r  ${seconds()} s ` : `  ${title}: ${seconds()} s\n`);
  const timer = setInterval(tick, isTTY ? 1_000 : everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isTTY) process.stdout.write('\r');
    if (seconds() > 0) console.log(`  took ${seconds()} s`);
  }
}

/** Runs a program to its end and collects its output. Never rejects: a program that is missing has code 127. */
export function run(command, args, { cwd, env = process.env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk) => (output += chunk);
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}

/** The last lines of an output: enough to see the cause, short enough to read. */
export const tail = (output, lines = 20) => output.split('\n').slice(-lines).join('\n');

/** Runs a script's main function; a SetupError ends it with its message alone. */
export async function main(script) {
  try {
    process.exitCode = await script();
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
