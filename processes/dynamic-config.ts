// Temporal's dynamic configuration as Superstep wants it, from the file that the Compose set-up mounts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from './package-root.js';

const dynamicConfigFile = join(packageRoot, 'temporal-docker', 'dynamic-config.yaml');

/** The dev server's flags know no constraints, so the file must have one plain value for each key. */
const schema = z.record(
  z.string(),
  z.tuple([z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]) })]),
);

/** Key to JSON value, as `--dynamic-config-value KEY=JSON` wants it. */
export function readDynamicConfig(): Record<string, string> {
  const entries = schema.parse(parse(readFileSync(dynamicConfigFile, 'utf8')));
  return Object.fromEntries(Object.entries(entries).map(([key, [{ value }]]) => [key, JSON.stringify(value)]));
}
