// A checkpoint with its channels ready to use. Values: applying writes gives another one and leaves this as it was.
import type { ChannelVersions, Checkpoint } from '@langchain/langgraph-checkpoint';
import type { Channel } from '../channels/channel.js';
import type { GraphSpec } from './graph-spec.js';

/** Maps, which a superstep of a large graph copies ten times as fast as the records that are saved. */
export type Channels = ReadonlyMap<string, Channel>;

/** A channel's version; a saver may have its own kind. */
export type Version = ChannelVersions[string];

export type Versions = ReadonlyMap<string, Version>;

/** Versions by node: those of its triggers when it last ran. */
export type VersionsSeen = ReadonlyMap<string, Readonly<ChannelVersions>>;

export interface LiveState {
  /** What is saved of it. The records in it are made when they are first looked at: without a saver, never. */
  readonly checkpoint: Checkpoint;
  readonly channels: Channels;
  readonly versions: Versions;
  readonly seen: VersionsSeen;
}

/** The state under this checkpoint's id. */
export function stateUnder(
  { v, id, ts }: Pick<Checkpoint, 'v' | 'id' | 'ts'>,
  parts: Omit<LiveState, 'checkpoint'>,
): LiveState {
  const { channels, versions, seen } = parts;
  let values: Checkpoint['channel_values'] | undefined;
  let channelVersions: Checkpoint['channel_versions'] | undefined;
  let versionsSeen: Checkpoint['versions_seen'] | undefined;
  const checkpoint: Checkpoint = {
    v,
    id,
    ts,
    get channel_values() {
      return (values ??= storedValues(channels));
    },
    get channel_versions() {
      return (channelVersions ??= Object.fromEntries(versions));
    },
    get versions_seen() {
      return (versionsSeen ??= Object.fromEntries(seen));
    },
  };
  return { checkpoint, channels, versions, seen };
}

function storedValues(channels: Channels): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, channel] of channels) {
    const stored = channel.checkpoint();
    if (stored !== undefined) values[name] = stored;
  }
  return values;
}

/** Channels of checkpoints made in this process: spares the next superstep to build them, and keeps what is not stored. */
const made = new WeakMap<Checkpoint, LiveState>();

export function remember(state: LiveState): LiveState {
  made.set(state.checkpoint, state);
  return state;
}

export function liveState(spec: GraphSpec, checkpoint: Checkpoint): LiveState {
  const known = made.get(checkpoint);
  if (known !== undefined) return known;
  const seen = new Map(Object.entries(checkpoint.versions_seen));
  return { checkpoint, channels: channelsOf(spec, checkpoint), versions: versionsOf(checkpoint), seen };
}

export const versionsOf = (checkpoint: Checkpoint): Versions =>
  made.get(checkpoint)?.versions ?? new Map(Object.entries(checkpoint.channel_versions));

function channelsOf(spec: GraphSpec, checkpoint: Checkpoint): Channels {
  const channels = new Map<string, Channel>();
  for (const name in spec.channels) {
    channels.set(name, (spec.channels[name] as Channel).fromCheckpoint(checkpoint.channel_values[name]));
  }
  return channels;
}

export type Keys = string | readonly string[];

export const isList = (keys: Keys): keys is readonly string[] => typeof keys !== 'string';

export const includes = (keys: Keys, key: string): boolean => (isList(keys) ? keys.includes(key) : keys === key);

/** A record of the channels that have a value; of one channel its value, `null` if it has none. */
export function readChannels(channels: Channels, keys: Keys): unknown {
  if (!isList(keys)) {
    const channel = channels.get(keys);
    return channel?.isAvailable() ? channel.get() : null;
  }
  const values: Record<string, unknown> = {};
  for (const key of keys) {
    const channel = channels.get(key);
    if (channel?.isAvailable()) values[key] = channel.get();
  }
  return values;
}
