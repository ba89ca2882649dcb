// Postgres refuses to run as root. As root it runs as the user `postgres`, who must be able to reach its programs and
// its data: below a home folder of mode 0700, a usual place for a clone in a container, that user reaches nothing.
import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from './operator-error.js';

const run = promisify(execFile);

export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

const userName = 'postgres';

/** @returns undefined where this process may run Postgres as itself. */
export async function postgresUser(): Promise<UserIds | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await lookUp();
  if (existing !== undefined) return existing;
  const failure = await addUser();
  const created = await lookUp();
  if (created !== undefined) return created;
  throw new OperatorError(
    `Postgres does not run as root, and the user "${userName}" could not be created (${failure ?? 'unknown cause'}). Run as another user, or give a database with DATABASE_URL.`,
  );
}

async function lookUp(): Promise<UserIds | undefined> {
  try {
    const ids = ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, userName])).stdout));
    const [uid, gid] = await Promise.all(ids);
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

async function addUser(): Promise<string | undefined> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName]);
    return undefined;
  } catch (error) {
    return (error as Error).message.trim();
  }
}

/** May this user go through the folder to what it holds? */
export function canPass(folder: string, user: UserIds | undefined): boolean {
  if (user === undefined) return true;
  const real = realpathSync(folder);
  return [...ancestors(real), real].every((path) => allows(path, 0o1, user));
}

/** Can this user get to the path, and use what is there: run a program, list a folder? */
export function canReach(path: string, user: UserIds | undefined): boolean {
  return user === undefined || (canPass(path, user) && allows(realpathSync(path), 0o5, user));
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...ancestors(parent), parent];
}

function allows(path: string, bits: number, user: UserIds): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
