// Applies the writes of a superstep's tasks to the state. Pure: the same tasks give the same state, in whichever order
// they finished (S3), and the state it starts from stays as it was (S4).
import { compareWritesSortKeys, writesSortKey } from '@langchain/langgraph-checkpoint';
import type { Channel } from '../channels/channel.js';
import { ERROR, ERROR_SOURCE_NODE, INTERRUPT, NO_WRITES, PUSH, RESUME, RETURN } from '../constants.js';
import { InvalidUpdateError, type ErrorCode } from '../errors.js';
import { newest, type NextVersion } from './checkpoints.js';
import {
  stateUnder,
  type Channels,
  type LiveState,
  type Version,
  type Versions,
  type VersionsSeen,
} from './live-state.js';

export type Write = readonly [channel: string, value: unknown];

/** First elements: how it was triggered, and the node's name or the Send's place. Gives the order of application. */
export type TaskPath = readonly unknown[];

/** A task as far as its writes go. */
export interface TaskWrites {
  readonly name: string;
  readonly path?: TaskPath;
  /** Channels that made it run; none for what comes from outside. */
  readonly triggers: readonly string[];
  readonly writes: readonly Write[];
}

export interface AppliedWrites {
  readonly state: LiveState;
  /** Channels that changed and have a value: what may trigger a node now. */
  readonly updated: ReadonlySet<string>;
}

/** Writes that are about a task; they change no channel. */
const NOTES: ReadonlySet<string> = new Set([NO_WRITES, PUSH, RESUME, INTERRUPT, RETURN, ERROR, ERROR_SOURCE_NODE]);

/**
 * @param nextVersion Absent: for a look at what the state would be; versions stay.
 * @param triggered Nodes by trigger. Where nothing would run next, deferred channels are told that the run ends.
 * @throws InvalidUpdateError naming the channel and its values, when a channel refuses them.
 */
export function applyWrites(
  { checkpoint, channels, versions: before, seen }: LiveState,
  tasks: readonly TaskWrites[],
  nextVersion: NextVersion | undefined,
  triggered: ReadonlyMap<string, unknown>,
): AppliedWrites {
  const ordered = inTaskOrder(tasks);
  const step = ordered.some((task) => task.triggers.length > 0);
  const next = new Map(channels);
  const versions = new Map(before);
  const updated = new Set<string>();

  const consumed = consume(next, channels, ordered);
  let version = nextVersion?.(newest(before));
  if (version !== undefined && consumed.length > 0) {
    for (const name of consumed) versions.set(name, version);
    version = nextVersion?.(version);
  }
  const changed = (name: string): void => {
    if (version !== undefined) versions.set(name, version);
    if (next.get(name)?.isAvailable()) updated.add(name);
  };

  const writes = byChannel(ordered, channels);
  for (const [name, values] of writes) {
    if (update(owned(next, channels, name), name, values)) changed(name);
  }
  if (step) {
    for (const [name, channel] of next) {
      if (!channel.transient || updated.has(name) || !channel.isAvailable()) continue;
      if (owned(next, channels, name).update([])) changed(name);
    }
    if (![...updated].some((name) => triggered.has(name))) {
      for (const name of next.keys()) if (owned(next, channels, name).finish()) changed(name);
    }
  }
  return {
    state: stateUnder(checkpoint, { channels: next, versions, seen: seenBy(ordered, before, seen) }),
    updated,
  };
}

/**
 * The values of some channels as one task sees them: its own writes applied, nobody else's.
 */
export function applyOwnWrites(channels: Channels, keys: readonly string[], writes: readonly Write[]): Channels {
  const next = new Map(channels);
  for (const [name, values] of byChannel([{ name: '', triggers: [], writes }], channels)) {
    if (keys.includes(name)) update(owned(next, channels, name), name, values);
  }
  return next;
}

function inTaskOrder(tasks: readonly TaskWrites[]): readonly TaskWrites[] {
  if (tasks.length < 2) return tasks;
  const keyed = tasks.map((task) => ({ task, key: writesSortKey(pathKey(task.path)) }));
  return keyed.sort((a, b) => compareWritesSortKeys(a.key, b.key)).map(({ task }) => task);
}

/** How wide numbers are written, so that they sort as text. LangGraph's, as savers store this. */
const NUMBER_WIDTH = 10;

/** A path as the text that savers keep beside a task's writes. */
export function pathKey(path: unknown): string {
  if (Array.isArray(path)) return `~${path.map(pathKey).join(', ')}`;
  if (typeof path === 'number' || typeof path === 'boolean') {
    const digits = String(Math.abs(Number(path)));
    return Number(path) < 0 ? `-${digits.padStart(NUMBER_WIDTH - 1, '0')}` : digits.padStart(NUMBER_WIDTH, '0');
  }
  return typeof path === 'string' ? path : '~';
}

/** This state's own copy of a channel. */
function owned(next: Map<string, Channel>, channels: Channels, name: string): Channel {
  let channel = next.get(name) as Channel;
  if (channel === channels.get(name)) next.set(name, (channel = channel.copy()));
  return channel;
}

function consume(next: Map<string, Channel>, channels: Channels, tasks: readonly TaskWrites[]): readonly string[] {
  const triggers = new Set(tasks.flatMap((task) => task.triggers));
  return [...triggers].filter((name) => channels.has(name) && owned(next, channels, name).consume());
}

function byChannel(tasks: readonly TaskWrites[], channels: Channels): ReadonlyMap<string, readonly unknown[]> {
  const writes = new Map<string, unknown[]>();
  for (const task of tasks) {
    for (const [name, value] of task.writes) {
      if (NOTES.has(name) || !channels.has(name)) continue;
      const values = writes.get(name);
      if (values) values.push(value);
      else writes.set(name, [value]);
    }
  }
  return writes;
}

function update(channel: Channel, name: string, values: readonly unknown[]): boolean {
  try {
    return channel.update(values);
  } catch (error) {
    if ((error as Partial<Error>).name !== 'InvalidUpdateError') throw error;
    const { message, lc_error_code } = error as InvalidUpdateError & { lc_error_code?: ErrorCode };
    // The cause's message ends in the pointer to its code already.
    const named = new InvalidUpdateError(
      `Invalid update for channel "${name}" with values ${JSON.stringify(values)}: ${message}`,
      { cause: error },
    );
    throw Object.assign(named, { lc_error_code });
  }
}

function seenBy(tasks: readonly TaskWrites[], versions: Versions, before: VersionsSeen): VersionsSeen {
  const seen = new Map(before);
  for (const task of tasks) {
    const bySelf: Record<string, Version> = { ...seen.get(task.name) };
    for (const trigger of task.triggers) {
      const version = versions.get(trigger);
      if (version !== undefined) bySelf[trigger] = version;
    }
    seen.set(task.name, bySelf);
  }
  return seen;
}
