// A server that this process starts, watches and stops.
//   C1. It has its own process group: Ctrl-C in a terminal reaches only us, and we stop children in our order.
//   C2. It does not outlive us, not even when we are killed: a leash (a shell that reads from a pipe of ours, and so
//       sees our end at once) signals it.
//   C3. It is recorded in the data folder, so that a start after a crash of both of us finds it and stops it.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataFolder } from './data-folder.js';
import { OperatorError } from './operator-error.js';
import { identify, isAlive, type ProcessIdentity } from './process-identity.js';

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines that it wrote, for a message. */
  readonly lastLines: string;
}

export interface ChildServer {
  readonly pid: number;
  /** Resolves when it has ended, for whatever reason; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Signals it, waits for its end, kills it after {@link stopTimeoutMs}. Repeating it is harmless. */
  stop(): Promise<void>;
}

export interface ChildServerOptions {
  /** Names its record and its log file in the data folder: `<name>.json`, `<name>.log`. */
  readonly name: string;
  readonly data: DataFolder;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** What asks it to end in good order. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
}

/** How long a server may take to end in good order. Postgres writes its last checkpoint in that time. */
const stopTimeoutMs = 15_000;
/** A log larger than this at start is set aside as `<name>.log.1`. */
const logLimitBytes = 20 * 1024 * 1024;
const tailBytes = 4_096;
const tailLines = 12;

export function startChildServer(options: ChildServerOptions): ChildServer {
  const { name, data, command, args, cwd, env = process.env, user = {}, stopSignal } = options;
  const log = openLog(join(data.path, `${name}.log`));
  const child = spawn(command, args, { cwd, env, ...user, detached: true, stdio: ['ignore', log.fd, log.fd] });
  closeSync(log.fd);
  if (child.pid === undefined) {
    const exited = once(child, (error) => ({ code: null, signal: null, lastLines: error?.message ?? '' }));
    return { pid: 0, exited, stop: async () => {} };
  }
  const record = recordFile(data, name);
  writeFileSync(record, JSON.stringify({ ...identify(child.pid), stopSignal } satisfies Partial<ChildRecord>));
  const leash = putOnLeash(child.pid, stopSignal);
  const exited = once(child, () => {
    leash.kill('SIGKILL');
    rmSync(record, { force: true });
    return { code: child.exitCode, signal: child.signalCode, lastLines: readTail(log.path, log.start) };
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(stopSignal);
    const ended = await Promise.race([exited, delay(stopTimeoutMs, undefined, { ref: false })]);
    if (ended === undefined) child.kill('SIGKILL');
    await exited;
  };
  return { pid: child.pid, exited, stop };
}

interface ChildRecord extends ProcessIdentity {
  readonly stopSignal: NodeJS.Signals;
}

/** Stops what an earlier owner of the folder left running under this name. */
export async function stopLeftover(data: DataFolder, name: string): Promise<'none' | 'stopped'> {
  const record = readRecord(recordFile(data, name));
  if (record === undefined || !isAlive(record)) return 'none';
  signal(record, record.stopSignal);
  const killAt = Date.now() + stopTimeoutMs;
  while (isAlive(record)) {
    if (Date.now() > killAt + stopTimeoutMs) {
      throw new OperatorError(
        `Process ${record.pid} (${name}, left over from an earlier start) does not end. Stop it by hand.`,
      );
    }
    if (Date.now() > killAt) signal(record, 'SIGKILL');
    await delay(50);
  }
  rmSync(recordFile(data, name), { force: true });
  return 'stopped';
}

const recordFile = (data: DataFolder, name: string) => join(data.path, `${name}.json`);

function readRecord(file: string): ChildRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ChildRecord;
  } catch {
    return undefined;
  }
}

function signal(process_: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(process_.pid, name);
  } catch {
    // It ended in between.
  }
}

function putOnLeash(pid: number, stopSignal: NodeJS.Signals): ChildProcess {
  const script = 'read -r _; kill -s "$1" "$2" 2>/dev/null';
  const leash = spawn('/bin/sh', ['-c', script, 'leash', stopSignal.slice('SIG'.length), String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  leash.on('error', () => {}); // Without a shell the record (C3) is what is left.
  leash.stdin.on('error', () => {});
  leash.unref();
  return leash;
}

function once(child: ChildProcess, exit: (error?: Error) => ChildExit): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve(exit()));
    child.once('error', (error) => resolve(exit(error)));
  });
}

function openLog(path: string): { path: string; fd: number; start: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logLimitBytes) renameSync(path, `${path}.1`);
  return { path, fd: openSync(path, 'a', 0o600), start: size > logLimitBytes ? 0 : size };
}

function readTail(path: string, start: number): string {
  const written = readFileSync(path).subarray(start);
  return written.subarray(-tailBytes).toString('utf8').trimEnd().split('\n').slice(-tailLines).join('\n');
}
