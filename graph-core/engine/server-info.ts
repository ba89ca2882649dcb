import type { RunnableConfig } from '@langchain/core/runnables';
import type { ServerInfo } from './node-config.js';

/** Who serves the run, as its config tells: `assistant_id` and `graph_id`, and the user that the server has let in. */
export function serverInfoOf({ configurable = {}, metadata = {} }: RunnableConfig): ServerInfo | undefined {
  const named = (key: string): unknown => configurable[key] ?? metadata[key];
  const assistantId = named('assistant_id');
  const graphId = named('graph_id');
  const user = userIn(configurable['langgraph_auth_user']);
  if (assistantId == null && graphId == null && user === undefined) return undefined;
  return { assistantId: textOf(assistantId), graphId: textOf(graphId), user };
}

function userIn(value: unknown): ServerInfo['user'] {
  return typeof value === 'object' && value !== null && 'identity' in value ? (value as ServerInfo['user']) : undefined;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
