// The types of what a run streams, by what it was asked for.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { BaseMessage } from '@langchain/core/messages';
import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { Interrupt } from '../errors.js';
import type { ToolChunk } from '../messages/stream-tools-handler.js';
import type { StreamMode } from '../stream-mode.js';
import type { TaskSnapshot } from './snapshot.js';

/** Payload of `messages`: a message or a chunk of one, and where it comes from. */
export type StreamMessageOutput = [BaseMessage, Record<string, unknown>];

/** Payload of `debug`. */
export interface StreamDebugOutput {
  step: number;
  type: 'checkpoint' | 'task' | 'task_result';
  /** ISO 8601. */
  timestamp: string;
  payload: Record<string, unknown>;
}

/** Payload of `checkpoints`. */
export interface StreamCheckpointsOutput<Values> {
  values: Values;
  next: string[];
  config: RunnableConfig;
  metadata?: CheckpointMetadata;
  parentConfig?: RunnableConfig;
  tasks: TaskSnapshot[];
}

interface StreamTask<Node> {
  id: string;
  name: Node;
  interrupts: Interrupt[];
}

/** Payload of `tasks` at the start of a task. */
export interface StreamTasksCreateOutput<Values, Node = string> extends StreamTask<Node> {
  input: Values;
  triggers: string[];
  metadata?: Record<string, unknown>;
}

/** Payload of `tasks` at its end. */
export interface StreamTasksResultOutput<Updates, Node = string> extends StreamTask<Node> {
  /** What it wrote, by state key. */
  result: Updates;
  error: unknown;
}

export type StreamTasksOutput<Updates, Values, Node = string> =
  StreamTasksCreateOutput<Values, Node> | StreamTasksResultOutput<Updates, Node>;

/** Payload of `tools`. */
export type StreamToolsOutput = ToolChunk;

type Updates<Update, Nodes, NodeReturn> =
  NodeReturn extends Record<string, unknown>
    ? { [Node in keyof NodeReturn]?: NodeReturn[Node] }
    : Record<Nodes extends string ? Nodes : string, Update>;

interface Payloads<Update, Values, Nodes, NodeReturn, Custom> {
  values: Values;
  updates: Updates<Update, Nodes, NodeReturn>;
  messages: StreamMessageOutput;
  custom: Custom;
  checkpoints: StreamCheckpointsOutput<Values>;
  tasks: StreamTasksOutput<Update, Values, Nodes>;
  tools: StreamToolsOutput;
  debug: StreamDebugOutput;
}

type IsEventStream<Encoding> = [Encoding] extends ['text/event-stream']
  ? ['text/event-stream'] extends [Encoding]
    ? true
    : false
  : false;

/** Modes that chunks name: those of a list, or of a call whose mode is not known. */
type NamedModes<Mode> = undefined extends Mode
  ? never
  : StreamMode | StreamMode[] extends Mode
    ? StreamMode
    : Mode extends readonly (infer One)[]
      ? One
      : never;

type Chunk<Payload, Subgraphs, Named extends readonly unknown[]> = [Subgraphs] extends [true]
  ? [string[], ...Named, Payload]
  : Named extends readonly []
    ? Payload
    : [...Named, Payload];

/**
 * A chunk of `stream()`: the payload of its mode; led by the mode where `streamMode` is a list, and by a namespace with
 * `subgraphs`. Bytes with the encoding `text/event-stream`.
 */
export type StreamOutputMap<
  Mode extends StreamMode | StreamMode[] | undefined,
  Subgraphs extends boolean,
  Update,
  Values,
  Nodes,
  NodeReturn,
  Custom,
  Encoding extends 'text/event-stream' | undefined,
> =
  IsEventStream<Encoding> extends true
    ? Uint8Array
    : [NamedModes<Mode>] extends [never]
      ? {
          [Single in StreamMode]: Chunk<Payloads<Update, Values, Nodes, NodeReturn, Custom>[Single], Subgraphs, []>;
        }[undefined extends Mode ? 'updates' : Extract<Mode, StreamMode>]
      : {
          [Named in StreamMode]: Chunk<Payloads<Update, Values, Nodes, NodeReturn, Custom>[Named], Subgraphs, [Named]>;
        }[Extract<NamedModes<Mode>, StreamMode>];
