// Which packages a user's project imports from this process, wherever the project is and whatever it has installed.
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { register as registerTsx } from 'tsx/esm/api';
import type { Redirects } from './module-hooks.js';
import { redirectRequire } from './require-redirects.js';

/** Whether the project's `@langchain/langgraph` is this process's engine (`on`), or the package it has installed. */
export type EngineAlias = 'on' | 'off';

/** `.js` in `dist/`, `.ts` where the sources run as they are. */
const extension = extname(new URL(import.meta.url).pathname);
const ours = (path: string) => new URL(`../${path}${extension}`, import.meta.url).href;

/** Subpaths of LangGraph's package that graph-core has an entry for. */
const SUBPATHS = ['web', 'prebuilt', 'channels', 'pregel', 'remote', 'stream', 'zod', 'zod/schema'] as const;
const subpathsOf = (name: string): Redirects =>
  Object.fromEntries(SUBPATHS.map((subpath) => [`${name}/${subpath}`, ours(`graph-core/entries/${subpath}`)]));

const own: Redirects = {
  superstep: ours('graph-core/index'),
  'superstep/client': ours('client/index'),
  ...subpathsOf('superstep'),
};
const alias: Redirects = {
  '@langchain/langgraph': ours('graph-core/entries/main'),
  ...subpathsOf('@langchain/langgraph'),
};

let registered: Promise<void> | undefined;

/**
 * From here on `import()` and `require()` read TypeScript, with the path aliases of the project in `folder`, and find our
 * packages. Once for a process, whose first call decides: hooks cannot be taken back.
 */
export function redirectModules(engineAlias: EngineAlias, folder = process.cwd()): Promise<void> {
  registered ??= redirect(engineAlias === 'on' ? { ...own, ...alias } : own, nearestTsconfig(folder));
  return registered;
}

async function redirect(redirects: Redirects, tsconfig: string | undefined): Promise<void> {
  registerTsx({ tsconfig: tsconfig ?? false });
  register<Redirects>(new URL(`./module-hooks${extension}`, import.meta.url), { data: redirects });
  await redirectRequire(redirects);
}

/** tsx by itself would take the one of the folder in which this process was started. */
function nearestTsconfig(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json');
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestTsconfig(parent);
}
