// The folder that holds what a service on one machine keeps: the Postgres cluster, Temporal's SQLite file, logs.
//   F1. One process owns it at a time; a second start is refused while the first is alive.
//   F2. Whoever owns it may stop the children recorded in it: their own parent is dead.
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from './operator-error.js';
import { identify, isAlive, type ProcessIdentity } from './process-identity.js';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Lets the next process have it. */
  release(): void;
}

const ownerFile = 'owner.json';

/** @throws OperatorError when another live process owns the folder, or it cannot be made. */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path);
  makeFolder(folder);
  takeOwnership(folder);
  const release = () => {
    process.off('exit', release);
    if (readOwner(join(folder, ownerFile))?.pid === process.pid) rmSync(join(folder, ownerFile), { force: true });
  };
  process.once('exit', release);
  return { path: folder, release };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    // Passable, not readable, by others: as root, Postgres runs as another user and must reach its own folder below.
    const mode = statSync(folder).mode & 0o777;
    if ((mode & 0o011) !== 0o011) chmodSync(folder, mode | 0o011);
  } catch (error) {
    throw new OperatorError(
      `The data folder ${folder} cannot be used (${(error as Error).message}). Name another with SUPERSTEP_DATA_DIR or --data-dir.`,
    );
  }
}

function takeOwnership(folder: string): void {
  const file = join(folder, ownerFile);
  const claim = join(folder, `${ownerFile}.${process.pid}`);
  writeFileSync(claim, JSON.stringify(identify(process.pid)), { mode: 0o644 });
  try {
    // A link either makes the whole file or fails because there is one: no reader ever sees half of it.
    while (!tryLink(claim, file)) dropDeadOwner(folder, file);
  } finally {
    rmSync(claim, { force: true });
  }
}

function dropDeadOwner(folder: string, file: string): void {
  const owner = readOwner(file);
  if (owner !== undefined && isAlive(owner)) throw inUse(folder, owner);
  // Renamed before it is removed: when two starts find the same dead owner, the slower one may have renamed the
  // faster one's fresh claim, sees that, and gives it back.
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // Someone else was faster; the next link decides.
  }
  const renamed = readOwner(aside);
  if (renamed !== undefined && isAlive(renamed)) {
    tryLink(aside, file);
    rmSync(aside, { force: true });
    throw inUse(folder, renamed);
  }
  rmSync(aside, { force: true });
}

function inUse(folder: string, owner: ProcessIdentity): OperatorError {
  return new OperatorError(
    `The data folder ${folder} is in use by process ${owner.pid}. Stop that one, or name another folder with SUPERSTEP_DATA_DIR or --data-dir.`,
  );
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
