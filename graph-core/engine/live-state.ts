// A checkpoint with its channels ready to use. Values: applying writes gives another one and leaves this as it was.
import { maxChannelVersion, type ChannelVersions, type Checkpoint } from '@langchain/langgraph-checkpoint';
import type { Channel } from '../channels/channel.js';
import type { GraphSpec } from './graph-spec.js';
import { LayeredMap } from './layered-map.js';

export type Channels = LayeredMap<Channel>;

/** A channel's version; a saver may have its own kind. */
export type Version = ChannelVersions[string];

export type Versions = LayeredMap<Version>;

/** Versions by node: those of its triggers when it last ran. */
type VersionsSeen = LayeredMap<Readonly<ChannelVersions>>;

export interface LiveState {
  /** What is saved of it. The records in it are made when they are first looked at: without a saver, never. */
  readonly checkpoint: Checkpoint;
  readonly channels: Channels;
  readonly versions: Versions;
  readonly seen: VersionsSeen;
  /** The highest version; undefined where there is none. */
  readonly newest: Version | undefined;
  /** Channels that have a value now and would lose it in a superstep that does not write to them. */
  readonly passing: ReadonlySet<string>;
}

const NO_SNAPSHOTS: ReadonlyMap<string, unknown> = new Map();

/**
 * The state under this checkpoint's id.
 * @param snapshots What is stored of channels that are not stored each time.
 */
export function stateUnder(
  { v, id, ts }: Pick<Checkpoint, 'v' | 'id' | 'ts'>,
  parts: Omit<LiveState, 'checkpoint'>,
  snapshots: ReadonlyMap<string, unknown> = NO_SNAPSHOTS,
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
      return (values ??= { ...storedValues(channels), ...Object.fromEntries(snapshots) });
    },
    get channel_versions() {
      return (channelVersions ??= Object.fromEntries(versions));
    },
    get versions_seen() {
      return (versionsSeen ??= Object.fromEntries(seen));
    },
  };
  return { ...parts, checkpoint };
}

/** Without any channel. */
export const emptyState = (checkpoint: Checkpoint): LiveState =>
  stateUnder(checkpoint, {
    channels: LayeredMap.of(),
    versions: LayeredMap.of(),
    seen: LayeredMap.of(),
    newest: undefined,
    passing: new Set(),
  });

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
  const channels = channelsOf(spec, checkpoint);
  const versions = versionsOf(checkpoint);
  return {
    checkpoint,
    channels,
    versions,
    seen: LayeredMap.of(Object.entries(checkpoint.versions_seen)),
    newest: newestOf(versions),
    passing: new Set([...channels].filter(([, channel]) => isPassing(channel)).map(([name]) => name)),
  };
}

export const versionsOf = (checkpoint: Checkpoint): Versions =>
  made.get(checkpoint)?.versions ?? LayeredMap.of(Object.entries(checkpoint.channel_versions));

export function newestOf(versions: Iterable<readonly [string, Version]>): Version | undefined {
  let max: Version | undefined;
  for (const [, version] of versions) max = max === undefined ? version : maxChannelVersion(max, version);
  return max;
}

export const isPassing = (channel: Channel | undefined): boolean =>
  channel?.transient === true && channel.isAvailable();

function channelsOf(spec: GraphSpec, { channel_values }: Checkpoint): Channels {
  const patterns = Object.entries(spec.channels);
  return LayeredMap.of(
    patterns.map(([name, channel]) => [name, channel.fromCheckpoint(channel_values[name])] as const),
  );
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
