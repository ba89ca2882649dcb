// Checkpoints and channels by themselves, without a graph that runs: what `@langchain/langgraph/channels` exports beside
// the channels. The engine has its own way for states that it makes.
import {
  DeltaSnapshot,
  uuid6,
  type BaseCheckpointSaver,
  type Checkpoint,
  type ReadonlyCheckpoint,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { isChannel, type Channel } from './channel.js';
import { isDeltaChannel, type DeltaChannel } from './delta.js';

/** `[writes, supersteps]` since the last snapshot, by channel. */
type DeltaCounters = Readonly<Record<string, readonly [updates: number, supersteps: number]>>;

type Versions = Readonly<Record<string, string | number>>;

const CHECKPOINT_FORMAT = 4;

/** LangGraph's: after so many supersteps a channel is stored whole even if hardly anything was written to it. */
const SUPERSTEPS_WITHOUT_SNAPSHOT = 5000;

const SUPERSTEPS_VARIABLE = 'LANGGRAPH_DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT';

function maxSupersteps(): number {
  const given = Number.parseInt(process.env[SUPERSTEPS_VARIABLE] ?? '', 10);
  return given > 0 ? given : SUPERSTEPS_WITHOUT_SNAPSHOT;
}

/** Whether it is time to store the channel whole. */
export function reachedSnapshotBound(
  channel: DeltaChannel,
  [updates, supersteps]: readonly [number, number] = [0, 0],
): boolean {
  return updates >= channel.snapshotFrequency || supersteps >= maxSupersteps();
}

/** @param versions Where each write has a version: channels without one were never written, and are not stored. */
export function deltaChannelsToSnapshot(
  channels: Readonly<Record<string, Channel>>,
  counters: DeltaCounters,
  versions?: Versions,
): Set<string> {
  const due = Object.entries(channels).filter(
    ([name, channel]) =>
      isDeltaChannel(channel) &&
      channel.isAvailable() &&
      (versions === undefined || versions[name] !== undefined) &&
      reachedSnapshotBound(channel, counters[name]),
  );
  return new Set(due.map(([name]) => name));
}

/** Delta channels that a branch from a checkpoint with these pending writes has to store whole. */
export function deltaChannelsWithPendingWrites(
  channels: Readonly<Record<string, Channel>>,
  pendingWrites: readonly (readonly [string, string, unknown])[] | undefined,
): Set<string> {
  return new Set((pendingWrites ?? []).map(([, name]) => name).filter((name) => isDeltaChannel(channels[name])));
}

/** Channels with what a checkpoint stored of them. */
export function empty<Channels extends Readonly<Record<string, Channel>>>(
  channels: Channels,
  checkpoint: ReadonlyCheckpoint,
): Channels {
  const made = Object.entries(channels)
    .filter(([, channel]) => isChannel(channel))
    .map(([name, channel]) => [name, channel.fromCheckpoint(checkpoint.channel_values[name])]);
  return Object.fromEntries(made) as Channels;
}

interface ReplayOptions {
  readonly saver?: BaseCheckpointSaver;
  /** Names the checkpoint. */
  readonly config?: RunnableConfig;
  /** The checkpoint's metadata says that each write of a delta channel has a version. */
  readonly deltaWritesVersioned?: boolean;
}

/**
 * The same; delta channels that are not stored are made of the writes since their last snapshot.
 * @throws Error where there are such and no saver to read them from.
 */
export async function channelsFromCheckpoint<Channels extends Readonly<Record<string, Channel>>>(
  specs: Channels,
  checkpoint: ReadonlyCheckpoint,
  { saver, config, deltaWritesVersioned = false }: ReplayOptions = {},
): Promise<Channels> {
  const channels: Record<string, Channel> = empty(specs, checkpoint);
  const isVersioned = (name: string): boolean => checkpoint.channel_versions[name] !== undefined;
  const names = Object.keys(channels).filter((name) => {
    if (name in checkpoint.channel_values) return false;
    if (isDeltaChannel(specs[name])) return isVersioned(name) || !deltaWritesVersioned;
    // It stores its value with each write: without one it was a delta channel then.
    return specs[name]?.lc_graph_name === 'BinaryOperatorAggregate' && isVersioned(name);
  });
  if (saver === undefined || config === undefined) {
    const written = names.filter(isVersioned);
    if (written.length === 0) return channels as Channels;
    throw new Error(
      `DeltaChannel ${written.join(', ')} has history to replay but no checkpointer or config was passed to read it`,
    );
  }
  const histories = names.length > 0 ? await saver.getDeltaChannelHistory({ config, channels: names }) : {};
  for (const [name, { seed, writes }] of Object.entries(histories)) {
    const channel = (specs[name] as Channel).fromCheckpoint(seed);
    if (isDeltaChannel(channel)) channel.replayWrites(writes);
    else for (const [, , value] of writes) channel.update([value]);
    channels[name] = channel;
  }
  return channels as Channels;
}

interface CreateCheckpointOptions {
  readonly id?: string;
  /** Delta channels to store whole. */
  readonly channelsToSnapshot?: ReadonlySet<string>;
  /** Of the checkpoint stored last: a channel that is stored whole without a new version since gets one. */
  readonly storedVersions?: Versions;
  readonly getNextVersion?: (current: number | string | undefined) => number | string;
}

/** The checkpoint that follows; without channels the content stays. */
export function createCheckpoint(
  checkpoint: ReadonlyCheckpoint,
  channels: Readonly<Record<string, Channel>> | undefined,
  step: number,
  options: CreateCheckpointOptions = {},
): Checkpoint {
  const { channelsToSnapshot, storedVersions, getNextVersion } = options;
  const versions: Record<string, number | string> = { ...checkpoint.channel_versions };
  const values: Record<string, unknown> = channels === undefined ? { ...checkpoint.channel_values } : {};
  for (const [name, channel] of Object.entries(channels ?? {})) {
    if (channelsToSnapshot?.has(name)) {
      values[name] = new DeltaSnapshot(channel.get());
      const version = versions[name];
      if (getNextVersion && storedVersions && version === storedVersions[name])
        versions[name] = getNextVersion(version);
    } else if (!isDeltaChannel(channel)) {
      const stored = channel.checkpoint();
      if (stored !== undefined) values[name] = stored;
    }
  }
  return {
    v: CHECKPOINT_FORMAT,
    id: options.id ?? uuid6(step),
    ts: new Date().toISOString(),
    channel_values: values,
    channel_versions: versions,
    versions_seen: checkpoint.versions_seen,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const NIL = '00000000-0000-0000-0000-000000000000';

/** Stands for the nil id, which means writes of no task. */
const FIRST = '00000000-0000-0000-0000-000000000001';

/**
 * Id under which `exit` durability keeps writes of a superstep on the checkpoint that the run began with: sorts by step.
 * @throws TypeError for a task id that is no UUID.
 */
export function exitDeltaTaskId(step: number, taskId: string): string {
  const [, ...rest] = groupsOf(taskId);
  const id = [String(step).padStart(8, '0'), ...rest].join('-');
  return id === NIL ? FIRST : id;
}

/** The same for later supersteps than that checkpoint's own: sorts after every task's own id. */
export function exitDeltaLateTaskId(step: number, taskId: string): string {
  const [, , , ...rest] = groupsOf(taskId);
  const hex = (part: number): string => part.toString(16).padStart(4, '0');
  return ['ffffffff', hex(step >> 16), hex(step & 0xffff), ...rest].join('-');
}

function groupsOf(taskId: string): string[] {
  if (!UUID.test(taskId)) throw new TypeError(`Invalid task id for exit delta: ${taskId}`);
  return taskId.toLowerCase().split('-');
}
