// The events of a run stream, and what may look at them on their way.
import type { ChatModelStreamEvent } from '@langchain/core/language_models/event';
import type { ChatModelStream as CoreChatModelStream } from '@langchain/core/language_models/stream';
import type { Namespace } from './namespace.js';

/** A stream mode, `lifecycle`, `input`, or `custom:<channel>`. */
export type ProtocolMethod = string;

export interface ProtocolEvent {
  readonly type: 'event';
  /** Rises by one from event to event of a run stream. */
  readonly seq: number;
  readonly method: ProtocolMethod;
  readonly params: {
    readonly namespace: Namespace;
    /** Milliseconds since 1970. */
    readonly timestamp: number;
    readonly node?: string;
    readonly data: unknown;
  };
}

/** Looks at each event of a run, and makes something of them: its projection. */
export interface StreamTransformer<TProjection = unknown> {
  /** Called once. Channels with a name among its values are forwarded as `custom:<name>`. */
  init(): TProjection;
  /** Called before the first event, for those that add events of their own. */
  onRegister?(emitter: StreamEmitter): void;
  /** @returns whether the event stays in the stream. All transformers see it either way. */
  process(event: ProtocolEvent): boolean;
  /** The run has ended; the stream stays open until a promise it returns has settled. */
  finalize?(): void | PromiseLike<void>;
  fail?(error: unknown): void;
}

export interface StreamEmitter {
  push(namespace: Namespace, event: ProtocolEvent): void;
}

/** One whose projection becomes fields of the run stream itself, not of its `extensions`. */
export interface NativeStreamTransformer<TProjection = unknown> extends StreamTransformer<TProjection> {
  readonly __native: true;
}

export const isNativeTransformer = (transformer: StreamTransformer<unknown>): transformer is NativeStreamTransformer =>
  (transformer as Partial<NativeStreamTransformer>).__native === true;

/** What makes a transformer for each run. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- projections differ; `unknown` would not let them be inferred
export type TransformerFactory = () => StreamTransformer<any>;

/** What the projections of call-time transformers add up to. */
export type InferExtensions<Factories extends readonly TransformerFactory[]> = Factories extends readonly []
  ? Record<string, never>
  : Factories extends readonly [() => StreamTransformer<infer Projection>, ...infer Rest extends TransformerFactory[]]
    ? Rest extends []
      ? Projection
      : Projection & InferExtensions<Rest>
    : Record<string, unknown>;

export interface InterruptPayload<Payload = unknown> {
  interruptId: string;
  payload: Payload;
}

/** A chat model's message while it comes, with where it comes from. */
export type ChatModelStream = Omit<CoreChatModelStream, typeof Symbol.asyncIterator> & {
  readonly namespace: Namespace;
  readonly node: string | undefined;
  [Symbol.asyncIterator](): AsyncIterator<ChatModelStreamEvent>;
};

/** Without `then`: as an item of an async iterable it must not be awaited. */
export type ChatModelStreamHandle = Omit<ChatModelStream, 'then'>;

export type AgentStatus = 'started' | 'running' | 'completed' | 'failed' | 'interrupted';

/** What made a subgraph start. */
export type LifecycleCause =
  | { readonly type: 'toolCall'; readonly tool_call_id: string }
  | { readonly type: string; readonly [key: string]: unknown };

export interface LifecycleData {
  readonly event: AgentStatus;
  readonly graph_name?: string;
  readonly cause?: LifecycleCause;
  readonly error?: string;
}

/** Data of `messages` events. `run_id` is the model's run. */
export type MessagesEventData = ChatModelStreamEvent & {
  readonly run_id?: string;
  readonly role?: 'ai' | 'human' | 'system' | 'tool';
  readonly tool_call_id?: string;
};

/** Data of `tools` events. */
export type ToolsEventData =
  | { event: 'tool-started'; tool_call_id: string; tool_name: string; input?: unknown }
  | { event: 'tool-output-delta'; tool_call_id: string; delta: string }
  | { event: 'tool-finished'; tool_call_id: string; output?: unknown }
  | { event: 'tool-error'; tool_call_id: string; message: string };

/** Data of `updates` events. */
export interface UpdatesEventData {
  node?: string;
  values: Record<string, unknown>;
}

/** Data of `checkpoints` events: what names a checkpoint, without its state. */
export interface CheckpointEnvelope {
  readonly id: string;
  readonly parent_id?: string;
  readonly step: number;
  readonly source: string;
}

export type ToolCallStatus = 'running' | 'finished' | 'error';

/** A tool call that goes on, as transformers of agent libraries show it. */
export interface ToolCallStream<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  readonly callId: string;
  readonly input: Input;
  readonly output: Promise<Output>;
  readonly status: Promise<ToolCallStatus>;
  /** The message, where the status is `error`. */
  readonly error: Promise<string | undefined>;
}
