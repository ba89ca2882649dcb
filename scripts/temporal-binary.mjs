// Finds the program of the Temporal dev server, or gets it. In this order: the one that TEMPORAL_CLI_PATH names, the one on
// PATH, an earlier copy in the user's cache folder, a download, a build with Go. Only Node's own modules.
import { accessSync, constants, createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withLock } from './lock.mjs';
import { during, run, SetupError, tail } from './progress.mjs';

/** Its server is 1.29, which the recorded histories and the numbers in bench/ are from. */
const cliVersion = '1.5.1';
const oldestServer = [1, 29];
const connectTimeoutMs = 10_000;
const downloadTimeoutMs = 300_000;

/** @returns the path of a `temporal` program that runs on this machine. */
export async function ensureTemporal(environment = process.env) {
  const named = environment.TEMPORAL_CLI_PATH;
  if (named) {
    if (await serverVersion(named)) return named;
    throw new SetupError(`TEMPORAL_CLI_PATH names ${named}, which does not run as a Temporal CLI with a server in it.`);
  }
  const onPath = await findOnPath(environment.PATH ?? '');
  if (onPath) return onPath;
  const folder = join(
    environment.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'superstep',
    `temporal-cli-${cliVersion}`,
  );
  const cached = join(folder, 'temporal');
  if (await serverVersion(cached)) return cached;
  return withLock(join(folder, 'get.lock'), async () => ((await serverVersion(cached)) ? cached : get(folder, cached)));
}

async function findOnPath(path) {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, 'temporal');
    if (!isExecutable(candidate)) continue;
    const version = await serverVersion(candidate);
    if (version && isRecent(version)) return candidate;
    console.log(
      `• Not using ${candidate}: ${version ? `its server is ${version}, older than ${oldestServer.join('.')}` : 'it does not run'}`,
    );
  }
  return undefined;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Of the server inside: "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)". */
async function serverVersion(program) {
  if (!isExecutable(program)) return undefined;
  const { code, output } = await run(program, ['--version'], { timeoutMs: 30_000 });
  return code === 0 ? /Server (\d+\.\d+[^,)]*)/.exec(output)?.[1] : undefined;
}

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > oldestServer[0] || (major === oldestServer[0] && minor >= oldestServer[1]);
}

/** Each way ends with a program in a folder aside, and a rename: whoever looks meanwhile sees a whole program or none. */
async function get(folder, target) {
  const aside = join(folder, 'incoming');
  const failures = [];
  for (const way of [download, build]) {
    rmSync(aside, { recursive: true, force: true });
    mkdirSync(aside, { recursive: true });
    const failure = await way(aside);
    if (failure === undefined && (await serverVersion(join(aside, 'temporal')))) {
      renameSync(join(aside, 'temporal'), target);
      rmSync(aside, { recursive: true, force: true });
      return target;
    }
    failures.push(failure ?? 'it does not run on this machine');
    console.log(`  That did not work: ${failures.at(-1)}`);
  }
  rmSync(aside, { recursive: true, force: true });
  throw new SetupError(`There is no Temporal server on this machine, and none could be fetched:
  download: ${failures[0]}
  build:    ${failures[1]}
Do one of these and start again:
  - install the Temporal CLI ${cliVersion} or later (https://docs.temporal.io/cli), on PATH or named by TEMPORAL_CLI_PATH;
  - install Go (https://go.dev/dl), with which this script builds it;
  - give the address of a Temporal server with TEMPORAL_ADDRESS.`);
}

const platforms = { linux: 'linux', darwin: 'darwin' };
const architectures = { x64: 'amd64', arm64: 'arm64' };

async function download(folder) {
  const [platform, arch] = [platforms[process.platform], architectures[process.arch]];
  if (!platform || !arch) return `there is none for ${process.platform} on ${process.arch}`;
  const url = `https://temporal.download/cli/archive/v${cliVersion}?platform=${platform}&arch=${arch}`;
  return during(`Downloading the Temporal CLI ${cliVersion}`, async () => {
    const archive = join(folder, 'temporal.tar.gz');
    const connecting = new AbortController();
    const timer = setTimeout(
      () => connecting.abort(new Error(`no answer within ${connectTimeoutMs / 1_000} s`)),
      connectTimeoutMs,
    );
    try {
      const signal = AbortSignal.any([connecting.signal, AbortSignal.timeout(downloadTimeoutMs)]);
      const response = await fetch(url, { signal });
      clearTimeout(timer);
      if (!response.ok) return `${url} answered ${response.status}`;
      await pipeline(Readable.fromWeb(response.body), createWriteStream(archive), { signal });
      const { code, output } = await run('tar', ['-xzf', archive, '-C', folder, 'temporal']);
      return code === 0 ? undefined : `the archive could not be unpacked: ${tail(output, 3)}`;
    } catch (error) {
      return `${url}: ${error.cause?.message || error.cause?.code || error.message}`;
    } finally {
      clearTimeout(timer);
    }
  });
}

async function build(folder) {
  if ((await run('go', ['version'])).code !== 0) return 'Go is not installed';
  const title = `Building the Temporal CLI ${cliVersion} with Go (once; about six minutes on two cores)`;
  const { code, output } = await during(title, () =>
    run('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${cliVersion}`], {
      cwd: folder, // Outside any Go module, whose go.mod would take part.
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '' },
    }),
  );
  return code === 0 ? undefined : `go install failed: ${tail(output, 5)}`;
}
