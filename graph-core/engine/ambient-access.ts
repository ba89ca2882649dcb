// What code within a run reads of it without being handed the config; or with it, where AsyncLocalStorage is lost.
import type { BaseStore } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { ambientConfig } from './ambient-config.js';
import type { NodeConfig } from './node-config.js';
import { taskContextOf } from './task-context.js';

/** The config of the node or task that runs now. Within a run there is one: outside, and only there, it is undefined. */
export const getConfig = (): NodeConfig => ambientConfig() as NodeConfig;

/**
 * The store of the run.
 * @throws Error outside of a run, without a config.
 */
export function getStore(config?: RunnableConfig): BaseStore | undefined {
  return configOf('getStore', config).store;
}

/**
 * Emits `custom` chunks; does nothing where nobody streams them.
 * @throws Error outside of a run, without a config.
 */
export function getWriter(config?: RunnableConfig): ((chunk: unknown) => void) | undefined {
  const { writer, configurable } = configOf('getWriter', config);
  return writer ?? (configurable?.['writer'] as ((chunk: unknown) => void) | undefined);
}

/**
 * The input of the node or task that runs: of a node its state, of a task the list of its arguments.
 * @throws Error outside of a run, or for a config that is not one of a task.
 */
export function getCurrentTaskInput<Input = unknown>(config?: RunnableConfig): Input {
  const context = taskContextOf(configOf('getCurrentTaskInput', config));
  if (context === undefined) throw new Error('getCurrentTaskInput() needs the config of a running node or task.');
  return context.input as Input;
}

function configOf(caller: string, given: RunnableConfig | undefined): NodeConfig {
  const config = given ?? ambientConfig();
  if (config !== undefined) return config as NodeConfig;
  throw new Error(
    'Config not retrievable. This is likely because you are running in an environment without support for ' +
      'AsyncLocalStorage.\n' +
      `If you're running \`${caller}\` in such environment, pass the \`config\` from the node function directly.`,
  );
}
