// What streams and state snapshots show of tasks, writes and checkpoints. Pure; the shapes are LangGraph's.
import {
  EXCLUDED_METADATA_KEYS,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { ERROR, INTERRUPT, isTaskOutput, RETURN } from '../constants.js';
import type { Interrupt } from '../errors.js';
import type { Write } from './apply-writes.js';
import { includes, isList, readChannels, type Channels, type Keys } from './live-state.js';
import type { Task } from './plan-tasks.js';
import type { TaskSnapshot } from './snapshot.js';

/** `updates`: `{node: update}`; a list of single-key updates where a task wrote a key twice. */
export function updatesPayload(
  { name }: Task,
  writes: readonly Write[],
  keys: Keys,
): Readonly<Record<string, unknown>> {
  const updates = updatesOf(writes, keys);
  if (updates.length === 0) return {};
  return { [name]: updates.length === 1 ? updates[0] : updates };
}

function updatesOf(writes: readonly Write[], keys: Keys): readonly unknown[] {
  const returned = writes.filter(([channel]) => channel === RETURN);
  if (returned.length > 0) return returned.map(([, value]) => value);
  if (!isList(keys)) return writes.filter(([channel]) => channel === keys).map(([, value]) => value);
  const shown = writes.filter(([channel]) => keys.includes(channel));
  const twice = new Set(shown.map(([channel]) => channel)).size < shown.length;
  return twice ? shown.map(([channel, value]) => ({ [channel]: value })) : [Object.fromEntries(shown)];
}

/** `tasks`, at the start of a task. */
export function taskStart({ id, name, input, triggers }: Task, config: RunnableConfig): object {
  const metadata = shownMetadata(config);
  return { id, name, input, triggers, interrupts: [], ...(metadata && { metadata }) };
}

/** Without what the engine puts in itself. */
function shownMetadata({ metadata, tags }: RunnableConfig): object | undefined {
  const shown = Object.fromEntries(
    Object.entries(metadata ?? {}).filter(([key]) => !EXCLUDED_METADATA_KEYS.has(key)),
  ) as Record<string, unknown>;
  const ownTags = tags?.filter((tag) => !tag.startsWith('seq:step'));
  if (ownTags && ownTags.length > 0) shown['tags'] = ownTags;
  return Object.keys(shown).length > 0 ? shown : undefined;
}

/** `tasks`, at its end. */
export function taskEnd({ id, name }: Task, writes: readonly Write[], keys: Keys): object {
  return {
    id,
    name,
    result: byChannel(writes.filter(([channel]) => includes(keys, channel))),
    interrupts: interruptsIn(writes),
    error: writes.find(([channel]) => channel === ERROR)?.[1] ?? null,
  };
}

/** Several writes to one channel read `{$writes: [...]}`. */
function byChannel(writes: readonly Write[]): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown[]>();
  for (const [channel, value] of writes) values.set(channel, [...(values.get(channel) ?? []), value]);
  return Object.fromEntries(
    [...values].map(([channel, [first, ...rest]]) => [
      channel,
      rest.length > 0 ? { $writes: [first, ...rest] } : first,
    ]),
  );
}

const interruptsIn = (writes: readonly Write[]): readonly Interrupt[] =>
  writes.filter(([channel]) => channel === INTERRUPT).flatMap(([, interrupts]) => interrupts as Interrupt[]);

/** A planned task and what is known of it by its pending writes. */
export function taskSnapshot(
  { id, name, path }: Task,
  pendingWrites: readonly CheckpointPendingWrite[],
  state: TaskSnapshot['state'],
  keys: Keys,
): TaskSnapshot {
  const writes = pendingWrites.filter(([taskId]) => taskId === id).map(([, channel, value]): Write => [channel, value]);
  const error = writes.find(([channel]) => channel === ERROR)?.[1];
  const interrupts = interruptsIn(writes);
  const result = resultOf(writes, keys);
  if (error) return { id, name, path, error, interrupts, result };
  return { id, name, path, interrupts, ...(state !== undefined && { state }), result };
}

function resultOf(writes: readonly Write[], keys: Keys): unknown {
  if (!writes.some(([channel]) => isTaskOutput(channel))) return undefined;
  const returned = writes.find(([channel]) => channel === RETURN);
  if (returned) return returned[1];
  if (!isList(keys)) return writes.find(([channel]) => channel === keys)?.[1];
  const shown = writes.filter(([channel]) => keys.includes(channel));
  return shown.length > 0 ? byChannel(shown) : undefined;
}

export interface CheckpointPayload {
  readonly config: object;
  readonly values: unknown;
  readonly metadata: CheckpointMetadata;
  readonly next: readonly string[];
  readonly tasks: readonly TaskSnapshot[];
  readonly parentConfig?: object;
}

/** `checkpoints`. */
export function checkpointPayload(of: {
  readonly config: RunnableConfig;
  readonly parentConfig?: RunnableConfig;
  readonly channels: Channels;
  readonly metadata: CheckpointMetadata;
  readonly tasks: readonly TaskSnapshot[];
  readonly keys: Keys;
}): CheckpointPayload {
  return {
    config: shownConfig(of.config),
    values: readChannels(of.channels, of.keys),
    metadata: of.metadata,
    next: of.tasks.map((task) => task.name),
    tasks: of.tasks,
    parentConfig: of.parentConfig && shownConfig(of.parentConfig),
  };
}

/** A config in snake case, as LangGraph shows it; callbacks are left out, they are no data. */
function shownConfig(config: RunnableConfig): object {
  const shown: Record<string, unknown> = {};
  const put = (name: string, value: unknown): void => {
    if (value !== undefined) shown[name] = value;
  };
  put('configurable', config.configurable && publicConfigurable(config.configurable));
  put('max_concurrency', config.maxConcurrency);
  put('metadata', config.metadata);
  put('recursion_limit', config.recursionLimit);
  put('run_id', config.runId);
  put('run_name', config.runName);
  put('tags', config.tags);
  return shown;
}

function publicConfigurable(configurable: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(configurable).filter(([key]) => !key.startsWith('__')));
}
