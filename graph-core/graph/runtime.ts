// The second argument of nodes and routers, by the names under which authors type it.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { BaseStore } from '@langchain/langgraph-checkpoint';
import type { ExecutionInfo, ServerInfo } from '../engine/node-config.js';
import type { RunControl } from '../engine/run-control.js';

type IsUnknown<Type> = unknown extends Type ? true : false;

/** What a node can do with the run it is in. `InterruptType` and `WriterType`: the graph's `interrupt` and `writer`. */
export interface Runtime<ContextType = Record<string, unknown>, InterruptType = unknown, WriterType = unknown> {
  configurable?: ContextType;
  /** What the caller passed as `context`. */
  context?: ContextType;
  store?: BaseStore;
  /** Emits a `custom` chunk. */
  writer: IsUnknown<WriterType> extends true ? (chunk: unknown) => void : WriterType;
  /** `interrupt()` for code that is not called within the node's own async context. */
  interrupt: IsUnknown<InterruptType> extends true ? <Answer = unknown>(value: unknown) => Answer : InterruptType;
  /** Aborts with the run, or when another task of the superstep fails. */
  signal: AbortSignal;
  /** Tells of progress; resets the `idleTimeout` of a node that has one. */
  heartbeat?: () => void;
  executionInfo?: ExecutionInfo;
  serverInfo?: ServerInfo;
  /** Of the run: asks it to stop, tells whether it was asked to. */
  control?: RunControl;
}

/** The config that a node gets, and that calls of graphs, models and tools in it take. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as RunnableConfig's own
export interface LangGraphRunnableConfig<ContextType extends Record<string, any> = Record<string, any>>
  extends RunnableConfig<ContextType>, Partial<Runtime<ContextType>> {}

/** What the builder gives a node: the config, and the runtime's parts for certain. */
export type NodeRuntime<ContextType, InterruptType = unknown, WriterType = unknown> = Omit<
  RunnableConfig,
  'configurable' | 'signal'
> &
  Omit<Runtime<ContextType, InterruptType, WriterType>, 'configurable'> & {
    configurable?: ContextType & Record<string, unknown>;
  };
