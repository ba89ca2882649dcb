import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The program that `npm test` has made sure of: the one it names, one on PATH, or the cached one. */
export function temporalProgram(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const candidates = [
    process.env.TEMPORAL_CLI_PATH,
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'temporal')),
    join(cache, 'superstep', 'temporal-cli-1.5.1', 'temporal'),
  ];
  const found = candidates.find((path) => path !== undefined && isExecutable(path));
  return found === undefined
    ? Promise.reject(new Error('No temporal program: run these tests with `npm test`, which gets one.'))
    : Promise.resolve(found);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
