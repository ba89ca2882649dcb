// What a program saw of a graph, in order, to be compared.
import type { RunnableConfig } from '@langchain/core/runnables';
import { MemorySaver } from '@langchain/langgraph-checkpoint';

const MODES = ['values', 'updates', 'messages', 'custom', 'tasks', 'checkpoints', 'debug'] as const;

type Config = Record<string, unknown>;

/** The parts of a compiled graph that programs use, without the types of its state. */
export interface Graph {
  invoke(input: unknown, config?: Config): Promise<unknown>;
  stream(input: unknown, config?: Config): Promise<AsyncIterable<unknown>>;
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<unknown>;
  getStateHistory(config: RunnableConfig, options?: Config): AsyncIterable<unknown>;
  updateState(config: RunnableConfig, values: unknown, asNode?: string): Promise<RunnableConfig>;
}

/** What a program saw, in order. */
export class Trace {
  readonly entries: unknown[] = [];

  note(label: string, value: unknown): void {
    this.entries.push({ [label]: value });
  }

  /** The result of `action`, or its error. */
  async outcome(label: string, action: () => unknown): Promise<void> {
    try {
      this.note(label, await action());
    } catch (error) {
      this.note(`${label} fails`, error);
    }
  }

  invoke(graph: Graph, input: unknown, config?: Config): Promise<void> {
    return this.outcome('invoke', () => graph.invoke(input, config));
  }

  /** Each chunk, and how the stream ended. */
  async stream(graph: Graph, input: unknown, config: Config = {}): Promise<void> {
    const label = `stream ${JSON.stringify(config.streamMode)}`;
    const chunks: unknown[] = [];
    try {
      for await (const chunk of await graph.stream(input, config)) chunks.push(chunk);
      this.note(label, chunks);
    } catch (error) {
      this.entries.push({ kind: 'failed stream', label, chunks, error } satisfies FailedStream);
    }
  }

  /** Streams the same input in each mode by itself and in all of them together, each time on a new thread. */
  async everyMode(graph: Graph, input: unknown, config: Config = {}): Promise<void> {
    for (const streamMode of MODES) await this.stream(graph, input, { ...thread(streamMode), ...config, streamMode });
    for (const subgraphs of [false, true]) {
      await this.stream(graph, input, { ...thread(`all ${subgraphs}`), ...config, streamMode: [...MODES], subgraphs });
    }
  }

  async state(graph: Graph, config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<void> {
    await this.outcome('state', () => graph.getState(config, options));
  }

  async history(graph: Graph, config: RunnableConfig, options?: Config): Promise<void> {
    await this.outcome('history', () => collect(graph.getStateHistory(config, options)));
  }

  /** Everything the saver holds: checkpoints, metadata and pending writes, newest first. */
  async saved(saver: MemorySaver, config: RunnableConfig = thread()): Promise<void> {
    await this.outcome('saved', () => collect(saver.list(config)));
  }
}

/** A thread's config. */
export const thread = (
  id = 'thread-1',
  more: Record<string, unknown> = {},
): { configurable: Record<string, unknown> } => ({
  configurable: { thread_id: id, ...more },
});

export const saver = (): MemorySaver => new MemorySaver();

/** A stream's chunks up to where it failed. */
interface FailedStream {
  readonly kind: 'failed stream';
  readonly label: string;
  readonly chunks: readonly unknown[];
  readonly error: unknown;
}

export const isFailedStream = (entry: unknown): entry is FailedStream =>
  (entry as { readonly kind?: unknown }).kind === 'failed stream';

/** A list of all that comes. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
