// A graph written as one function. Its one node runs in one superstep; what happens within are calls of tasks.
import type { BaseCache, BaseCheckpointSaver, BaseStore } from '@langchain/langgraph-checkpoint';
import { EphemeralValue } from '../channels/ephemeral.js';
import { LastValue } from '../channels/last-value.js';
import { END, PREVIOUS, START } from '../constants.js';
import { CompiledGraph } from '../engine/compiled-graph.js';
import type { GraphSpec, NodeWriter } from '../engine/graph-spec.js';
import { runningTaskContext } from '../engine/running-task-context.js';
import { timeoutPolicy, type TimeoutPolicy } from '../timeout-policy.js';
import { AuthorFunction, refuseGenerator } from './author-function.js';
import type { EntrypointFinal, EntrypointFunc, EntrypointReturn } from './function-types.js';

export interface EntrypointOptions {
  /** Of the graph and of its one node. */
  readonly name: string;
  /** Keeps results of tasks while the run is unfinished, and between runs what the function returned. */
  readonly checkpointer?: BaseCheckpointSaver;
  readonly store?: BaseStore;
  readonly cache?: BaseCache;
  /** Of one attempt; a number is its duration in milliseconds. */
  readonly timeout?: number | TimeoutPolicy;
}

interface EntrypointFunction {
  /**
   * Makes a function a graph: `invoke` runs it with its input and a node's config, and gives what it returned.
   * @throws Error for a generator function.
   */
  <Input, Output>(
    optionsOrName: EntrypointOptions | string,
    func: EntrypointFunc<Input, Output>,
  ): CompiledGraph<Awaited<EntrypointReturn<Output>>, Input>;

  /** To return from an entrypoint: `value` goes to the caller, `save` to `getPreviousState` of the next run. */
  final<Value, Save>(options: { readonly value?: Value; readonly save?: Save }): EntrypointFinal<Value, Save>;
}

export const entrypoint: EntrypointFunction = Object.assign(
  <Input, Output>(
    optionsOrName: EntrypointOptions | string,
    func: EntrypointFunc<Input, Output>,
  ): CompiledGraph<Awaited<EntrypointReturn<Output>>, Input> => {
    const options: EntrypointOptions = typeof optionsOrName === 'string' ? { name: optionsOrName } : optionsOrName;
    refuseGenerator('entrypoints', func);
    const { name, checkpointer, store, cache } = options;
    const bound = new AuthorFunction(name, (input, config) => func(input as Input, config));
    const spec: GraphSpec = {
      channels: { [START]: new EphemeralValue(), [END]: new LastValue(), [PREVIOUS]: new LastValue() },
      nodes: {
        [name]: {
          name,
          triggers: [START],
          reads: START,
          bound,
          writers: [resultWriter],
          timeout: timeoutPolicy(options.timeout),
        },
      },
      inputChannel: START,
      outputChannels: END,
      streamChannels: END,
    };
    return new CompiledGraph(spec, { name, checkpointer, store, cache });
  },
  {
    final: <Value, Save>({ value, save }: { readonly value?: Value; readonly save?: Save }) => ({
      value,
      save,
      __lg_type: '__pregel_final' as const,
    }),
  },
);

const resultWriter: NodeWriter = (output, { write }) => {
  const { value, save } = isFinal(output) ? output : { value: output, save: output };
  write(END, value);
  write(PREVIOUS, save);
};

function isFinal(output: unknown): output is EntrypointFinal<unknown, unknown> {
  const { __lg_type: type } = (output ?? {}) as Partial<EntrypointFinal<unknown, unknown>>;
  return typeof output === 'object' && type === '__pregel_final';
}

/**
 * What the entrypoint returned, or gave as `save`, in its last run on this thread; undefined in the first.
 * @throws Error outside of a run.
 */
export function getPreviousState<State>(): State {
  return runningTaskContext('getPreviousState() was called').previous as State;
}
