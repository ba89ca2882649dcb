// npm run check: formatting, lint, import direction, unused code, types. All of them run, also after one has failed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies, root } from './dependencies.mjs';
import { main, run } from './progress.mjs';

const checks = [
  { name: 'format', script: 'format:check' },
  { name: 'lint', script: 'lint' },
  { name: 'import direction', script: 'lint:imports' },
  { name: 'unused code', script: 'lint:unused' },
  { name: 'types', script: 'types' },
];

/** @returns how many passed and failed; the output of those that failed is printed. */
export async function runChecks() {
  let failed = 0;
  for (const { name, script } of checks) {
    const startedAt = Date.now();
    const { code, output } = await run('npm', ['run', '--silent', script], { cwd: root });
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.replace(/^/gm, '    '));
  }
  return { passed: checks.length - failed, failed };
}

if (import.meta.url === pathToFileURL(join(process.argv[1])).href) {
  await main(async () => {
    await ensureDependencies();
    const { passed, failed } = await runChecks();
    console.log(`${passed} checks passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  });
}
