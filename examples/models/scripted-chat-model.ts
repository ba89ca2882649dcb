// A chat model without a network: what it says follows from what it is told, and nothing else. It streams as a real one
// does, so that everything behind it (tokens, tool calls, cancellation) can be seen without a key.
import { setTimeout as delay } from 'node:timers/promises';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';

export interface ScriptedAnswer {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];
}

/** Pure: a step that is run again, in another process even, says the same. */
export type Script = (messages: readonly BaseMessage[]) => ScriptedAnswer;

export interface ScriptedChatModelFields {
  readonly script: Script;
  /** Pause before each token; a fast model's pace. Milliseconds, default 15. */
  readonly tokenDelayMs?: number;
}

export class ScriptedChatModel extends BaseChatModel<BaseChatModelCallOptions> {
  readonly #script: Script;
  readonly #tokenDelayMs: number;

  constructor({ script, tokenDelayMs = 15 }: ScriptedChatModelFields) {
    super({});
    this.#script = script;
    this.#tokenDelayMs = tokenDelayMs;
  }

  static override lc_name(): string {
    return 'ScriptedChatModel';
  }

  override _llmType(): string {
    return 'scripted';
  }

  /** The script knows which tools there are. */
  override bindTools(): Runnable<BaseLanguageModelInput, AIMessageChunk, BaseChatModelCallOptions> {
    return this;
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let whole = new AIMessageChunk('');
    for await (const { message } of this._streamResponseChunks(messages, options, run)) {
      whole = whole.concat(message as AIMessageChunk);
    }
    return { generations: [{ text: whole.text, message: whole }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text = '', toolCalls = [] } = this.#script(messages);
    for (const token of text.match(/\S+\s*|\s+/g) ?? []) {
      if (this.#tokenDelayMs > 0) await delay(this.#tokenDelayMs, undefined, { signal: options.signal });
      options.signal?.throwIfAborted();
      const chunk = new ChatGenerationChunk({ text: token, message: new AIMessageChunk(token) });
      yield chunk;
      await run?.handleLLMNewToken(token, undefined, undefined, undefined, undefined, { chunk });
    }
    if (toolCalls.length === 0) return;
    const turn = messages.filter((message) => message.getType() === 'ai').length;
    const tool_call_chunks = toolCalls.map(({ name, args }, index) => ({
      type: 'tool_call_chunk' as const,
      id: `call_${turn}_${index}`,
      name,
      args: JSON.stringify(args),
      index,
    }));
    yield new ChatGenerationChunk({ text: '', message: new AIMessageChunk({ content: '', tool_call_chunks }) });
  }
}
