// The source of stream mode `tools`: a callback handler that sees every tool call of a run.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import { TAG_HIDDEN } from '../constants.js';
import { isGraphDrained, isGraphInterrupt } from '../errors.js';
import { namespaceIn, taskNamespaceOf, WHOLE_RUN, type StreamScope } from './stream-scope.js';

/** `toolCallId` is absent where the tool was not called by a model. */
export type ToolChunk = { readonly toolCallId?: string; readonly name: string } & (
  | { readonly event: 'on_tool_start'; readonly input: unknown }
  /** What a tool that is a generator yields on its way. */
  | { readonly event: 'on_tool_event'; readonly data: unknown }
  | { readonly event: 'on_tool_end'; readonly output: unknown }
  | { readonly event: 'on_tool_error'; readonly error: unknown }
);

interface ToolCall {
  readonly ns: readonly string[];
  readonly of: { readonly toolCallId: string | undefined; readonly name: string };
}

export class StreamToolsHandler extends BaseCallbackHandler {
  override name = 'StreamToolsHandler';

  /** The chunks of a call come before what its caller does next. */
  override awaitHandlers = true;

  readonly #emit: (ns: readonly string[], chunk: ToolChunk) => void;
  readonly #scope: StreamScope;
  /** Calls that go on, by LangChain run id. */
  readonly #calls = new Map<string, ToolCall>();

  constructor(emit: (ns: readonly string[], chunk: ToolChunk) => void, scope: StreamScope = WHOLE_RUN) {
    super();
    this.#emit = emit;
    this.#scope = scope;
  }

  override handleToolStart(
    _tool: Serialized,
    input: string,
    runId: string,
    _parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    name = 'unknown',
    toolCallId?: string,
  ): void {
    if (metadata === undefined || tags?.includes(TAG_HIDDEN)) return;
    const taskNs = taskNamespaceOf(metadata);
    const ns = taskNs === undefined ? [] : namespaceIn(this.#scope, taskNs, metadata);
    if (ns === undefined) return;
    const of = { toolCallId, name };
    this.#calls.set(runId, { ns, of });
    this.#emit(ns, { event: 'on_tool_start', ...of, input });
  }

  override handleToolEvent(data: unknown, runId: string): void {
    const call = this.#calls.get(runId);
    if (call) this.#emit(call.ns, { event: 'on_tool_event', ...call.of, data });
  }

  override handleToolEnd(output: unknown, runId: string): void {
    const call = this.#end(runId);
    if (call) this.#emit(call.ns, { event: 'on_tool_end', ...call.of, output });
  }

  /** A tool that asks, or that the run is drained around, has not failed. */
  override handleToolError(error: unknown, runId: string): void {
    const call = this.#end(runId);
    if (call === undefined || isGraphInterrupt(error) || isGraphDrained(error)) return;
    this.#emit(call.ns, { event: 'on_tool_error', ...call.of, error });
  }

  #end(runId: string): ToolCall | undefined {
    const call = this.#calls.get(runId);
    this.#calls.delete(runId);
    return call;
  }
}
