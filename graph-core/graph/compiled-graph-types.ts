// Types of compiled graphs by what they are, for code that takes any graph of a kind.
import type { CallOptions } from '../engine/call-options.js';
import type { CompiledGraph as EngineGraph } from '../engine/compiled-graph.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- what is not said may be anything, as in LangGraph's types */

/** A compiled graph. */
export interface CompiledGraph<
  Nodes extends string,
  State = any,
  Update = any,
  Context extends Record<string, any> = Record<string, any>,
  Input = any,
  Output = any,
  NodeReturn = unknown,
  CommandType = unknown,
  _StreamCustom = any,
> extends Omit<EngineGraph, 'invoke' | 'withConfig' | 'withSaver'> {
  readonly '~NodeType': Nodes;
  readonly '~NodeReturnType': NodeReturn;
  readonly '~RunInput': Update;
  readonly '~RunOutput': State;
  invoke(input: Input | CommandType | null, options?: CallOptions<Context>): Promise<Output>;
  withConfig(config: Partial<CallOptions<Context>>): this;
}

type Told<Spec, Key extends string, Otherwise> = Spec extends Record<Key, infer Type> ? Type : Otherwise;

/** The same by name: `CompiledGraphType<{node: "a" | "b"; output: State}>`. */
export type CompiledGraphType<Spec extends object = object> = CompiledGraph<
  Extract<Told<Spec, 'node', any>, string>,
  Told<Spec, 'state', any>,
  Told<Spec, 'update', any>,
  Extract<Told<Spec, 'context', Record<string, any>>, Record<string, any>>,
  Told<Spec, 'input', any>,
  Told<Spec, 'output', any>,
  Told<Spec, 'nodeReturn', unknown>,
  Told<Spec, 'command', unknown>,
  Told<Spec, 'streamCustom', any>
>;
