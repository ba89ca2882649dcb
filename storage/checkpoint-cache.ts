// The last checkpoints that this process committed, so that the superstep that follows need not read them again.
//   C1. An entry is only used for the very checkpoint that is asked for: another process may have gone on meanwhile.
//   C2. Values are kept serialised: what comes out is what the database would give, and nobody's to change.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Checkpoint, CheckpointMetadata, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { CheckpointSaver } from './checkpoint-saver.js';

export interface CheckpointCacheOptions {
  readonly maxEntries: number;
  /** Of all entries together. */
  readonly maxBytes: number;
}

type Typed = readonly [type: string, bytes: Uint8Array];

interface Entry {
  readonly checkpointId: string;
  readonly config: RunnableConfig;
  readonly parentConfig: RunnableConfig | undefined;
  /** The checkpoint without its values, and its metadata. */
  readonly head: Typed;
  readonly values: ReadonlyMap<string, Typed>;
  readonly bytes: number;
}
type Head = { readonly checkpoint: Omit<Checkpoint, 'channel_values'>; readonly metadata?: CheckpointMetadata };

export class CheckpointCache {
  readonly #saver: CheckpointSaver;
  readonly #options: CheckpointCacheOptions;
  /** By thread and namespace; least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(saver: CheckpointSaver, options: CheckpointCacheOptions) {
    this.#saver = saver;
    this.#options = options;
  }

  /**
   * The checkpoint that `config` names by thread_id, checkpoint_ns and checkpoint_id, from memory if it is there.
   * `pendingWrites: 'none'`: the caller knows that there are none. `read`: they are read from the database.
   * Without a checkpoint_id: the latest one, from the database.
   */
  async get(
    config: RunnableConfig,
    { pendingWrites }: { readonly pendingWrites: 'none' | 'read' },
  ): Promise<CheckpointTuple | undefined> {
    const key = keyOf(config);
    const entry = this.#entries.get(key);
    if (!entry || entry.checkpointId !== config.configurable?.checkpoint_id) return this.#saver.getTuple(config);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return {
      ...(await this.#load(entry)),
      pendingWrites: pendingWrites === 'read' ? await this.#saver.pendingWrites(entry.config) : [],
    };
  }

  /** To be called after the commit, and before the values are handed to a node. Keeps nothing that is over its bound. */
  async remember({ config, parentConfig, checkpoint, metadata }: CheckpointTuple): Promise<void> {
    const key = keyOf(config);
    const { channel_values, ...rest } = checkpoint;
    const head = await this.#saver.serde.dumpsTyped({ checkpoint: rest, metadata } satisfies Head);
    const values = new Map<string, Typed>();
    for (const channel of Object.keys(channel_values)) {
      values.set(channel, await this.#saver.serde.dumpsTyped(channel_values[channel]));
    }
    const bytes = [head, ...values.values()].reduce((sum, [, { length }]) => sum + length, 0);
    this.#drop(key);
    if (bytes > this.#options.maxBytes) return;
    this.#entries.set(key, { checkpointId: checkpoint.id, config, parentConfig, head, values, bytes });
    this.#bytes += bytes;
    this.#shrink();
  }

  /** All namespaces of a thread: it was deleted, or is not expected to go on here. */
  forget(threadId: string): void {
    for (const [key, { config }] of this.#entries) if (config.configurable?.thread_id === threadId) this.#drop(key);
  }

  async #load({ config, parentConfig, head, values }: Entry): Promise<CheckpointTuple> {
    const { serde } = this.#saver;
    const { checkpoint, metadata } = (await serde.loadsTyped(...head)) as Head;
    const channel_values: Checkpoint['channel_values'] = {};
    for (const [channel, typed] of values) channel_values[channel] = (await serde.loadsTyped(...typed)) as unknown;
    return {
      config,
      checkpoint: { ...checkpoint, channel_values },
      ...(metadata && { metadata }),
      ...(parentConfig && { parentConfig }),
    };
  }

  #shrink(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxEntries && this.#bytes <= this.#options.maxBytes) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

function keyOf({ configurable }: RunnableConfig): string {
  const { thread_id, checkpoint_ns = '' } = (configurable ?? {}) as { thread_id?: string; checkpoint_ns?: string };
  return `${thread_id}\n${checkpoint_ns}`;
}
