import { _coerceToRunnable, type Runnable, type RunnableLike } from '@langchain/core/runnables';
import type { NodeSpec, NodeWriter } from '../engine/graph-spec.js';
import type { RetryPolicy } from '../engine/retry.js';
import { ChannelWrite } from './channel-write.js';

/** What a node reads: one channel's value, or a record of several by the names it knows them by. */
type Reads = { readonly kind: 'value'; readonly channel: string } | { readonly kind: 'record'; readonly by: Names };
type Names = Readonly<Record<string, string>>;

export interface PregelNodeFields {
  readonly reads: Reads;
  readonly triggers: readonly string[];
  readonly tags?: readonly string[];
  readonly bound?: Runnable;
  readonly writers?: readonly ChannelWrite[];
  readonly retryPolicy?: RetryPolicy;
}

/** A node of a graph that is built by hand: `Channel.subscribeTo(…).pipe(…)`. Each step gives a new one. */
export class PregelNode {
  readonly lc_graph_name = 'PregelNode';
  readonly fields: PregelNodeFields;

  constructor(fields: PregelNodeFields) {
    this.fields = fields;
  }

  /** Reads more channels, which do not trigger it. @throws Error for a node that reads a bare value. */
  join(channels: readonly string[]): PregelNode {
    if (!Array.isArray(channels)) throw new Error('channels must be a list');
    const { reads } = this.fields;
    if (reads.kind === 'value') throw new Error('all channels must be named when using .join()');
    return new PregelNode({ ...this.fields, reads: { kind: 'record', by: { ...reads.by, ...byOwnName(channels) } } });
  }

  /** A next step; what `Channel.writeTo` gives writes what the steps before gave. */
  pipe(step: RunnableLike<never, unknown> | ChannelWrite): PregelNode {
    if (step instanceof ChannelWrite) {
      return new PregelNode({ ...this.fields, writers: [...(this.fields.writers ?? []), step] });
    }
    const { bound } = this.fields;
    const next = step as RunnableLike<unknown, unknown>;
    return new PregelNode({ ...this.fields, bound: bound ? (bound.pipe(next) as Runnable) : _coerceToRunnable(next) });
  }

  /** As the engine runs it. */
  spec(name: string): NodeSpec {
    const { reads, triggers, tags, bound, writers = [], retryPolicy } = this.fields;
    const input =
      reads.kind === 'value'
        ? { reads: reads.channel }
        : { reads: Object.values(reads.by), mapInput: renamed(reads.by), requires: triggers };
    return { name, triggers, tags, retryPolicy, bound, writers: writers.map(writerOf), ...input };
  }
}

export const byOwnName = (channels: readonly string[]): Names =>
  Object.fromEntries(channels.map((channel) => [channel, channel]));

const renamed = (by: Names) => (input: unknown) =>
  Object.fromEntries(
    Object.entries(by)
      .filter(([, channel]) => channel in (input as object))
      .map(([key, channel]) => [key, (input as Record<string, unknown>)[channel]]),
  );

const writerOf =
  (step: ChannelWrite): NodeWriter =>
  async (output, { write, config }) => {
    for (const [channel, value] of await step.writesOf(output, config)) write(channel, value);
  };
