import { Runnable, _coerceToRunnable, type RunnableConfig, type RunnableLike } from '@langchain/core/runnables';
import type { Write } from '../engine/apply-writes.js';

/** A value, or a function or Runnable of the input; such a one writes nothing where it gives undefined. */
export type WrittenValue = unknown;

/** Writes its input to channels and passes it on. */
export class ChannelWrite extends Runnable<unknown, unknown> {
  override lc_namespace = ['superstep', 'pregel'];
  override name: string;
  readonly #passed: readonly string[];
  readonly #values: Readonly<Record<string, WrittenValue>>;

  /** @param passed Channels that get the input as it is. @param values What others get. */
  constructor(passed: readonly string[], values: Readonly<Record<string, WrittenValue>>) {
    super();
    this.#passed = passed;
    this.#values = values;
    this.name = `ChannelWrite<${[...passed, ...Object.keys(values)].join(',')}>`;
  }

  /** @throws TypeError outside of a node. */
  override async invoke(input: unknown, config: Partial<RunnableConfig> = {}): Promise<unknown> {
    const send = config.configurable?.['__pregel_send'] as (writes: readonly Write[]) => void;
    send(await this.writesOf(input, config));
    return input;
  }

  async writesOf(input: unknown, config: Partial<RunnableConfig>): Promise<readonly Write[]> {
    const writes: Write[] = this.#passed.map((channel) => [channel, input]);
    for (const [channel, value] of Object.entries(this.#values)) {
      if (!isMapper(value)) {
        writes.push([channel, value]);
        continue;
      }
      const mapped: unknown = await _coerceToRunnable(value).invoke(input, config);
      if (mapped !== undefined) writes.push([channel, mapped]);
    }
    return writes;
  }
}

const isMapper = (value: WrittenValue): value is RunnableLike<unknown, unknown> =>
  Runnable.isRunnable(value) || typeof value === 'function';
