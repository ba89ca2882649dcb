import { Runnable, _coerceToRunnable, type RunnableConfig, type RunnableLike } from '@langchain/core/runnables';
import { runAmbient } from '../engine/ambient-config.js';
import { refuseForeignGraph } from '../engine/foreign-graph.js';
import type { NodeConfig } from '../engine/node-config.js';

type NodeCallable = (input: never, config: NodeConfig) => unknown;

/**
 * An author's function as a Runnable. It is no run of its own in traces: the task that calls it is. The config is
 * ambient while it runs, which is how `interrupt()` and nested `invoke()` find the task they belong to.
 */
export class NodeFunction extends Runnable<unknown, unknown> {
  override lc_namespace = ['superstep'];
  override name: string;
  readonly #call: NodeCallable;

  constructor(name: string, call: NodeCallable) {
    super();
    this.name = name;
    this.#call = call;
  }

  override async invoke(input: unknown, config: Partial<RunnableConfig> = {}): Promise<unknown> {
    const output = await runAmbient(config, async () => this.#call(input as never, config as NodeConfig));
    // A function may decide what to run: the Runnable it returns gets the same input.
    return Runnable.isRunnable(output)
      ? runAmbient(config, async () => output.invoke(input, config) as Promise<unknown>)
      : output;
  }
}

/** What an author gave as a node. @throws Error for a graph of another library. */
export function toRunnable(name: string, action: unknown): Runnable {
  refuseForeignGraph(name, action);
  if (Runnable.isRunnable(action)) return action;
  if (typeof action === 'function') return new NodeFunction(name, action as NodeCallable);
  return _coerceToRunnable(action as RunnableLike<unknown, unknown>) as Runnable;
}
