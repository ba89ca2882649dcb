// The files of the Postgres server that a service on one machine runs for itself.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataFolder } from './data-folder.js';
import { OperatorError } from './operator-error.js';
import { sharedFolder, type PostgresPrograms } from './postgres-programs.js';
import { canPass, canReach, type UserIds } from './postgres-user.js';

const run = promisify(execFile);

export interface PostgresCluster {
  /** Postgres' data directory, without symbolic links. */
  readonly path: string;
  readonly password: string;
}

export const superuser = 'superstep';

/** The cluster of this data folder, made if there is none. */
export async function openCluster(
  data: DataFolder,
  programs: PostgresPrograms,
  user: UserIds | undefined,
): Promise<PostgresCluster> {
  const place = join(data.path, 'postgres');
  const passwordFile = join(data.path, 'postgres.password');
  if (!existsSync(join(place, 'PG_VERSION'))) {
    refuseLostCluster(place);
    await createCluster({ data, place, passwordFile, programs, user });
  }
  if (!existsSync(passwordFile)) {
    throw new OperatorError(
      `${passwordFile} is missing, so the database in ${place} cannot be opened. Put the file back, or move both away to start afresh.`,
    );
  }
  const path = realpathSync(place);
  if (!canReach(path, user)) {
    throw new OperatorError(
      `Postgres runs as the user "postgres" here, who cannot reach ${path}. Open the folders above it to that user (chmod o+x), or name another data folder with SUPERSTEP_DATA_DIR.`,
    );
  }
  return { path, password: readFileSync(passwordFile, 'utf8').trim() };
}

/** An empty database in the place of a lost one would look as if nothing had ever run. */
function refuseLostCluster(place: string): void {
  const target = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(place) : undefined;
  if (target === undefined) return;
  throw new OperatorError(
    `The database of this data folder is gone: ${place} points to ${target}. Put it back, or remove the link to start afresh.`,
  );
}

interface Creation {
  readonly data: DataFolder;
  readonly place: string;
  readonly passwordFile: string;
  readonly programs: PostgresPrograms;
  readonly user: UserIds | undefined;
}

/** Made aside and renamed into place last: a start that is killed in the middle leaves no half a cluster behind. */
async function createCluster({ data, place, passwordFile, programs, user }: Creation): Promise<void> {
  const shared = !canPass(data.path, user);
  if (shared) mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(shared ? sharedFolder : data.path, 'postgres-'));
  const password = randomBytes(24).toString('base64url');
  try {
    const passwordCopy = join(folder, 'password');
    writeFileSync(passwordCopy, password, { mode: 0o600 });
    if (user !== undefined) [folder, passwordCopy].forEach((path) => chownSync(path, user.uid, user.gid));
    await initdb(programs.initdb, join(folder, 'cluster'), passwordCopy, user);
    rmSync(passwordCopy);
    writeFileSync(passwordFile, password, { mode: 0o600 });
    chmodSync(passwordFile, 0o600);
    if (shared) {
      symlinkSync(join(folder, 'cluster'), `${place}.new`);
      renameSync(`${place}.new`, place);
    } else {
      renameSync(join(folder, 'cluster'), place);
      rmSync(folder, { recursive: true });
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function initdb(
  program: string,
  cluster: string,
  passwordFile: string,
  user: UserIds | undefined,
): Promise<void> {
  const args = [
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
  ];
  try {
    await run(program, args, { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...user });
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string };
    throw new OperatorError(`Postgres could not create its files: ${(stderr ?? message).trim()}`);
  }
}
