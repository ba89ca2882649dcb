// langgraph.json: which graphs there are, and what their environment is.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse as parseDotenv } from 'dotenv';
import { z } from 'zod';
import { OperatorError } from './operator-error.js';

/** `./path.ts:export`, or the path alone for the default export. */
const GRAPH_SOURCE = /^((?:[A-Za-z]:)?[^:]+)(?::([A-Za-z_$][\w$]*))?$/;
const graphSource = z.string().regex(GRAPH_SOURCE, 'expected "./path.ts:export", the file and the name of its export');

const schema = z.looseObject({
  graphs: z
    .record(
      z.string().min(1),
      z.union([graphSource, z.looseObject({ path: graphSource, description: z.string().optional() })], {
        error: 'expected "./path.ts:export", or an object with such a path',
      }),
    )
    .refine((graphs) => Object.keys(graphs).length > 0, 'names no graph'),
  env: z.union([z.string(), z.record(z.string(), z.coerce.string()), z.array(z.string())]).optional(),
});

export interface GraphSource {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly exportName: string;
  readonly description?: string;
}

export interface LanggraphConfig {
  readonly graphs: readonly GraphSource[];
  /** For the graphs; the environment of the process stands over it. */
  readonly env: Readonly<Record<string, string>>;
}

/** @throws OperatorError for a file that is missing, is not JSON, or has another shape, naming the field. */
export function readLanggraphConfig(path: string): LanggraphConfig {
  const file = resolve(path);
  const folder = dirname(file);
  const config = parseConfig(file);
  const graphs = Object.entries(config.graphs).map(([name, entry]): GraphSource => {
    const source = typeof entry === 'string' ? entry : entry.path;
    const description = typeof entry === 'string' ? undefined : entry.description;
    const [, path = '', exportName = 'default'] = GRAPH_SOURCE.exec(source) ?? [];
    return { name, file: resolve(folder, path), exportName, ...(description !== undefined && { description }) };
  });
  return { graphs, env: readEnv(folder, config.env) };
}

function parseConfig(file: string): z.infer<typeof schema> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OperatorError(
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `There is no ${file}. Name your langgraph.json with --config or SUPERSTEP_CONFIG.`
        : `${file} cannot be read: ${(error as Error).message}`,
    );
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
  throw new OperatorError(`${file} cannot be used:\n  ${problems.join('\n  ')}`);
}

/** A dotenv file, the variables themselves, or a list of names that the process's environment must have. */
function readEnv(folder: string, env: z.infer<typeof schema>['env']): Record<string, string> {
  if (env === undefined) return {};
  if (Array.isArray(env)) {
    const missing = env.filter((name) => process.env[name] === undefined);
    if (missing.length > 0)
      throw new OperatorError(
        `langgraph.json wants these environment variables, which are not set: ${missing.join(', ')}`,
      );
    return {};
  }
  if (typeof env !== 'string') return env;
  const file = resolve(folder, env);
  try {
    return parseDotenv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OperatorError(
      `The env file ${file}, named in langgraph.json, cannot be read: ${(error as Error).message}`,
    );
  }
}
