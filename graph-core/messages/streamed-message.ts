// A chat model's message put together again from its chunks in wire form (`{...data, type}`), for readers that get the
// chunks as JSON. Tool calls and usage add up as LangChain adds them.
import { AIMessageChunk, ChatMessageChunk } from '@langchain/core/messages';

type Chunk = AIMessageChunk | ChatMessageChunk;

export class StreamedMessage {
  #chunk: Chunk;

  /** @param first the first chunk in wire form */
  constructor(first: Readonly<Record<string, unknown>>) {
    this.#chunk = revive(first);
  }

  /** @param next the following chunk in wire form, of the same kind as the first */
  append(next: Readonly<Record<string, unknown>>): void {
    this.#chunk = (this.#chunk as AIMessageChunk).concat(revive(next) as AIMessageChunk);
  }

  /** The message so far in wire form. */
  toWire(): Record<string, unknown> {
    const { type, data } = this.#chunk.toDict();
    return { ...data, type };
  }
}

function revive({ type, ...fields }: Readonly<Record<string, unknown>>): Chunk {
  return typeof fields['role'] === 'string' && type === 'generic'
    ? new ChatMessageChunk(fields as { content: string; role: string })
    : new AIMessageChunk(fields);
}
