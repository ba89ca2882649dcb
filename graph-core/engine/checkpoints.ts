// Checkpoints as data: versions, and what of the channels is kept.
import { maxChannelVersion, uuid6, type ChannelVersions, type Checkpoint } from '@langchain/langgraph-checkpoint';
import { START } from '../constants.js';
import type { Channel } from '../channels/channel.js';
import type { Channels, LiveState } from './live-state.js';
import { remember } from './live-state.js';

export type Version = ChannelVersions[string];

/** The version after `current`; a saver may have its own kind of versions. */
export type NextVersion = (current: Version | undefined) => Version;

const CHECKPOINT_FORMAT = 4;

export const countUp: NextVersion = (current) => (typeof current === 'number' ? current + 1 : 1);

/** The smallest version of the kind in use; undefined if there is none yet. */
export function nullVersion(versions: ChannelVersions): Version | undefined {
  const some = versions[START] ?? Object.values(versions)[0];
  return typeof some === 'number' ? 0 : typeof some === 'string' ? '' : undefined;
}

export function newest(versions: ChannelVersions): Version | undefined {
  let max: Version | undefined;
  for (const channel in versions) {
    const version = versions[channel] as Version;
    max = max === undefined ? version : maxChannelVersion(max, version);
  }
  return max;
}

export function isNewer(version: Version | undefined, than: Version | undefined, none: Version): boolean {
  return (version ?? none) > (than ?? none);
}

/** The versions that `after` has and `before` had not; all of them where there was nothing before. */
export function newVersions(before: ChannelVersions, after: ChannelVersions): ChannelVersions {
  const none = nullVersion(after);
  if (none === undefined || Object.keys(before).length === 0) return after;
  return Object.fromEntries(
    Object.entries(after).filter(([channel, version]) => isNewer(version, before[channel], none)),
  );
}

/** The next checkpoint: the channels' content under a new id, which sorts after the one it follows. */
export function nextCheckpoint(state: LiveState, step: number): LiveState {
  const checkpoint: Checkpoint = {
    v: CHECKPOINT_FORMAT,
    id: idAfter(state.checkpoint.id, step),
    ts: new Date().toISOString(),
    channel_values: storedValues(state.channels),
    channel_versions: state.checkpoint.channel_versions,
    versions_seen: state.checkpoint.versions_seen,
  };
  return remember({ checkpoint, channels: state.channels });
}

/** A time-ordered id. Where this machine's clock is behind the one that made `before`, a tick (100 ns) later than that. */
export function idAfter(before: string, step: number): string {
  const id = uuid6(step);
  const isTimeOrdered = before[14] === '6';
  if (id > before || !isTimeOrdered) return id;
  const ticks = BigInt(`0x${before.slice(0, 8)}${before.slice(9, 13)}${before.slice(15, 18)}`) + 1n;
  const time = ticks.toString(16).padStart(15, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-6${time.slice(12)}${id.slice(18)}`;
}

function storedValues(channels: Channels): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name in channels) {
    const stored = (channels[name] as Channel).checkpoint();
    if (stored !== undefined) values[name] = stored;
  }
  return values;
}
