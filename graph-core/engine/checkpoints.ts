// Checkpoints as data: versions, and what of the channels is kept.
import { uuid6, type ChannelVersions } from '@langchain/langgraph-checkpoint';
import { START } from '../constants.js';
import { remember, stateUnder, type LiveState, type Version, type Versions } from './live-state.js';

/** The version after `current`; a saver may have its own kind of versions. */
export type NextVersion = (current: Version | undefined) => Version;

const CHECKPOINT_FORMAT = 4;

export const countUp: NextVersion = (current) => (typeof current === 'number' ? current + 1 : 1);

/** The smallest version of the kind in use; undefined if there is none yet. */
export function nullVersion(versions: Versions): Version | undefined {
  const some = versions.get(START) ?? versions.first;
  return typeof some === 'number' ? 0 : typeof some === 'string' ? '' : undefined;
}

export function isNewer(version: Version | undefined, than: Version | undefined, none: Version): boolean {
  return (version ?? none) > (than ?? none);
}

/** The versions that `after` has and `before` had not; all of them where there was nothing before. */
export function newVersions(before: Versions, after: Versions): ChannelVersions {
  const none = nullVersion(after);
  const changed: ChannelVersions = {};
  for (const [channel, version] of after.changedSince(before)) {
    if (none === undefined || before.isEmpty || isNewer(version, before.get(channel), none)) changed[channel] = version;
  }
  return changed;
}

/** The next checkpoint: the channels' content under a new id, which sorts after the one it follows. */
export function nextCheckpoint(state: LiveState, step: number, snapshots?: ReadonlyMap<string, unknown>): LiveState {
  const id = idAfter(state.checkpoint.id, step);
  return remember(stateUnder({ v: CHECKPOINT_FORMAT, id, ts: new Date().toISOString() }, state, snapshots));
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
