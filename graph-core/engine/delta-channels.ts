// Channels whose value is not in each checkpoint (DeltaChannel): how it is read back, when it is stored whole, and the
// writes that it is made of. A graph without such channels pays for one look at its spec.
//   D1. A value is that of its last snapshot with the writes of the supersteps since replayed upon it. So those writes are
//       saved before the checkpoint that counts on them.
//   D2. Where writes are not saved for each superstep (`exit`), each checkpoint is a snapshot.
//   D3. Writes that stay behind on a checkpoint which a branch leaves would be replayed in the branch: it begins with a
//       snapshot of the channels that they are of.
import {
  DeltaSnapshot,
  isDeltaSnapshot,
  type BaseCheckpointSaver,
  type CheckpointMetadata,
} from '@langchain/langgraph-checkpoint';
import { isDeltaChannel, type DeltaChannel } from '../channels/delta.js';
import { reachedSnapshotBound } from '../channels/delta-checkpoints.js';
import { overwriteOf } from '../overwrite.js';
import type { NextVersion } from './checkpoints.js';
import type { GraphSpec } from './graph-spec.js';
import { liveState, versionsOf, type LiveState, type Version } from './live-state.js';
import type { DeltaStorage, SavedState } from './superstep-contract.js';

/** What a checkpoint holds of delta channels. */
export interface DeltaPlan {
  /** With new versions of the channels that are stored again without having been written. */
  readonly state: LiveState;
  /** Channels to store whole. */
  readonly snapshots: ReadonlyMap<string, DeltaSnapshot>;
  readonly metadata: Partial<DeltaMetadata>;
}

interface DeltaMetadata {
  /** `[writes, supersteps]` since the last snapshot, by channel. */
  readonly counters_since_delta_snapshot: Record<string, [updates: number, supersteps: number]>;
  /** Every write of the branch has a version: a channel without one was never written. */
  readonly delta_writes_versioned: true;
}

const namesOf = new WeakMap<GraphSpec, readonly string[]>();

function deltaNames(spec: GraphSpec): readonly string[] {
  let names = namesOf.get(spec);
  if (names === undefined) {
    names = Object.keys(spec.channels).filter((name) => isDeltaChannel(spec.channels[name]));
    namesOf.set(spec, names);
  }
  return names;
}

/** The checkpoint with the values of its delta channels in it, as a state that is made of it needs them. */
export async function withDeltas(
  { spec }: { readonly spec: GraphSpec },
  saver: BaseCheckpointSaver,
  saved: SavedState,
): Promise<SavedState> {
  const { checkpoint, config, metadata } = saved;
  const versioned = isVersioned(metadata);
  const names = deltaNames(spec).filter(
    (name) => !(name in checkpoint.channel_values) && (checkpoint.channel_versions[name] !== undefined || !versioned),
  );
  if (names.length === 0) return saved;
  const histories = await saver.getDeltaChannelHistory({ config, channels: [...names] });
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const history = histories[name];
    if (history === undefined) continue;
    const channel = (spec.channels[name] as DeltaChannel).fromCheckpoint(history.seed);
    channel.replayWrites(history.writes);
    values[name] = channel.get();
  }
  return { ...saved, checkpoint: { ...checkpoint, channel_values: { ...checkpoint.channel_values, ...values } } };
}

/** The same of a checkpoint that was just made: with the values that its state has in memory. */
export function deltaValues({ spec }: { readonly spec: GraphSpec }, saved: SavedState): SavedState {
  const names = deltaNames(spec);
  if (names.length === 0) return saved;
  const { checkpoint } = saved;
  const { channels } = liveState(spec, checkpoint);
  const held = names.filter((name) => !(name in checkpoint.channel_values) && channels.get(name)?.isAvailable());
  const values = Object.fromEntries(held.map((name) => [name, channels.get(name)?.get()]));
  return { ...saved, checkpoint: { ...checkpoint, channel_values: { ...checkpoint.channel_values, ...values } } };
}

const isVersioned = (metadata: CheckpointMetadata): boolean =>
  (metadata as Partial<DeltaMetadata>).delta_writes_versioned === true;

interface Planning {
  readonly storage: DeltaStorage;
  /** Channels that the superstep changed. */
  readonly updated: ReadonlySet<string>;
  /** Channels to store whole in any case (D3). */
  readonly forced?: ReadonlySet<string>;
  readonly nextVersion: NextVersion;
}

/** @returns undefined for a graph without delta channels. */
export function deltaPlan(
  spec: GraphSpec,
  state: LiveState,
  after: SavedState,
  { storage, updated, forced = new Set(), nextVersion }: Planning,
): DeltaPlan | undefined {
  const names = deltaNames(spec);
  if (names.length === 0) return undefined;
  const before = versionsOf(after.checkpoint);
  const versioned = before.isEmpty || isVersioned(after.metadata);
  const known = (after.metadata as Partial<DeltaMetadata>).counters_since_delta_snapshot ?? {};
  const counters: Record<string, [number, number]> = {};
  const snapshots = new Map<string, DeltaSnapshot>();
  const bumped = new Map<string, Version>();
  for (const name of names) {
    const channel = state.channels.get(name) as DeltaChannel;
    const version = state.versions.get(name);
    const written = version !== before.get(name);
    const [updates, supersteps] = known[name] ?? [0, 0];
    const counted: [number, number] = [updated.has(name) ? updates + 1 : updates, supersteps + 1];
    const due = storage === 'whole' || reachedSnapshotBound(channel, counted);
    const stores = channel.isAvailable() && (forced.has(name) || (due && (version !== undefined || !versioned)));
    if (!stores) {
      counters[name] = counted;
      continue;
    }
    snapshots.set(name, new DeltaSnapshot(channel.get()));
    if (!written && !isDeltaSnapshot(after.checkpoint.channel_values[name])) bumped.set(name, nextVersion(version));
  }
  return {
    state: withVersions(state, bumped),
    snapshots,
    metadata: {
      ...(versioned && { delta_writes_versioned: true }),
      ...(Object.keys(counters).length > 0 && { counters_since_delta_snapshot: counters }),
    },
  };
}

/** New versions that are no writes: whoever had seen the old one has seen the new one. */
function withVersions(state: LiveState, bumped: ReadonlyMap<string, Version>): LiveState {
  if (bumped.size === 0) return state;
  const seen = new Map<string, Readonly<Record<string, Version>>>();
  for (const [node, versions] of state.seen) {
    const moved = [...bumped].filter(
      ([name]) => versions[name] !== undefined && versions[name] === state.versions.get(name),
    );
    if (moved.length > 0) seen.set(node, { ...versions, ...Object.fromEntries(moved) });
  }
  return { ...state, versions: state.versions.with(bumped), seen: state.seen.with(seen) };
}

/** Delta channels that some writes are of. */
export function deltasAmong(spec: GraphSpec, channels: Iterable<string>): ReadonlySet<string> {
  const names = deltaNames(spec);
  return new Set(names.length === 0 ? [] : [...channels].filter((channel) => names.includes(channel)));
}

/** Delta channels that are replaced as a whole: a snapshot saves the replay of what came before. */
export function overwrittenDeltas(
  spec: GraphSpec,
  writes: Iterable<readonly [channel: string, value: unknown]>,
): ReadonlySet<string> {
  if (deltaNames(spec).length === 0) return new Set();
  return deltasAmong(
    spec,
    [...writes].filter(([, value]) => overwriteOf(value) !== undefined).map(([channel]) => channel),
  );
}
