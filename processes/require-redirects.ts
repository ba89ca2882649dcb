// What `require()` finds in a CommonJS project, and in the CommonJS packages it uses: the same modules as `import`.
import Module from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Redirects } from './module-hooks.js';
import { REQUIRED, requiredFile, type RequiredModules } from './required-modules.js';

/** Not in Node's types, and what every loader for CommonJS builds upon. */
interface ModuleInternals {
  _resolveFilename: (this: unknown, request: string, ...rest: unknown[]) => string;
  readonly _cache: Record<string, Module>;
}

/**
 * The modules are imported first, and `require()` answers with their namespaces: Node 20 cannot require an ES module.
 * Each stands in Node's own module cache under a file name of its own, for which there is no file.
 */
export async function redirectRequire(redirects: Redirects): Promise<void> {
  const internals = Module as unknown as ModuleInternals;
  const required: RequiredModules = new Map();
  (globalThis as { [REQUIRED]?: RequiredModules })[REQUIRED] = required;
  const files = new Map<string, string>();
  for (const [specifier, url] of Object.entries(redirects)) {
    const file = requiredFile(fileURLToPath(url));
    files.set(specifier, file);
    if (required.has(file)) continue;
    const module = new Module(file);
    module.filename = file;
    module.loaded = true;
    module.exports = (await import(url)) as unknown;
    internals._cache[file] = module;
    required.set(file, module.exports);
  }
  const resolve = internals._resolveFilename;
  internals._resolveFilename = function (this: unknown, request, ...rest) {
    return files.get(request) ?? resolve.call(this, request, ...rest);
  };
}
