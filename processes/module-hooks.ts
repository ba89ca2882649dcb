// Runs in Node's module loader thread, in front of tsx: how the modules of a user's project are found and read.
import { readFileSync } from 'node:fs';
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { handOver, isRequiredFile } from './required-modules.js';

/** Module specifier to the URL that stands for it, whoever imports it. */
export type Redirects = Readonly<Record<string, string>>;

let redirects: Redirects = {};

export const initialize: InitializeHook<Redirects> = (table) => {
  redirects = table;
};

/**
 * A graph must share this process's copy of the engine, also where the project has one of its own or none at all: the
 * engine keeps the running task in an AsyncLocalStorage, and each copy would have its own.
 */
export const resolve: ResolveHook = (specifier, context, next) => {
  if (isRequiredFile(specifier)) return { url: specifier, format: 'commonjs', shortCircuit: true };
  const url = redirects[specifier];
  return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
};

const source = /\.[jt]sx?$/;
const esmStatement = /^\s*(?:import|export)\b(?!\s*\()/m;

/**
 * CommonJS that tsx made of a source is run by Node's loader of ES modules, which asks here for what it requires: the
 * cache in which `require()` finds our packages is not its own.
 *
 * Sources with import statements in a package that is not `"type": "module"` are ES modules all the same. tsx would turn
 * their imports into require calls, which pass these hooks by.
 */
export const load: LoadHook = async (url, context, next) => {
  const plain = url.replace(/[?#].*$/, '');
  if (isRequiredFile(plain)) return { format: 'commonjs', source: handOver(fileURLToPath(plain)), shortCircuit: true };
  if (!plain.startsWith('file:') || plain.includes('/node_modules/') || !source.test(plain)) return next(url, context);
  if (context.format === 'module') return next(url, context);
  const file = fileURLToPath(plain);
  if (!esmStatement.test(readFileSync(file, 'utf8'))) return next(url, context);
  return { format: 'module', source: await compile(file), shortCircuit: true };
};

/** Reads the nearest tsconfig.json, as tsx does. */
async function compile(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: false,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}
