// Which packages a user's project imports from this process, wherever the project is and whatever it has installed.
import { register } from 'node:module';
import { extname } from 'node:path';
import { register as registerTsx } from 'tsx/esm/api';
import type { Redirects } from './module-hooks.js';

/** `.js` in `dist/`, `.ts` where the sources run as they are. */
const extension = extname(new URL(import.meta.url).pathname);
const ours = (path: string) => new URL(`../${path}${extension}`, import.meta.url).href;

const redirects: Redirects = {
  superstep: ours('graph-core/index'),
  'superstep/client': ours('client/index'),
};

let registered = false;

/** From here on `import()` reads TypeScript, and finds our packages. Once for a process: hooks cannot be taken back. */
export function redirectModules(): void {
  if (registered) return;
  registered = true;
  registerTsx();
  register<Redirects>(new URL(`./module-hooks${extension}`, import.meta.url), { data: redirects });
}
