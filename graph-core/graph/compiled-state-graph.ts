import type { RunnableConfig } from '@langchain/core/runnables';
import type { Graph } from '@langchain/core/runnables/graph';
import type { IterableReadableStream } from '@langchain/core/utils/stream';
import type { CheckpointListOptions } from '@langchain/langgraph-checkpoint';
import type { CommandInstance } from '../command.js';
import type { INTERRUPT, START } from '../constants.js';
import type { CallOptions } from '../engine/call-options.js';
import { CompiledGraph, type CompileOptions } from '../engine/compiled-graph.js';
import type { StateSnapshot } from '../engine/snapshot.js';
import type { GetStateOptions } from '../engine/thread-state.js';
import { isRemote } from '../engine/foreign-graph.js';
import type { GraphSpec } from '../engine/graph-spec.js';
import {
  isInterrupted,
  type InferInterruptInputType,
  type InferInterruptResumeType,
  type Interrupt,
} from '../interrupt.js';
import type { TransformerFactory } from '../stream/protocol.js';
import type { StreamMode } from '../stream-mode.js';
import type { InferWriterType } from '../writer.js';
import type { StateDefinition } from './annotation.js';
import { drawGraph } from './draw-graph.js';
import type { GraphBuilder } from './graph-builder.js';
import type { StateDefinitionInit, ExtractStateType, ExtractUpdateType } from './state-definition.js';
import type { StreamOutputMap } from './stream-output.js';

export interface GetGraphOptions {
  /** Draw the graphs inside nodes; a number says how many levels deep. */
  readonly xray?: boolean | number;
}

interface StreamOptions<Context, Mode, Subgraphs, Encoding> extends Omit<
  CallOptions<Context>,
  'streamMode' | 'subgraphs' | 'encoding'
> {
  readonly streamMode?: Mode;
  readonly subgraphs?: Subgraphs;
  readonly encoding?: Encoding;
}

/** What `StateGraph.compile()` makes: a graph that runs and can draw itself. */
export class CompiledStateGraph<
  State,
  Update,
  Nodes extends string = string,
  Input extends StateDefinitionInit = StateDefinition,
  Output extends StateDefinitionInit = StateDefinition,
  Context extends StateDefinitionInit = StateDefinition,
  NodeReturn = unknown,
  InterruptType = unknown,
  WriterType = unknown,
  Transformers extends readonly TransformerFactory[] = readonly TransformerFactory[],
> extends CompiledGraph<
  ExtractStateType<Output>,
  ExtractUpdateType<Input> | CommandInstance<InferInterruptResumeType<InterruptType>, unknown, Nodes> | null,
  ExtractStateType<Context>,
  Transformers
> {
  /** Types only; never set. */
  declare readonly '~NodeType': Nodes;
  declare readonly '~NodeReturnType': NodeReturn;
  declare readonly '~RunInput': Update;
  declare readonly '~RunOutput': State;
  readonly builder: GraphBuilder;

  /** By `compile()`, which validates. */
  constructor(builder: GraphBuilder, spec: GraphSpec, options: CompileOptions<Transformers>) {
    super(spec, options);
    this.builder = builder;
  }

  /** As {@link CompiledGraph.stream}, with chunks of the types that the modes have. */
  override async stream<
    Mode extends StreamMode | StreamMode[] | undefined,
    Subgraphs extends boolean,
    Encoding extends 'text/event-stream' | undefined,
  >(
    input: ExtractUpdateType<Input> | CommandInstance<InferInterruptResumeType<InterruptType>, unknown, Nodes> | null,
    options: StreamOptions<ExtractStateType<Context>, Mode, Subgraphs, Encoding> = {},
  ): Promise<
    IterableReadableStream<
      StreamOutputMap<
        Mode,
        Subgraphs,
        ExtractUpdateType<Input>,
        ExtractStateType<Output>,
        Nodes | typeof START,
        NodeReturn,
        InferWriterType<WriterType>,
        Encoding
      >
    >
  > {
    return super.stream(input, options) as never;
  }

  override async getState(config: RunnableConfig, options?: GetStateOptions): Promise<StateSnapshot<State>> {
    return super.getState(config, options) as Promise<StateSnapshot<State>>;
  }

  override getStateHistory(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<StateSnapshot<State>> {
    return super.getStateHistory(config, options) as AsyncGenerator<StateSnapshot<State>>;
  }

  /** Whether a result or a `values` chunk says that the run waits; its questions are those of the `interrupt` option. */
  isInterrupted(
    values: unknown,
  ): values is { readonly [INTERRUPT]: readonly Interrupt<InferInterruptInputType<InterruptType>>[] } {
    return isInterrupted(values);
  }

  /** A drawing; its `drawMermaid()` gives text. */
  override getGraph(options: RunnableConfig & GetGraphOptions = {}): Graph {
    const { xray = false } = options;
    const inner = new Map(xray ? this.getSubgraphs() : []);
    const below = typeof xray === 'number' ? xray - 1 : xray;
    const { builder, interruptBefore, interruptAfter } = this;
    return drawGraph(builder, {
      interruptBefore,
      interruptAfter,
      inside: (node) => {
        if (!xray) return undefined;
        if (isRemote(builder.nodes[node]?.runnable)) return undefined;
        const graph = inner.get(node);
        return graph
          ? graph.getGraph({ ...options, xray: below } as RunnableConfig)
          : builder.nodes[node]?.runnable.getGraph();
      },
    });
  }

  override async getGraphAsync(options?: RunnableConfig & GetGraphOptions): Promise<Graph> {
    return this.getGraph(options);
  }
}
