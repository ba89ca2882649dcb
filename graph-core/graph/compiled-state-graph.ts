import type { RunnableConfig } from '@langchain/core/runnables';
import type { Graph } from '@langchain/core/runnables/graph';
import type { Command } from '../command.js';
import { CompiledGraph, type CompileOptions } from '../engine/compiled-graph.js';
import type { GraphSpec } from '../engine/graph-spec.js';
import type { StateDefinition } from './annotation.js';
import { drawGraph } from './draw-graph.js';
import type { GraphBuilder } from './graph-builder.js';
import type { StateDefinitionInit, ExtractStateType, ExtractUpdateType } from './state-definition.js';

export interface GetGraphOptions {
  /** Draw the graphs inside nodes; a number says how many levels deep. */
  readonly xray?: boolean | number;
}

/** What `StateGraph.compile()` makes: a graph that runs and can draw itself. */
export class CompiledStateGraph<
  State,
  Update,
  Nodes extends string = string,
  Input extends StateDefinitionInit = StateDefinition,
  Output extends StateDefinitionInit = StateDefinition,
  Context extends StateDefinitionInit = StateDefinition,
> extends CompiledGraph<ExtractStateType<Output>, ExtractUpdateType<Input> | Command<unknown, unknown, Nodes> | null, ExtractStateType<Context>> {
  /** For `typeof` only. */
  declare readonly RunInput: Update;
  declare readonly RunOutput: State;
  readonly builder: GraphBuilder;

  /** By `compile()`, which validates. */
  constructor(builder: GraphBuilder, spec: GraphSpec, options: CompileOptions) {
    super(spec, options);
    this.builder = builder;
  }

  /** A drawing; its `drawMermaid()` gives text. */
  override getGraph(options: RunnableConfig & GetGraphOptions = {}): Graph {
    const { xray = false } = options;
    const deep = typeof xray === 'number' ? xray > 0 : xray;
    const inner = new Map(deep ? this.getSubgraphs() : []);
    const { interruptBefore, interruptAfter } = this;
    return drawGraph(this.builder, {
      interruptBefore,
      interruptAfter,
      inside: (node) => {
        const graph = inner.get(node);
        return graph instanceof CompiledStateGraph
          ? graph.getGraph({ xray: typeof xray === 'number' ? xray - 1 : xray })
          : undefined;
      },
    });
  }

  /** As `getGraph`; for callers of LangGraph's newer name. */
  async getGraphAsync(options?: GetGraphOptions): Promise<Graph> {
    return this.getGraph(options);
  }
}
