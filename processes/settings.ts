// Everything that the environment can say, and the only code that reads it. `docs/reference/settings.md` lists the same;
// a test compares the two. Names that LangGraph's dev server has are used with its meaning.
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { logLevels, type LogLevel } from './log.js';
import type { EngineAlias } from './module-redirects.js';
import { OperatorError } from './operator-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting<Value> {
  /** In the environment. */
  readonly name: string;
  /** As it would be written in the environment, or in words in brackets where there is no single value. */
  readonly default: string;
  readonly unit: string;
  readonly meaning: string;
  /** From the text, absent where the variable is unset or empty. */
  readonly value: z.ZodType<Value>;
}

const text = z.string().optional();
const whole = (min: number, max: number, fallback: number) =>
  z.coerce.number('expected a number').int('expected a whole number').min(min).max(max).default(fallback);
const yesOrNo = z
  .enum(['true', 'false', '1', '0'])
  .transform((word) => word === 'true' || word === '1')
  .optional();

/** Checks the types, and infers them. */
const setting = <Value>(entry: Setting<Value>): Setting<Value> => entry;

export const settingsCatalogue = {
  host: setting({
    name: 'HOST',
    default: '127.0.0.1',
    unit: 'address',
    meaning:
      'Where the server listens. An address other than loopback wants SUPERSTEP_API_KEY or SUPERSTEP_ALLOW_OPEN.',
    value: z.string().default('127.0.0.1'),
  }),
  port: setting({
    name: 'PORT',
    default: '(2024, or the next free port)',
    unit: 'TCP port',
    meaning: 'Port of the server. A port named here is used or the start fails; 0 takes any free one.',
    value: z.coerce.number().int().min(0).max(65_535).optional(),
  }),
  apiKey: setting({
    name: 'SUPERSTEP_API_KEY',
    default: '(none)',
    unit: 'text',
    meaning: 'Every request must send this key in the header x-api-key.',
    value: text,
  }),
  allowOpen: setting({
    name: 'SUPERSTEP_ALLOW_OPEN',
    default: 'false',
    unit: 'true or false',
    meaning: 'Allows a server without an API key on an address other than loopback.',
    value: yesOrNo.transform((answer) => answer ?? false),
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    default: '(a Postgres of its own, in dev)',
    unit: 'postgres:// URL',
    meaning: 'The database for threads, runs and checkpoints. Required by the commands server and worker.',
    value: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'expected a postgres:// URL')
      .optional(),
  }),
  configFile: setting({
    name: 'SUPERSTEP_CONFIG',
    default: 'langgraph.json',
    unit: 'path',
    meaning: 'The file that names the graphs.',
    value: z.string().default('langgraph.json'),
  }),
  engineAlias: setting<EngineAlias>({
    name: 'SUPERSTEP_ENGINE_ALIAS',
    default: 'on',
    unit: 'on or off',
    meaning:
      "Whether a project's imports of @langchain/langgraph get Superstep's engine. Off: they get the package that the project has installed, whose graphs are refused.",
    value: z.enum(['on', 'off']).default('on'),
  }),
  dataDir: setting({
    name: 'SUPERSTEP_DATA_DIR',
    default: '.superstep',
    unit: 'path',
    meaning: 'Folder for the Postgres and the Temporal server that dev starts: their data, logs and ports.',
    value: z.string().default('.superstep'),
  }),
  temporalProgram: setting({
    name: 'TEMPORAL_CLI_PATH',
    default: '(found or fetched)',
    unit: 'path',
    meaning:
      'The temporal program for the dev server. Otherwise: the one on PATH, a cached copy, a download, a build with Go.',
    value: text,
  }),
  taskQueue: setting({
    name: 'SUPERSTEP_TASK_QUEUE',
    default: 'superstep',
    unit: 'name',
    meaning: 'Task queue that servers start runs on and workers poll.',
    value: z.string().default('superstep'),
  }),
  jobsPerWorker: setting({
    name: 'N_JOBS_PER_WORKER',
    default: '20',
    unit: 'supersteps',
    meaning:
      'How many supersteps one worker runs at a time. With 10 or fewer Temporal cannot hand them over with the step before (eager dispatch), and each takes about 10 ms more.',
    value: whole(1, 10_000, 20),
  }),
  stepAttempts: setting({
    name: 'SUPERSTEP_STEP_ATTEMPTS',
    default: '3',
    unit: 'attempts',
    meaning:
      'How often a superstep is tried when its worker is lost or it times out. Errors of nodes follow their own retry policies.',
    value: whole(1, 1_000, 3),
  }),
  stepTimeoutSeconds: setting({
    name: 'SUPERSTEP_STEP_TIMEOUT_SECONDS',
    default: '86400',
    unit: 'seconds',
    meaning: 'How long one attempt of a superstep may take.',
    value: whole(1, 31_536_000, 86_400),
  }),
  heartbeatTimeoutSeconds: setting({
    name: 'SUPERSTEP_HEARTBEAT_TIMEOUT_SECONDS',
    default: '5',
    unit: 'seconds',
    meaning: 'A worker that has been silent for so long is lost, and its superstep is tried elsewhere.',
    value: whole(2, 3_600, 5),
  }),
  shutdownGraceSeconds: setting({
    name: 'SUPERSTEP_SHUTDOWN_GRACE_SECONDS',
    default: '10',
    unit: 'seconds',
    meaning: 'How long a worker that is asked to stop lets running supersteps finish before it hands them back.',
    value: whole(0, 3_600, 10),
  }),
  bodyLimitMb: setting({
    name: 'SUPERSTEP_BODY_LIMIT_MB',
    default: '25',
    unit: 'MB',
    meaning: 'Largest request body; a larger one is answered with 413.',
    value: whole(1, 1_024, 25),
  }),
  stateLimitMb: setting({
    name: 'SUPERSTEP_STATE_LIMIT_MB',
    default: '50',
    unit: 'MB',
    meaning: 'Largest state of a thread; a superstep that makes a larger one fails.',
    value: whole(1, 1_024, 50),
  }),
  retentionDays: setting({
    name: 'SUPERSTEP_RETENTION_DAYS',
    default: '30',
    unit: 'days',
    meaning: 'How long the Temporal server that dev starts keeps finished runs and their event logs.',
    value: whole(1, 36_500, 30),
  }),
  streamTtlSeconds: setting({
    name: 'RESUMABLE_STREAM_TTL_SECONDS',
    default: '(as long as Temporal keeps the run)',
    unit: 'seconds',
    meaning: 'How long after its end the stream of a run can be joined and replayed.',
    value: z.coerce.number().int().min(1).optional(),
  }),
  streamHeartbeatSeconds: setting({
    name: 'SUPERSTEP_HEARTBEAT_SECONDS',
    default: '5',
    unit: 'seconds',
    meaning: 'A stream that has been silent for so long sends a comment, so that proxies keep it open.',
    value: whole(1, 3_600, 5),
  }),
  logLevel: setting<LogLevel>({
    name: 'LOG_LEVEL',
    default: 'info',
    unit: logLevels.join(', '),
    meaning: 'The least important lines that are still logged.',
    value: z.string().toLowerCase().pipe(z.enum(logLevels)).default('info'),
  }),
  logJson: setting({
    name: 'LOG_JSON',
    default: '(false at a terminal, otherwise true)',
    unit: 'true or false',
    meaning: 'Log one JSON object a line instead of text.',
    value: yesOrNo,
  }),
} as const;

