// The source of stream mode `messages`: a callback handler that rides along with a run and sees every chat model and
// every node in it.
//   M1. A chat model's tokens are emitted as they come, even where the node calls `invoke()`: the handler asks for
//       streaming (`lc_prefer_streaming`), and the model obliges.
//   M2. All chunks of one model run carry one id, and the message a node then returns with that id is not emitted again.
//   M3. A message that a node was given, or that a nested graph had before it resumed, is never emitted as if it were new.
import type { HandleLLMNewTokenCallbackFields } from '@langchain/core/callbacks/base';
import { AIMessageChunk, isBaseMessage, isToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { isCommand } from '../command.js';
import { MessageCallbacks } from './message-callbacks.js';
import { withId } from './message-id.js';
import type { MessageMetadata, MessageSource } from './message-sources.js';
import { namespaceIn, showsGraph, taskNamespaceOf, WHOLE_RUN, type StreamScope } from './stream-scope.js';

export type { MessageMetadata } from './message-sources.js';

/** `ns`: namespace of the graph the node belongs to, `[]` for the root. */
export type EmitMessage = (
  ns: readonly string[],
  payload: readonly [message: BaseMessage, metadata: MessageMetadata],
) => void;

export class StreamMessagesHandler extends MessageCallbacks {
  override name = 'StreamMessagesHandler';

  /** Read by chat models in @langchain/core: with it `invoke()` streams internally. */
  readonly lc_prefer_streaming = true;

  readonly #emit: EmitMessage;
  readonly #scope: StreamScope;

  constructor(emit: EmitMessage, scope: StreamScope = WHOLE_RUN) {
    super(scope);
    this.#emit = emit;
    this.#scope = scope;
  }

  override handleLLMNewToken(
    token: string,
    _index: unknown,
    runId: string,
    _parentRunId?: string,
    _tags?: string[],
    fields?: HandleLLMNewTokenCallbackFields,
  ): void {
    this.streamed.add(runId);
    const source = this.sourceOf(runId);
    if (source === undefined) return;
    const chunk = fields?.chunk as ChatGenerationChunk | undefined;
    this.#emitFrom(source, this.named(chunk?.message ?? new AIMessageChunk({ content: token }), runId));
  }

  protected override modelEnded(source: MessageSource, message: BaseMessage, runId: string): void {
    if (!this.streamed.has(runId) && !this.known.has(message.id)) this.#emitFrom(source, this.named(message, runId));
  }

  /**
   * Of a graph that resumes: the messages among the values, or in lists among them, were emitted when they were made (M3),
   * unless its nodes are not part of the stream.
   */
  resumes(ns: string, values: readonly unknown[]): void {
    if (showsGraph(this.#scope, ns)) this.known.addFrom(values);
  }

  protected override nodeEnded(source: MessageSource, output: unknown, runId: string): void {
    for (const [position, message] of [...messagesIn(output)].entries()) {
      if (this.known.has(message.id)) continue;
      const fallback = isToolMessage(message)
        ? `run-${runId}-tool-${message.tool_call_id}`
        : `run-${runId}-out-${position}`;
      this.#emitFrom(source, withId(message, message.id ?? fallback));
    }
  }

  override push(message: BaseMessage, metadata: MessageMetadata): void {
    const taskNs = taskNamespaceOf(metadata);
    const ns = taskNs === undefined ? [] : namespaceIn(this.#scope, taskNs, metadata);
    if (ns !== undefined) this.#emitFrom({ ns, metadata }, message);
  }

  #emitFrom(source: MessageSource, message: BaseMessage): void {
    this.known.add(message.id);
    this.#emit(source.ns, [message, source.metadata]);
  }
}

/** Messages of a node's output: alone, in a list, in the fields of an update, in Commands among them. */
function* messagesIn(output: unknown): Generator<BaseMessage> {
  if (isBaseMessage(output)) yield output;
  else if (isCommand(output)) yield* messagesIn(output.update);
  else if (Array.isArray(output)) {
    const items = output as unknown[];
    if (items.some(isCommand)) for (const item of items) yield* messagesIn(item);
    else yield* items.filter((item): item is BaseMessage => isBaseMessage(item));
  } else if (typeof output === 'object' && output !== null) {
    for (const value of Object.values(output) as unknown[]) {
      if (Array.isArray(value)) yield* messagesIn(value);
      else if (isBaseMessage(value)) yield value;
    }
  }
}
