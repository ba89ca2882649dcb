// One call of a node: the author's code, then the writers that turn its output into writes.
import { CallbackManager, type CallbackManagerForChainRun } from '@langchain/core/callbacks/manager';
import type { NodeSpec, WriterContext } from './graph-spec.js';
import type { NodeConfig } from './node-config.js';

/**
 * Seen by LangChain's callbacks as a chain run named after the node: traces and the `messages` stream know a node by it.
 * START, which has no code, hands its input on.
 */
export async function callNode(
  node: NodeSpec,
  input: unknown,
  config: NodeConfig,
  context: Omit<WriterContext, 'config'>,
): Promise<void> {
  if (node.bound === undefined && config.callbacks === undefined)
    return runWriters(node, input, { ...context, config });
  const run = await startRun(node, input, config);
  try {
    const inner: NodeConfig = run ? { ...config, callbacks: run.getChild() } : config;
    const output: unknown = node.bound === undefined ? input : await node.bound.invoke(input, inner);
    await runWriters(node, output, { ...context, config: inner });
    await run?.handleChainEnd(asRecord(output, 'output'));
  } catch (error) {
    await run?.handleChainError(error);
    throw error;
  }
}

/** Also for a Command that a nested graph sent up to this node. */
export async function runWriters(node: NodeSpec, output: unknown, context: WriterContext): Promise<void> {
  for (const writer of node.writers) {
    const writing = writer(output, context);
    if (writing !== undefined) await writing;
  }
}

async function startRun(
  node: NodeSpec,
  input: unknown,
  { callbacks, tags, metadata }: NodeConfig,
): Promise<CallbackManagerForChainRun | undefined> {
  if (callbacks === undefined) return undefined;
  const manager = CallbackManager._configureSync(callbacks, undefined, tags, undefined, metadata);
  return manager?.handleChainStart(
    { lc: 1, type: 'not_implemented', id: ['superstep', 'node'] },
    asRecord(input, 'input'),
    undefined,
    undefined,
    undefined,
    undefined,
    node.name,
  );
}

/** LangChain's callbacks want a record. */
export function asRecord(value: unknown, key: string): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  return isRecord ? (value as Record<string, unknown>) : { [key]: value };
}
