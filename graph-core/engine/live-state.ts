// A checkpoint with its channels ready to use. Values: applying writes gives another one and leaves this as it was.
import type { Checkpoint } from '@langchain/langgraph-checkpoint';
import type { Channel } from '../channels/channel.js';
import type { GraphSpec } from './graph-spec.js';

export type Channels = Readonly<Record<string, Channel>>;

export interface LiveState {
  readonly checkpoint: Checkpoint;
  readonly channels: Channels;
}

/** Channels of checkpoints made in this process: spares the next superstep to build them, and keeps what is not stored. */
const made = new WeakMap<Checkpoint, LiveState>();

export function remember(state: LiveState): LiveState {
  made.set(state.checkpoint, state);
  return state;
}

export function liveState(spec: GraphSpec, checkpoint: Checkpoint): LiveState {
  return made.get(checkpoint) ?? { checkpoint, channels: channelsOf(spec, checkpoint) };
}

function channelsOf(spec: GraphSpec, checkpoint: Checkpoint): Channels {
  const channels: Record<string, Channel> = {};
  for (const name in spec.channels) {
    channels[name] = (spec.channels[name] as Channel).fromCheckpoint(checkpoint.channel_values[name]);
  }
  return channels;
}

export type Keys = string | readonly string[];

export const isList = (keys: Keys): keys is readonly string[] => typeof keys !== 'string';

export const includes = (keys: Keys, key: string): boolean => (isList(keys) ? keys.includes(key) : keys === key);

/** A record of the channels that have a value; of one channel its value, `null` if it has none. */
export function readChannels(channels: Channels, keys: Keys): unknown {
  if (!isList(keys)) return channels[keys]?.isAvailable() ? channels[keys].get() : null;
  const values: Record<string, unknown> = {};
  for (const key of keys) {
    const channel = channels[key];
    if (channel?.isAvailable()) values[key] = channel.get();
  }
  return values;
}
