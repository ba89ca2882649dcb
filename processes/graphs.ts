// The graphs of a langgraph.json, loaded from their sources as they are.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GraphError, type GraphRegistry } from '../graph-core/graph-registry.js';
import { isForeignGraph } from '../graph-core/index.js';
import { readLanggraphConfig, type GraphSource } from './langgraph-config.js';
import type { Log } from './log.js';
import { redirectModules, type EngineAlias } from './module-redirects.js';
import { OperatorError } from './operator-error.js';

type Compiled = Awaited<ReturnType<GraphRegistry['get']>>;
type Factory = (config: object) => unknown;

/** What a name stands for. A factory is called anew by each request; nothing is known of its graph before. */
type Loaded =
  | { readonly kind: 'graph'; readonly graph: Compiled }
  | { readonly kind: 'factory'; readonly make: Factory }
  | { readonly kind: 'failed'; readonly cause: string };

export interface GraphsToLoad {
  /** Path of a `langgraph.json`; the paths in it are relative to its folder. */
  readonly configFile: string;
  readonly engineAlias: EngineAlias;
}

/**
 * Loads each graph of the config. One that does not load is reported, and the others are served.
 * @throws OperatorError when the config cannot be used, or not one of its graphs loads.
 */
export async function loadGraphs({ configFile, engineAlias }: GraphsToLoad, log: Log): Promise<GraphRegistry> {
  const config = readLanggraphConfig(configFile);
  for (const [name, value] of Object.entries(config.env)) process.env[name] ??= value;
  await redirectModules(engineAlias, dirname(resolve(configFile)));
  const loaded = new Map<string, Loaded>();
  for (const source of config.graphs) loaded.set(source.name, await load(source, engineAlias)); // In order: so are their messages.
  const failures = failuresOf(loaded);
  const report = Object.entries(failures).map(([name, cause]) => `Graph "${name}" does not load: ${cause}`);
  if (report.length === loaded.size) throw new OperatorError(report.join('\n'));
  for (const line of report) log.error(line);
  return createRegistry(loaded, failures, engineAlias);
}

function createRegistry(
  loaded: ReadonlyMap<string, Loaded>,
  failures: Readonly<Record<string, string>>,
  engineAlias: EngineAlias,
): GraphRegistry {
  const names = [...loaded.keys()].filter((name) => !Object.hasOwn(failures, name));
  return {
    names,
    failures,
    async get(name, config = {}) {
      const entry = loaded.get(name);
      if (entry === undefined) {
        throw new GraphError('GRAPH_NOT_FOUND', `Graph "${name}" is not configured. Configured: ${names.join(', ')}.`);
      }
      if (entry.kind === 'graph') return entry.graph;
      if (entry.kind === 'failed') throw notLoaded(name, entry.cause);
      try {
        return compiled(await entry.make(config), engineAlias);
      } catch (error) {
        throw notLoaded(name, causeOf(error));
      }
    },
  };
}

function notLoaded(name: string, cause: string): GraphError {
  return new GraphError('GRAPH_NOT_LOADED', `Graph "${name}" does not load: ${cause}`);
}

function failuresOf(loaded: ReadonlyMap<string, Loaded>): Record<string, string> {
  const failures: Record<string, string> = {};
  for (const [name, entry] of loaded) if (entry.kind === 'failed') failures[name] = entry.cause;
  return failures;
}

async function load({ file, exportName }: GraphSource, engineAlias: EngineAlias): Promise<Loaded> {
  try {
    const exports = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
    hearFailures(Object.values(exports));
    const exported = await findExport(exports, exportName);
    if (typeof exported === 'function') return { kind: 'factory', make: exported as Factory };
    return { kind: 'graph', graph: compiled(exported, engineAlias) };
  } catch (error) {
    return { kind: 'failed', cause: existsSync(file) ? causeOf(error) : `there is no file ${file}.` };
  }
}

/** A promise may fail before its graph has its turn, or belong to no graph; unheard, it would end the process. */
function hearFailures(exported: readonly unknown[]): void {
  for (const value of exported) if (value instanceof Promise) value.catch(() => undefined);
}

function findExport(exports: Readonly<Record<string, unknown>>, name: string): unknown {
  if (name in exports) return exports[name];
  // A CommonJS module, whose exports Node could not list.
  const whole = exports['default'];
  if (typeof whole === 'object' && whole !== null && name in whole) return (whole as Record<string, unknown>)[name];
  throw new Error(`its file exports no "${name}". It exports: ${Object.keys(exports).join(', ') || 'nothing'}.`);
}

/** By shape: a project may have made its graph with another copy of the library. */
function compiled(value: unknown, engineAlias: EngineAlias): Compiled {
  if (isForeignGraph(value)) throw new Error(foreignEngine[engineAlias]);
  if (hasMethod(value, 'invoke') && 'spec' in value) return value as unknown as Compiled;
  if (isAgent(value)) return compiled(value.graph, engineAlias);
  if (hasMethod(value, 'compile')) return compiled(value.compile(), engineAlias);
  if (hasMethod(value, 'invoke')) {
    throw new Error('it is a Runnable, and no graph. Put it into a node of a StateGraph.');
  }
  throw new Error(`expected a graph, a builder, or a function or promise that gives one, and got ${describe(value)}.`);
}

/** Why a graph that another engine has compiled is refused, and what to do. */
const foreignEngine: Readonly<Record<EngineAlias, string>> = {
  off:
    'it runs on the engine of the @langchain/langgraph that the project has installed, which keeps no superstep of a ' +
    'thread durable. The engine alias is off: start without --engine-alias off (SUPERSTEP_ENGINE_ALIAS), and the same ' +
    "sources run on Superstep's engine.",
  on:
    'it was compiled by a copy of LangGraph that was not imported as "@langchain/langgraph", so its engine is not ' +
    "Superstep's. Import it by that name, or leave it external where the project is bundled.",
};

/** What `createAgent` of langchain makes: a graph's methods around the graph itself. */
const isAgent = (value: unknown): value is { readonly graph: object } =>
  hasMethod(value, 'invoke') && typeof (value as { graph?: unknown }).graph === 'object';

function hasMethod<Name extends string>(value: unknown, name: Name): value is object & Record<Name, () => unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function';
}

function describe(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

function causeOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