type Catalogue = typeof settingsCatalogue;
export type Settings = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends Setting<infer Value> ? Value : never;
};

/** @throws OperatorError that names every variable with a value that cannot be used, and the value unless it is a secret. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const entries = Object.entries(settingsCatalogue).map(([key, { name, value }]) => {
    const given = environment[name]?.trim();
    const result = value.safeParse(given === '' ? undefined : given);
    if (result.success) return [key, result.data] as const;
    const cause = result.error.issues.map((issue) => issue.message).join('; ');
    problems.push(name === 'DATABASE_URL' ? `${name}: ${cause}` : `${name}=${given}: ${cause}`);
    return [key, undefined] as const;
  });
  if (problems.length > 0) throw new OperatorError(`These settings cannot be used:\n  ${problems.join('\n  ')}`);
  return Object.fromEntries(entries) as unknown as Settings;
}

export type TemporalAccess = ReturnType<typeof loadClientConnectConfig>;

/**
 * Temporal's own environment configuration: `TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…`,
 * and the profile of a `temporal.toml`. Without an address (`connectionOptions.address` is undefined) dev starts a server.
 */
export function readTemporalAccess(environment: Environment): TemporalAccess {
  const overrideEnvVars: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value) overrideEnvVars[name] = value;
  try {
    return loadClientConnectConfig({ overrideEnvVars });
  } catch (error) {
    throw new OperatorError(`Temporal's environment configuration cannot be used: ${(error as Error).message}`);
  }
}
