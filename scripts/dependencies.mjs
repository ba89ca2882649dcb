// Makes node_modules what package-lock.json says.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { during, run, SetupError } from './progress.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const oldestNode = [20, 10];

export async function ensureDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    throw new SetupError(`Superstep needs Node.js ${oldestNode.join('.')} or later; this is ${process.versions.node}.`);
  }
  if (installed()) return;
  await withLock(join(root, '.superstep', 'install.lock'), async () => {
    if (installed()) return;
    const { code, output } = await during('Installing dependencies (npm ci)', npmCi);
    if (code !== 0) throw new SetupError(`Dependencies could not be installed. npm says:\n${head(output)}`);
  });
}

/** npm puts the cause first and its usage after it. */
const head = (output) => output.split('\n').slice(0, 8).join('\n');

/**
 * npm notes what it has installed in a lock file of its own. It holds the same packages, less those that are optional
 * and meant for other platforms.
 */
function installed() {
  const wanted = packages(join(root, 'package-lock.json'));
  const present = packages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined)
    throw new SetupError('package-lock.json is missing; get it back with "git checkout package-lock.json".');
  if (present === undefined) return false;
  const missing = Object.entries(wanted).filter(
    ([path, { version, optional }]) => path !== '' && (path in present ? present[path].version !== version : !optional),
  );
  return missing.length === 0 && Object.keys(present).every((path) => path in wanted);
}

function packages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function npmCi() {
  // Under "npm start" npm names its own program, which need not be the first one on PATH.
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ];
  return run(npm[0], [...npm.slice(1), ...args], { cwd: root });
}
