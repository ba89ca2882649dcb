// What of a task's writes is stored: untracked channels live in the run's memory only.
import type { Channel } from '../channels/channel.js';
import { TASKS } from '../constants.js';
import { isSend, Send } from '../send.js';
import type { Write } from './apply-writes.js';
import type { GraphSpec } from './graph-spec.js';

const untrackedOf = new WeakMap<GraphSpec, ReadonlySet<string>>();

const isUntracked = (channel: Channel): boolean => channel.lc_graph_name === 'UntrackedValue';

/** Channels whose values no checkpoint has. */
export function untracked(spec: GraphSpec): ReadonlySet<string> {
  let names = untrackedOf.get(spec);
  if (names === undefined) {
    names = new Set(Object.keys(spec.channels).filter((name) => isUntracked(spec.channels[name] as Channel)));
    untrackedOf.set(spec, names);
  }
  return names;
}

/** Without writes to untracked channels; a Send, which is often given the state, goes without their keys. */
export function storedWrites(spec: GraphSpec, writes: readonly Write[]): readonly Write[] {
  const names = untracked(spec);
  if (names.size === 0) return writes;
  return writes
    .filter(([channel]) => !names.has(channel))
    .map(([channel, value]) => [channel, channel === TASKS && isSend(value) ? without(names, value) : value]);
}

function without(names: ReadonlySet<string>, send: Send): Send {
  const { node, args } = send;
  if (typeof args !== 'object' || args === null) return send;
  return new Send(node, Object.fromEntries(Object.entries(args).filter(([key]) => !names.has(key))));
}
