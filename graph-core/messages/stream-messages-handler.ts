// The source of stream mode `messages`: a callback handler that rides along with a run and sees every chat model and
// every node in it.
//   M1. A chat model's tokens are emitted as they come, even where the node calls `invoke()`: the handler asks for
//       streaming (`lc_prefer_streaming`), and the model obliges.
//   M2. All chunks of one model run carry one id, and the message a node then returns with that id is not emitted again.
//   M3. A message that a node was given, or that a nested graph had before it resumed, is never emitted as if it were new.
import { BaseCallbackHandler, type HandleLLMNewTokenCallbackFields } from '@langchain/core/callbacks/base';
import { AIMessageChunk, isBaseMessage, isToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { Serialized } from '@langchain/core/load/serializable';
import type { ChatGeneration, ChatGenerationChunk, LLMResult } from '@langchain/core/outputs';
import type { ChainValues } from '@langchain/core/utils/types';
import { isCommand } from '../command.js';

/** Where a message comes from: `langgraph_*` of the task, `ls_*` of the model, `tags`, `name`. */
export type MessageMetadata = Readonly<Record<string, unknown>>;

/** `ns`: namespace of the graph the node belongs to, `[]` for the root. */
export type EmitMessage = (
  ns: readonly string[],
  payload: readonly [message: BaseMessage, metadata: MessageMetadata],
) => void;

export interface MessagesScope {
  /** Emit from graphs below the streaming one too. */
  readonly subgraphs: boolean;
  /** Namespace of the graph that streams; empty at the root. */
  readonly parentNs: string;
}

interface Source {
  readonly ns: readonly string[];
  readonly metadata: MessageMetadata;
}

const SILENCING_TAGS = ['langsmith:nostream', 'nostream'];
const HIDDEN_TAG = 'langsmith:hidden';

export class StreamMessagesHandler extends BaseCallbackHandler {
  override name = 'StreamMessagesHandler';

  /** Read by chat models in @langchain/core: with it `invoke()` streams internally. */
  readonly lc_prefer_streaming = true;

  readonly #emit: EmitMessage;
  readonly #scope: MessagesScope;
  /** Runs of models and nodes whose messages are of interest, by LangChain run id, while they last. */
  readonly #sources = new Map<string, Source>();
  /** The one id of a model run's chunks. */
  readonly #messageIds = new Map<string, string>();
  /** Model runs that have sent at least one token. */
  readonly #streamed = new Set<string>();
  /** Ids that were emitted, or that a node had received. */
  readonly #known = new Set<string>();

  constructor(emit: EmitMessage, scope: MessagesScope = { subgraphs: true, parentNs: '' }) {
    super();
    this.#emit = emit;
    this.#scope = scope;
  }

  override handleChatModelStart(
    _model: Serialized,
    _messages: BaseMessage[][],
    runId: string,
    _parentRunId?: string,
    _extraParams?: Record<string, unknown>,
    tags?: string[],
    metadata?: Record<string, unknown>,
    name?: string,
  ): void {
    if (tags?.some((tag) => SILENCING_TAGS.includes(tag))) return;
    this.#listen(runId, tags, metadata, name);
  }

  override handleLLMNewToken(
    token: string,
    _index: unknown,
    runId: string,
    _parentRunId?: string,
    _tags?: string[],
    fields?: HandleLLMNewTokenCallbackFields,
  ): void {
    this.#streamed.add(runId);
    const source = this.#sources.get(runId);
    if (source === undefined) return;
    const chunk = fields?.chunk as ChatGenerationChunk | undefined;
    this.#emitFrom(source, this.#withRunId(chunk?.message ?? new AIMessageChunk({ content: token }), runId));
  }

  override handleLLMEnd(output: LLMResult, runId: string): void {
    const source = this.#sources.get(runId);
    const message = (output.generations[0]?.[0] as ChatGeneration | undefined)?.message;
    if (source !== undefined && !this.#streamed.has(runId) && isBaseMessage(message) && !this.#isKnown(message)) {
      this.#emitFrom(source, this.#withRunId(message, runId));
    }
    this.#forget(runId);
  }

  override handleLLMError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  override handleChainStart(
    _chain: Serialized,
    inputs: ChainValues,
    runId: string,
    _parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    name?: string,
  ): void {
    // Only the run of a node itself, not what it calls.
    if (metadata === undefined || name !== metadata['langgraph_node'] || tags?.includes(HIDDEN_TAG)) return;
    if (!this.#listen(runId, tags, metadata, name)) return;
    this.know(Object.values(inputs ?? {}));
  }

  /** Messages among the values, or in lists among them, that were emitted before or are not the nodes' own (M3). */
  know(values: readonly unknown[]): void {
    for (const value of values) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isBaseMessage(item) && item.id !== undefined) this.#known.add(item.id);
      }
    }
  }

  override handleChainEnd(outputs: ChainValues, runId: string): void {
    const source = this.#sources.get(runId);
    this.#forget(runId);
    if (source === undefined) return;
    let position = 0;
    for (const message of messagesIn(outputs)) {
      if (!this.#isKnown(message)) {
        const fallback = isToolMessage(message)
          ? `run-${runId}-tool-${message.tool_call_id}`
          : `run-${runId}-out-${position}`;
        this.#emitFrom(source, withId(message, message.id ?? fallback));
      }
      position += 1;
    }
  }

  override handleChainError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  /** Whether the run's messages will be emitted. */
  #listen(
    runId: string,
    tags: string[] | undefined,
    metadata: Record<string, unknown> | undefined,
    name: string | undefined,
  ): boolean {
    const taskNs = metadata?.['langgraph_checkpoint_ns'] ?? metadata?.['checkpoint_ns'];
    if (metadata === undefined || typeof taskNs !== 'string' || taskNs === '') return false;
    const ns = graphNamespace(taskNs, metadata['langgraph_path']);
    if (!this.#scope.subgraphs && ns.join('|') !== this.#scope.parentNs) return false;
    this.#sources.set(runId, { ns, metadata: { tags, name, ...metadata } });
    return true;
  }

  #forget(runId: string): void {
    this.#sources.delete(runId);
    this.#messageIds.delete(runId);
    this.#streamed.delete(runId);
  }

  #isKnown(message: BaseMessage): boolean {
    return message.id !== undefined && this.#known.has(message.id);
  }

  /** The first chunk that brings an id of the provider's own decides; until then it is `run-<run id>`. */
  #withRunId(message: BaseMessage, runId: string): BaseMessage {
    const ownId = `run-${runId}`;
    const id = message.id === undefined || message.id === ownId ? (this.#messageIds.get(runId) ?? ownId) : message.id;
    if (!this.#messageIds.has(runId)) this.#messageIds.set(runId, id);
    return withId(message, id);
  }

  #emitFrom(source: Source, message: BaseMessage): void {
    if (message.id !== undefined) this.#known.add(message.id);
    this.#emit(source.ns, [message, source.metadata]);
  }
}

/** Set in place: the node's own copy is this object, and what it returns must be recognised (M2). */
function withId(message: BaseMessage, id: string): BaseMessage {
  if (message.id !== id) {
    message.id = id;
    (message.lc_kwargs as Record<string, unknown>)['id'] = id;
  }
  return message;
}

/** A task's namespace without its own segment; a function task hangs below the task that called it, so one more each. */
function graphNamespace(taskNs: string, path: unknown): readonly string[] {
  const segments = taskNs.split('|');
  let own = 1;
  for (let at = path; Array.isArray(at) && at[0] === '__pregel_push' && at.at(-1) === true; at = at[1] as unknown)
    own += 1;
  return segments.slice(0, Math.max(segments.length - own, 0));
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
