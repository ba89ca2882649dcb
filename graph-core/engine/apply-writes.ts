// Applies the writes of a superstep's tasks to the state. Pure: the same tasks give the same state, in whichever order
// they finished (S3), and the state it starts from stays as it was (S4).
import { compareWritesSortKeys, writesSortKey, type ChannelVersions } from '@langchain/langgraph-checkpoint';
import type { Channel } from '../channels/channel.js';
import { ERROR, ERROR_SOURCE_NODE, INTERRUPT, NO_WRITES, PUSH, RESUME, RETURN } from '../constants.js';
import { InvalidUpdateError, type ErrorCode } from '../errors.js';
import type { NextVersion } from './checkpoints.js';
import { isPassing, stateUnder, type Channels, type LiveState, type Version } from './live-state.js';

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
  state: LiveState,
  tasks: readonly TaskWrites[],
  nextVersion: NextVersion | undefined,
  triggered: ReadonlyMap<string, unknown>,
): AppliedWrites {
  const { checkpoint, channels } = state;
  const ordered = inTaskOrder(tasks);
  const step = ordered.some((task) => task.triggers.length > 0);
  const changes: Changes = { channels, own: new Map() };
  const versions = new Map<string, Version>();
  const updated = new Set<string>();

  const consumed = consume(changes, ordered);
  let version = nextVersion?.(state.newest);
  if (version !== undefined && consumed.length > 0) {
    for (const name of consumed) versions.set(name, version);
    version = nextVersion?.(version);
  }
  const changed = (name: string): void => {
    if (version !== undefined) versions.set(name, version);
    if (current(changes, name)?.isAvailable()) updated.add(name);
  };

  const writes = byChannel(ordered, channels);
  for (const [name, values] of writes) {
    if (update(owned(changes, name), name, values)) changed(name);
  }
  if (step) {
    for (const name of state.passing) {
      if (updated.has(name) || !isPassing(current(changes, name))) continue;
      if (owned(changes, name).update([])) changed(name);
    }
    if (![...updated].some((name) => triggered.has(name))) {
      for (const [name] of channels) if (owned(changes, name).finish()) changed(name);
    }
  }
  return {
    state: stateUnder(checkpoint, {
      channels: channels.with(changes.own),
      versions: state.versions.with(versions),
      seen: state.seen.with(seenBy(ordered, state)),
      newest: versions.size > 0 ? version : state.newest,
      passing: new Set([...state.passing, ...changes.own.keys()].filter((name) => isPassing(current(changes, name)))),
    }),
    updated,
  };
}

/** Channels as they were, and those that this state has of its own. */
interface Changes {
  readonly channels: Channels;
  readonly own: Map<string, Channel>;
}

const current = ({ channels, own }: Changes, name: string): Channel | undefined => own.get(name) ?? channels.get(name);

/**
 * The values of some channels as one task sees them: its own writes applied, nobody else's.
 */
export function applyOwnWrites(channels: Channels, keys: readonly string[], writes: readonly Write[]): Channels {
  const changes: Changes = { channels, own: new Map() };
  for (const [name, values] of byChannel([{ name: '', triggers: [], writes }], channels)) {
    if (keys.includes(name)) update(owned(changes, name), name, values);
  }
  return channels.with(changes.own);
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
function owned({ channels, own }: Changes, name: string): Channel {
  let channel = own.get(name);
  if (channel === undefined) own.set(name, (channel = (channels.get(name) as Channel).copy()));
  return channel;
}

function consume(changes: Changes, tasks: readonly TaskWrites[]): readonly string[] {
  const triggers = new Set(tasks.flatMap((task) => task.triggers));
  return [...triggers].filter((name) => changes.channels.has(name) && owned(changes, name).consume());
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

function seenBy(tasks: readonly TaskWrites[], { versions, seen }: LiveState): ReadonlyMap<string, ChannelVersions> {
  const changes = new Map<string, ChannelVersions>();
  for (const task of tasks) {
    const bySelf = changes.get(task.name) ?? { ...seen.get(task.name) };
    for (const trigger of task.triggers) {
      const version = versions.get(trigger);
      if (version !== undefined) bySelf[trigger] = version;
    }
    changes.set(task.name, bySelf);
  }
  return changes;
}
