import { ChannelWrite, type WrittenValue } from './channel-write.js';
import { byOwnName, PregelNode } from './pregel-node.js';

export interface SubscribeOptions {
  /** Of one channel: it comes in a record, under this name. */
  readonly key?: string;
  readonly tags?: string[];
}

/** How nodes of a graph that is built by hand read and write. */
export class Channel {
  /**
   * A node that runs when the channel has changed, with its value; of several, once all have a value, with a record.
   * @throws Error for a key and several channels.
   */
  static subscribeTo(channels: string | string[], { key, tags }: SubscribeOptions = {}): PregelNode {
    if (typeof channels === 'string') {
      const reads = key
        ? ({ kind: 'record', by: { [key]: channels } } as const)
        : ({ kind: 'value', channel: channels } as const);
      return new PregelNode({ reads, triggers: [channels], tags });
    }
    if (key !== undefined) throw new Error("Can't specify a key when subscribing to multiple channels");
    return new PregelNode({ reads: { kind: 'record', by: byOwnName(channels) }, triggers: channels, tags });
  }

  /** A step that writes its input to channels, and to others what is said here. */
  static writeTo(channels: string[], values: Readonly<Record<string, WrittenValue>> = {}): ChannelWrite {
    return new ChannelWrite(channels, values);
  }
}
