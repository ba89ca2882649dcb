// A checkpoint's address, as configs have it and as the protocol has it.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Checkpoint } from '@langchain/langgraph-sdk';

const KEYS = ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'checkpoint_map'] as const;

/** Undefined for a config that names none. */
export function checkpointOf(config: RunnableConfig | undefined): Checkpoint | undefined {
  const named = KEYS.map((key) => [key, config?.configurable?.[key] as unknown] as const);
  const given = named.filter(([, value]) => value !== undefined);
  return given.length > 0 ? (Object.fromEntries(given) as unknown as Checkpoint) : undefined;
}

/** @param fallback names the checkpoint where the server did not. */
export function configOf(
  checkpoint: Partial<Checkpoint> | null | undefined,
  fallback?: RunnableConfig,
): RunnableConfig {
  const address: Partial<Checkpoint> = checkpoint ?? checkpointOf(fallback) ?? {};
  const given = KEYS.filter((key) => address[key] !== undefined);
  const configurable: Record<string, unknown> = Object.fromEntries(given.map((key) => [key, address[key]]));
  if (given.some((key) => key !== 'thread_id')) configurable['checkpoint_map'] = address.checkpoint_map ?? {};
  return { configurable };
}
