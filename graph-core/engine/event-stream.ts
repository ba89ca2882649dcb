// A run's chunks as server-sent events, as the LangGraph Platform sends them: `encoding: "text/event-stream"`.
import type { StreamChunk } from '../stream-mode.js';

const encoder = new TextEncoder();

/** @param subgraphs whether the events name namespaces. */
export function eventOfChunk({ ns, mode, payload }: StreamChunk, subgraphs: boolean): Uint8Array {
  const name = subgraphs && ns.length > 0 ? `${mode}|${ns.join('|')}` : mode;
  return event(name, stringify(eventData(mode, payload)));
}

/** The last event of a run that failed. */
export function eventOfError(error: unknown): Uint8Array {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: JSON.stringify(error) };
  return event('error', stringify({ error: name, message }));
}

/** An event of a run stream; its data are plain already. */
export const runEvent = (name: string, data: unknown): Uint8Array => event(name, JSON.stringify(data));

const event = (name: string, data: string): Uint8Array => encoder.encode(`event: ${name}\ndata: ${data}\n\n`);

function eventData(mode: string, payload: unknown): unknown {
  if (mode === 'checkpoints') return checkpointData(payload as CheckpointLike);
  const { type, payload: inner } = (payload ?? {}) as { readonly type?: unknown; readonly payload?: unknown };
  if (mode !== 'debug' || type !== 'checkpoint') return payload;
  return { ...(payload as object), payload: checkpointData(inner as CheckpointLike) };
}

interface ConfigLike {
  readonly configurable?: Readonly<Record<string, unknown>>;
}

interface CheckpointLike {
  readonly config?: ConfigLike;
  readonly parentConfig?: ConfigLike;
  readonly tasks: readonly { readonly state?: ConfigLike }[];
}

/** Names the checkpoint apart from its config. */
function checkpointData({ parentConfig, ...payload }: CheckpointLike): object {
  return {
    ...payload,
    checkpoint: checkpointOf(payload.config),
    parent_checkpoint: checkpointOf(parentConfig),
    config: publicConfig(payload.config),
    parent_config: publicConfig(parentConfig),
    tasks: payload.tasks.map(({ state, ...task }) => {
      const checkpoint = checkpointOf(state);
      return checkpoint ? { ...task, checkpoint } : { ...task, state };
    }),
  };
}

function checkpointOf(config: ConfigLike | undefined): object | null {
  const { thread_id, checkpoint_ns, checkpoint_id, checkpoint_map } = config?.configurable ?? {};
  if (!thread_id) return null;
  return {
    thread_id,
    checkpoint_ns: checkpoint_ns || '',
    checkpoint_id: checkpoint_id || null,
    checkpoint_map: checkpoint_map || null,
  };
}

function publicConfig(config: ConfigLike | undefined): ConfigLike | undefined {
  if (!config?.configurable) return config;
  const configurable = Object.entries(config.configurable).filter(([key]) => !key.startsWith('__'));
  return { ...config, configurable: Object.fromEntries(configurable) };
}

/** Messages read `{...fields, type}`. */
function stringify(data: unknown): string {
  return JSON.stringify(data, function (this: Record<string, unknown>, key: string, value: unknown) {
    // What `toJSON` has not touched.
    const raw = this[key];
    return isMessageLike(raw) ? flatMessage(raw) : value;
  });
}

interface MessageLike {
  toDict(): { readonly type: string; readonly data: object };
}

const isMessageLike = (value: unknown): value is MessageLike =>
  typeof value === 'object' && value !== null && typeof (value as Partial<MessageLike>).toDict === 'function';

function flatMessage(message: MessageLike): object {
  const { type, data } = message.toDict();
  return { ...data, type };
}
