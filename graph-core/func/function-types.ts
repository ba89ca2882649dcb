// Types by which `entrypoint` and `task` infer from an author's function.
import type { NodeConfig } from '../engine/node-config.js';

/** What `entrypoint.final` makes: one value for the caller, another one to keep for the next run. */
export interface EntrypointFinal<Value, Save> {
  readonly value?: Value;
  readonly save?: Save;
  readonly __lg_type: '__pregel_final';
}

/** What an entrypoint's caller gets. */
export type EntrypointReturn<Output> =
  Output extends EntrypointFinal<infer Value, unknown>
    ? Value
    : Output extends Promise<EntrypointFinal<infer Value, unknown>>
      ? Value
      : Output;

type AnyGenerator = Generator<unknown, unknown, unknown> | AsyncGenerator<unknown, unknown, unknown>;

/** A function that never returns is one too; a generator is none. */
export type EntrypointFunc<Input, Output> = [Output] extends [never]
  ? (input: Input, config: NodeConfig) => never
  : [Output] extends [AnyGenerator]
    ? never
    : (input: Input, config: NodeConfig) => Output;

export type TaskFunc<Args extends unknown[], Output> = [Output] extends [never]
  ? (...args: Args) => never
  : [Output] extends [AnyGenerator]
    ? never
    : (...args: Args) => Output;
