// The Temporal program, found or fetched by the same script that `npm start` and the tests use.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError } from './operator-error.js';
import { packageRoot } from './package-root.js';

interface TemporalBinaryScript {
  readonly ensureTemporal: (environment: Readonly<Record<string, string | undefined>>) => Promise<string>;
}

/**
 * @param named what TEMPORAL_CLI_PATH says.
 * @returns the path of a `temporal` program that runs here. Getting one may take minutes, once; progress goes to stdout.
 * @throws OperatorError that says what to install or set.
 */
export async function temporalProgram(named: string | undefined): Promise<string> {
  const script = pathToFileURL(join(packageRoot, 'scripts', 'temporal-binary.mjs')).href;
  const { ensureTemporal } = (await import(script)) as TemporalBinaryScript;
  try {
    return await ensureTemporal({ ...process.env, TEMPORAL_CLI_PATH: named });
  } catch (error) {
    throw new OperatorError((error as Error).message);
  }
}
