// What every long-running command begins with: its settings, a log, and where Temporal is.
import { createLog, type Log } from './log.js';
import type { DevOptions } from './options.js';
import { readSettings, readTemporalAccess, type Settings, type TemporalAccess } from './settings.js';

/** Postgres' default allows 100 in all; a server and several workers share them. */
export const databaseConnections = { server: 10, worker: 10, both: 20 } as const;

export interface Common {
  readonly settings: Settings;
  readonly log: Log;
  readonly temporal: TemporalAccess;
}

/** The command line stands over the environment. @throws OperatorError for settings that cannot be used. */
export function commonOf(options: DevOptions): Common {
  const fromEnvironment = readSettings(process.env);
  const settings: Settings = {
    ...fromEnvironment,
    ...(options.config !== undefined && { configFile: options.config }),
    ...(options.engineAlias !== undefined && { engineAlias: options.engineAlias }),
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host !== undefined && { host: options.host }),
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
  };
  const json = settings.logJson ?? !process.stderr.isTTY;
  return {
    settings,
    log: createLog({ level: settings.logLevel, format: json ? 'json' : 'text' }),
    temporal: readTemporalAccess(process.env),
  };
}
