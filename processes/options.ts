// What a person gives on the command line to start processes. Every field stands over the environment variable of the
// same meaning (docs/reference/settings.md); what is absent comes from there, or from the defaults.

import type { EngineAlias } from './module-redirects.js';

/** Where graphs come from. */
interface GraphOptions {
  /** Path of a `langgraph.json`. Default: `langgraph.json` of the current folder. */
  readonly config?: string;
  /** What `@langchain/langgraph` is in the project's imports: this engine (default), or the package it has installed. */
  readonly engineAlias?: EngineAlias;
}

/** Where HTTP is served. */
interface ListenOptions {
  /** TCP port. Absent: 2024, or the next free one. Given: that one or an error. */
  readonly port?: number;
  /** Address to listen on. Default: loopback. */
  readonly host?: string;
}

/** `superstep dev`: everything in one process tree. */
export interface DevOptions extends GraphOptions, ListenOptions {
  /** Folder that keeps the Temporal and Postgres files of this service. Default: `.superstep`. */
  readonly dataDir?: string;
}

/** `superstep server`: HTTP alone; Temporal and Postgres are given by address. */
export interface ServerOptions extends GraphOptions, ListenOptions {}

/** `superstep worker`: runs supersteps; serves no HTTP. */
export type WorkerOptions = GraphOptions;
