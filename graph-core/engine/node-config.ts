// What a node gets as its second argument.
import type { BaseStore } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { RunControl } from './run-control.js';

/** The run's config as its nodes see it; `Runtime` by another name. */
export interface NodeConfig<
  Configurable extends Record<string, unknown> = Record<string, unknown>,
  Context = unknown,
> extends RunnableConfig<Configurable> {
  /** What the caller passed as `context`, checked against the graph's context schema. */
  readonly context?: Context;
  readonly store?: BaseStore;
  /** Emits a `custom` chunk. */
  readonly writer?: (chunk: unknown) => void;
  /** `interrupt()` for code that is not called within the node's own async context. */
  readonly interrupt?: <Answer = unknown>(value: unknown) => Answer;
  /** Tells of progress; resets the `idleTimeout` of a node that has one. */
  readonly heartbeat?: () => void;
  /** Of the run: asks it to stop, tells whether it was asked to. */
  readonly control?: RunControl;
  readonly executionInfo?: ExecutionInfo;
  readonly serverInfo?: ServerInfo;
}

export interface ExecutionInfo {
  readonly checkpointId: string;
  readonly checkpointNs: string;
  /** The same over retries and resumes: a key for effects that must happen once. */
  readonly taskId: string;
  readonly threadId?: string;
  readonly runId?: string;
  /** 1-based. */
  readonly nodeAttempt: number;
  /** Milliseconds since 1970. */
  readonly nodeFirstAttemptTime?: number;
}

/** Who serves the run; absent where nobody does. */
export interface ServerInfo {
  readonly assistantId: string;
  readonly graphId: string;
  readonly user?: { readonly identity: string; readonly [key: string]: unknown };
}
