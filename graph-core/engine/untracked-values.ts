// Values that no checkpoint has, for a driver that reads a run's state again between its supersteps.
import type { Channel } from '../channels/channel.js';
import type { ExecutableGraph } from './executable-graph.js';
import { liveState, remember, stateUnder } from './live-state.js';
import { untracked } from './stored-writes.js';
import type { SavedState } from './superstep-contract.js';

/** What a run holds in untracked channels, by channel; undefined where it holds nothing. */
export function untrackedValues(
  { spec }: ExecutableGraph,
  { checkpoint }: SavedState,
): Readonly<Record<string, unknown>> | undefined {
  const names = untracked(spec);
  if (names.size === 0) return undefined;
  const { channels } = liveState(spec, checkpoint);
  const held = [...names].flatMap((name) => {
    const channel = channels.get(name);
    return channel?.isAvailable() ? [[name, channel.get()] as const] : [];
  });
  return held.length > 0 ? Object.fromEntries(held) : undefined;
}

/** The saved state with these values in its untracked channels. */
export function withUntrackedValues(
  { spec }: ExecutableGraph,
  saved: SavedState,
  values: Readonly<Record<string, unknown>>,
): SavedState {
  const state = liveState(spec, saved.checkpoint);
  const channels = new Map<string, Channel>();
  for (const name of untracked(spec)) {
    if (!(name in values)) continue;
    const channel = (spec.channels[name] as Channel).fromCheckpoint();
    channel.update([values[name]]);
    channels.set(name, channel);
  }
  const carried = stateUnder(saved.checkpoint, { ...state, channels: state.channels.with(channels) });
  return { ...saved, checkpoint: remember(carried).checkpoint };
}
