import { Runnable, type RunnableConfig } from '@langchain/core/runnables';
import { runAmbient } from '../engine/ambient-config.js';
import type { NodeConfig } from '../engine/node-config.js';

/**
 * An author's function as the engine runs it: the config is ambient meanwhile, which is how `interrupt()`, tasks and
 * graphs called within find the task they belong to. Unlike a node of a StateGraph, it may return a Runnable as its
 * result.
 */
export class AuthorFunction extends Runnable<unknown, unknown> {
  override lc_namespace = ['superstep'];
  override name: string;
  readonly #call: (input: unknown, config: NodeConfig) => unknown;

  constructor(name: string, call: (input: unknown, config: NodeConfig) => unknown) {
    super();
    this.name = name;
    this.#call = call;
  }

  override async invoke(input: unknown, config: Partial<RunnableConfig> = {}): Promise<unknown> {
    return runAmbient(config, async () => this.#call(input, config as NodeConfig));
  }
}

/** @throws Error for a generator function: what it yields would go nowhere. */
export function refuseGenerator(what: 'tasks' | 'entrypoints', func: unknown): void {
  const kind = Object.prototype.toString.call(func);
  if (kind !== '[object GeneratorFunction]' && kind !== '[object AsyncGeneratorFunction]') return;
  throw new Error(`Generators are disallowed as ${what}. For streaming responses, use config.write.`);
}
