// Messages as their tokens arrive. Nodes that run at the same time speak at the same time; on a terminal one of them
// speaks and the others are kept until it is done.
import { inline, type Terminal } from './terminal.js';

export interface MessageChunk {
  readonly id?: string;
  readonly type: string;
  readonly name?: string;
  readonly content: unknown;
  readonly tool_call_chunks?: readonly { readonly name?: string; readonly args?: string; readonly index?: number }[];
  readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[];
}

interface Speech {
  readonly id: string;
  readonly node: string;
  readonly taskId: string;
  text: string;
  /** Characters of `text` that are on the terminal. */
  shown: number;
  readonly calls: Map<number, { name: string; args: string }>;
}

const INDENT = '  ';

export class Speeches {
  readonly #terminal: Terminal;
  /** In the order they began; the first one speaks. */
  readonly #open = new Map<string, Speech>();
  readonly #finished = new Set<string>();
  /** The line that words would go on with is open. */
  #midLine = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  hear(
    chunk: MessageChunk,
    metadata: { readonly langgraph_node?: string; readonly langgraph_checkpoint_ns?: string },
  ): void {
    const node = metadata.langgraph_node ?? '';
    const taskId = metadata.langgraph_checkpoint_ns?.split(':').at(-1) ?? '';
    const id = chunk.id ?? `${node}:${taskId}`;
    if (chunk.type === 'tool') {
      this.#terminal.line(
        `${INDENT}← ${chunk.name ?? 'tool'}: ${inline(textOf(chunk.content), this.#terminal.columns - 16)}`,
      );
      return;
    }
    if (!chunk.type.toLowerCase().startsWith('ai') || this.#finished.has(id)) return;
    const speech = this.#open.get(id) ?? { id, node, taskId, text: '', shown: 0, calls: new Map() };
    // A whole message that follows its own chunks brings nothing new.
    if (!isPart(chunk) && speech.text !== '') return;
    this.#open.set(id, speech);
    speech.text += textOf(chunk.content);
    collectCalls(speech, chunk);
    if (this.#speaker === speech) this.#show(speech);
  }

  /** The task is over, and with it what it said. */
  close(taskId: string): void {
    for (const speech of [...this.#open.values()].filter((open) => open.taskId === taskId)) this.#finish(speech);
  }

  closeAll(): void {
    for (const speech of [...this.#open.values()]) this.#finish(speech);
  }

  /** Other lines may be written between words: what is open is broken off with its line. */
  breakLine(): void {
    if (this.#midLine) this.#terminal.line();
    this.#midLine = false;
  }

  get #speaker(): Speech | undefined {
    return this.#open.values().next().value;
  }

  #finish(speech: Speech): void {
    const wasSpeaking = this.#speaker === speech;
    if (!wasSpeaking) this.breakLine();
    this.#show(speech);
    this.breakLine();
    for (const { name, args } of speech.calls.values()) {
      this.#terminal.line(
        `${INDENT}→ ${this.#terminal.style.cyan(name)} ${inline(args, this.#terminal.columns - 8 - name.length)}`,
      );
    }
    this.#open.delete(speech.id);
    this.#finished.add(speech.id);
    if (wasSpeaking && this.#speaker) this.#show(this.#speaker);
  }

  #show(speech: Speech): void {
    const news = speech.text.slice(speech.shown);
    if (news === '') return;
    if (speech.shown === 0)
      this.#terminal.write(`${this.#terminal.style.dim(`${INDENT}${speech.node} says:`)}\n${INDENT}`);
    this.#terminal.write(news.replaceAll('\n', `\n${INDENT}`));
    speech.shown = speech.text.length;
    this.#midLine = true;
  }
}

function collectCalls(speech: Speech, chunk: MessageChunk): void {
  for (const [position, part] of (chunk.tool_call_chunks ?? []).entries()) {
    const index = part.index ?? position;
    const call = speech.calls.get(index) ?? { name: '', args: '' };
    speech.calls.set(index, { name: call.name + (part.name ?? ''), args: call.args + (part.args ?? '') });
  }
  if (isPart(chunk)) return;
  for (const [index, { name, args }] of (chunk.tool_calls ?? []).entries()) {
    if (!speech.calls.has(index)) speech.calls.set(index, { name, args: JSON.stringify(args) });
  }
}

/** JavaScript servers give a chunk the type of its message, and only its fields tell the two apart. */
const isPart = ({ type, tool_call_chunks }: MessageChunk): boolean =>
  type.endsWith('Chunk') || tool_call_chunks !== undefined;

/** The text of a message's content, which is text or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as { type?: string; text?: string }[]).map(({ text = '' }) => text).join('');
}
