// npm run build: dist/ from the sources, and the workflow bundle, which workers would otherwise make at each start.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies, root } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { during, main, run, SetupError, tail } from './progress.mjs';

const dist = join(root, 'dist');
const bundleFile = join(dist, 'workflow-bundle.js');
const stampFile = join(dist, '.stamp.json');

/** Nothing is done where the sources, the compiler's options and the dependencies are those of the last build. */
export async function ensureBuild() {
  if (isCurrent()) return;
  await withLock(join(root, '.superstep', 'build.lock'), async () => {
    if (!isCurrent()) await during('Building', build);
  });
}

function isCurrent() {
  return existsSync(bundleFile) && readStamp()?.hash === inputs().hash;
}

async function build() {
  const { files, hash } = inputs();
  const previous = readStamp();
  // The compiler does not remove what it made from a file that is gone.
  if (previous?.files.some((file) => !files.includes(file))) rmSync(dist, { recursive: true, force: true });
  rmSync(stampFile, { force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await run(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root });
  if (code !== 0) throw new SetupError(`The sources do not compile:\n${tail(output, 40)}`);
  await bundleWorkflows();
  writeFileSync(stampFile, JSON.stringify({ hash, files }));
}

async function bundleWorkflows() {
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const quiet = () => {};
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({ workflowsPath: join(dist, 'workflows', 'index.js'), logger });
  writeFileSync(`${bundleFile}.new`, code);
  renameSync(`${bundleFile}.new`, bundleFile);
}

/** Every file that the build reads, and a hash over their names and contents. */
function inputs() {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
  const sources = include.flatMap((folder) => sourcesBelow(folder));
  const files = [...sources, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'scripts/build.mjs'];
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return { files, hash: hash.digest('hex') };
}

function sourcesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .sort();
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureDependencies();
    mkdirSync(dist, { recursive: true });
    await ensureBuild();
    return 0;
  });
}
