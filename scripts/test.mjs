// npm test: set-up, checks, build, all tests. With --faults: only the fault tests, with many more kills.
// The last line is "N passed, N failed": tests, checks and the build, each counted as one.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './build.mjs';
import { runChecks } from './check.mjs';
import { ensureDependencies, root } from './dependencies.mjs';
import { ensureTemporal } from './temporal-binary.mjs';

const long = process.argv.includes('--faults');
const faultKills = long ? '50' : '10';
const projects = long ? ['faults'] : ['unit', 'service', 'faults'];

/** How long one project's tests may take in all, and Jest after its last test: what a test left running must not keep it. */
const longestMs = (long ? 170 : 45) * 60_000;
const endingMs = 60_000;

/**
 * Of the hundreds of modules that each of the many unit test files loads, Jest lets go of few (ECMAScript modules, in
 * contexts of their own): one process for all of them would end near the limit of its heap, and spend its time there.
 */
const inWorkers = ['--maxWorkers=2', '--workerIdleMemoryLimit=1GB'];

const total = { passed: 0, failed: 0 };
const count = ({ passed, failed }) => {
  total.passed += passed;
  total.failed += failed;
};

await attempt('set-up', ensureDependencies);
if (total.failed === 0) {
  await attempt('build', ensureBuild);
  let temporal;
  await attempt('Temporal server', async () => (temporal = await ensureTemporal()));
  // Beside the unit tests, many of which wait for other processes.
  const checks = long ? undefined : attemptChecks();
  for (const project of projects) {
    count(await jest(project, temporal));
    await checks;
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Counts as one test. */
async function attempt(name, work) {
  try {
    await work();
    count({ passed: 1, failed: 0 });
  } catch (error) {
    console.error(`✗ ${name}: ${error.message}`);
    count({ passed: 0, failed: 1 });
  }
}

async function attemptChecks() {
  try {
    count(await runChecks());
  } catch (error) {
    console.error(`✗ checks: ${error.message}`);
    count({ passed: 0, failed: 1 });
  }
}

async function jest(project, temporal) {
  const folder = mkdtempSync(join(tmpdir(), 'superstep-test-'));
  const report = join(folder, 'report.json');
  const args = ['--experimental-vm-modules', join(root, 'node_modules/jest/bin/jest.js')];
  args.push('--selectProjects', project, '--passWithNoTests', '--json', `--outputFile=${report}`);
  if (project === 'unit') args.push(...inWorkers);
  try {
    const code = await runJest(args, testEnvironment(temporal), () => existsSync(report));
    return countReport(JSON.parse(readFileSync(report, 'utf8')), code);
  } catch (error) {
    console.error(`✗ ${project} tests did not end properly: ${error.message}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that does not load has no tests to count, and an exit code may say more than the report: neither passes. */
function countReport({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites }, code) {
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** Tests bring their own servers: what the environment says about a service of the user's is not for them. */
function testEnvironment(temporal) {
  const foreign = /^(TEMPORAL_|SUPERSTEP_(?!FAULT_)|LANGGRAPH_|DATABASE_URL$|PORT$|HOST$|LOG_)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    SUPERSTEP_FAULT_KILLS: faultKills,
    ...Object.fromEntries(kept),
    ...(temporal && { TEMPORAL_CLI_PATH: temporal }),
  };
}

/** @returns its exit code. Where Jest does not end by itself it is ended, and with it the servers that it started. */
function runJest(args, env, hasReported) {
  return new Promise((resolve, reject) => {
    // Jest prints its JSON only into the file; its progress goes to stderr.
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const giveUpAt = Date.now() + longestMs;
    let endsBy = Infinity;
    const watch = setInterval(() => {
      if (endsBy === Infinity && hasReported()) endsBy = Date.now() + endingMs;
      if (Date.now() < Math.min(giveUpAt, endsBy)) return;
      console.error(
        `✗ Jest did not end ${endsBy === Infinity ? `in ${longestMs / 60_000} minutes` : 'after its tests'}`,
      );
      child.kill('SIGKILL');
    }, 1_000);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(watch);
      resolve(code ?? 1);
    });
  });
}
