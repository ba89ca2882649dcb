// Who a process id belongs to. Ids are reused, above all by containers, where every start counts from 1 again: an id
// alone never says that a process is ours.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, told apart from a later one with the same id by when it started. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque: clock ticks since boot on Linux, a date elsewhere. */
  readonly startedAt: string;
}

/** @returns undefined where no such process is alive (a zombie is not). */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const startedAt = process.platform === 'linux' ? startTicks(pid) : ps('lstart', pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Is exactly this process still running? */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Its command line, arguments separated by blanks; undefined where it is gone. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps('command', pid);
  return readOrUndefined(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
}

function startTicks(pid: number): string | undefined {
  // "pid (name) state …": the name may hold blanks and brackets, so fields are counted from its last bracket.
  const fields = readOrUndefined(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  const [state, ticks] = [fields?.[0], fields?.[19]];
  return state === 'Z' || state === 'X' ? undefined : ticks;
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function ps(column: 'lstart' | 'command', pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}
