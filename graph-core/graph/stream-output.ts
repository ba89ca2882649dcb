// What `stream()` gives, by the modes that are asked for.
import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { Interrupt } from '../errors.js';
import type { StreamMode } from '../stream-mode.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what is in it depends on callbacks
type AnyRecord = Record<string, any>;

interface TaskChunk {
  readonly id: string;
  readonly name: string;
  readonly interrupts: Interrupt[];
}

type TasksOutput<Updates, Values, Nodes> =
  | (TaskChunk & { readonly input: Values; readonly triggers: string[] })
  | (TaskChunk & { readonly result: [Nodes, Updates][]; readonly error?: unknown });

interface ToolCallChunk {
  readonly toolCallId?: string;
  readonly name: string;
}

type ToolsOutput = ToolCallChunk &
  (
    | { readonly event: 'on_tool_start'; readonly input: unknown }
    | { readonly event: 'on_tool_event'; readonly data: unknown }
    | { readonly event: 'on_tool_end'; readonly output: unknown }
    | { readonly event: 'on_tool_error'; readonly error: unknown }
  );

interface CheckpointsOutput<Values> {
  readonly values: Values;
  readonly next: string[];
  readonly config: RunnableConfig;
  readonly metadata?: CheckpointMetadata;
  readonly parentConfig?: RunnableConfig;
  readonly tasks: (TaskChunk & { readonly error?: unknown; readonly state?: unknown })[];
}

/** By node, where it is known what each returns. */
type UpdatesOutput<Updates, Nodes, NodeReturn> =
  NodeReturn extends Record<string, unknown>
    ? { [Key in keyof NodeReturn]?: NodeReturn[Key] }
    : Record<Nodes extends string ? Nodes : string, Updates>;

interface Payloads<Updates, Values, Nodes, NodeReturn, Custom> {
  values: Values;
  updates: UpdatesOutput<Updates, Nodes, NodeReturn>;
  messages: [BaseMessage, AnyRecord];
  custom: Custom;
  checkpoints: CheckpointsOutput<Values>;
  tasks: TasksOutput<Updates, Values, Nodes>;
  tools: ToolsOutput;
  debug: AnyRecord;
}

/** `[mode, payload]` or the payload; led by a namespace where subgraphs stream too. */
type Chunk<Mode extends StreamMode, Payload, Shape extends 'several' | 'one', Subgraphs> = Shape extends 'several'
  ? [Subgraphs] extends [true]
    ? [string[], Mode, Payload]
    : [Mode, Payload]
  : [Subgraphs] extends [true]
    ? [string[], Payload]
    : Payload;

type ChunksOf<
  Modes extends StreamMode,
  AllPayloads extends Record<StreamMode, unknown>,
  Shape extends 'several' | 'one',
  Subgraphs,
> = {
  [Mode in Modes]: Chunk<Mode, AllPayloads[Mode], Shape, Subgraphs>;
}[Modes];

type DefaultStreamMode = 'updates';

/** A chunk of `stream()`. */
export type StreamOutputMap<
  Mode extends StreamMode | readonly StreamMode[] | undefined,
  Subgraphs extends boolean,
  Updates,
  Values,
  Nodes,
  NodeReturn,
  Custom,
  Encoding extends 'text/event-stream' | undefined,
> = [Encoding] extends ['text/event-stream']
  ? Uint8Array
  : undefined extends Mode
    ? ChunksOf<DefaultStreamMode, Payloads<Updates, Values, Nodes, NodeReturn, Custom>, 'one', Subgraphs>
    : Mode extends readonly StreamMode[]
      ? ChunksOf<Mode[number], Payloads<Updates, Values, Nodes, NodeReturn, Custom>, 'several', Subgraphs>
      : Mode extends StreamMode
        ? ChunksOf<Mode, Payloads<Updates, Values, Nodes, NodeReturn, Custom>, 'one', Subgraphs>
        : never;
