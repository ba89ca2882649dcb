// How an author declares a state: a key, its type, and how updates of it add up.
import type { RunnableLike } from '@langchain/core/runnables';
import type { Channel } from '../channels/channel.js';
import { LastValue } from '../channels/last-value.js';
import { BinaryOperatorAggregate } from '../channels/reducer.js';
import type { OverwriteValue } from '../overwrite.js';

/** Folds one update into the value so far. */
export type BinaryOperator<Value, Update = Value> = (current: Value, update: Update) => Value;

/** `value` is the older name of `reducer`. Without `default` the first update becomes the value as it is. */
export type SingleReducer<Value, Update = Value> =
  | { readonly reducer: BinaryOperator<Value, Update>; readonly default?: () => Value }
  | { readonly value: BinaryOperator<Value, Update>; readonly default?: () => Value }
  | null;

/** The keys of a state and their channels. */
export type StateDefinition = Record<string, Channel | (() => Channel)>;

type ChannelOf<C> = C extends () => infer Made ? Made : C;
type ValueOf<C> = ChannelOf<C> extends Channel<infer Value, infer _Update> ? Value : never;
type UpdateOf<C> = ChannelOf<C> extends Channel<infer _Value, infer Update> ? Update : never;

/** What a node reads. */
export type StateType<Definition extends StateDefinition> = { [Key in keyof Definition]: ValueOf<Definition[Key]> };

/** What a node may return: any of the keys. */
export type UpdateType<Definition extends StateDefinition> = { [Key in keyof Definition]?: UpdateOf<Definition[Key]> };

export type NodeType<Definition extends StateDefinition> = RunnableLike<
  StateType<Definition>,
  UpdateType<Definition> | Partial<StateType<Definition>>
>;

/** A declared state. `State`, `Update` and `Node` exist for `typeof` only. */
export class AnnotationRoot<Definition extends StateDefinition> {
  readonly lc_graph_name = 'AnnotationRoot';
  declare readonly State: StateType<Definition>;
  declare readonly Update: UpdateType<Definition>;
  declare readonly Node: NodeType<Definition>;
  readonly spec: Definition;

  constructor(spec: Definition) {
    this.spec = spec;
  }

  /** By name, so that two copies of this library in one program agree. */
  static isInstance(value: unknown): value is AnnotationRoot<StateDefinition> {
    return (value as { lc_graph_name?: unknown } | null | undefined)?.lc_graph_name === 'AnnotationRoot';
  }
}

interface AnnotationFunction {
  /** A key whose updates are folded by a reducer. */
  <Value, Update = Value>(reducer: SingleReducer<Value, Update>): Channel<Value, OverwriteValue<Value> | Update>;
  /** A key that keeps the last value; two updates of it in one superstep are an error. */
  <Value>(): LastValue<Value>;
  Root<Definition extends StateDefinition>(spec: Definition): AnnotationRoot<Definition>;
}

export const Annotation = Object.assign((reducer?: SingleReducer<unknown>) => reducerChannel(reducer), {
  Root: <Definition extends StateDefinition>(spec: Definition) => new AnnotationRoot(spec),
}) as AnnotationFunction;

/** The channel of one key. */
export function reducerChannel(reducer: SingleReducer<unknown> | undefined): Channel {
  const fold = reducer && ('reducer' in reducer ? reducer.reducer : reducer.value);
  return fold ? new BinaryOperatorAggregate(fold, reducer?.default) : new LastValue();
}
