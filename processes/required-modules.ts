// Modules that `require()` gets, known on both sides of Node's module loader thread by a file name that stands for them.

/** On `globalThis` of the main thread: their exports, by that name. */
export type RequiredModules = Map<string, unknown>;
export const REQUIRED = Symbol.for('superstep.required-modules');

const suffix = '.required.cjs';

/** Not a file that exists: the name under which `require()` knows the module in `file`. */
export const requiredFile = (file: string): string => `${file}${suffix}`;
export const isRequiredFile = (fileOrUrl: string): boolean => fileOrUrl.endsWith(suffix);

/** Source of a CommonJS module with the exports of the one that the process has imported already. */
export const handOver = (requiredFile: string): string =>
  `module.exports = globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(REQUIRED))})].get(${JSON.stringify(requiredFile)});`;
