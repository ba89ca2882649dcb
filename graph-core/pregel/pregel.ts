// A graph built by hand of channels and nodes, without a state or edges.
import type { Channel } from '../channels/channel.js';
import { CompiledGraph, type CompileOptions } from '../engine/compiled-graph.js';
import type { Keys } from '../engine/live-state.js';
import type { TransformerFactory } from '../stream/protocol.js';
import type { StreamMode } from '../stream-mode.js';
import type { PregelNode } from './pregel-node.js';

export interface PregelParams<
  Transformers extends readonly TransformerFactory[] = readonly TransformerFactory[],
> extends CompileOptions<Transformers> {
  readonly nodes: Readonly<Record<string, PregelNode>>;
  readonly channels: Readonly<Record<string, Channel>>;
  /** Where input goes; of several, a record's fields of these names. */
  readonly inputChannels: string | string[];
  /** What `invoke` returns. */
  readonly outputChannels: string | string[];
  /** What `updates` and `tasks` show. Default: all channels. */
  readonly streamChannels?: string | string[];
  readonly streamMode?: StreamMode;
  /** Milliseconds that a superstep may take. */
  readonly stepTimeout?: number;
  /** Checks the parts. Default true. */
  readonly autoValidate?: boolean;
}

export class Pregel<
  const Transformers extends readonly TransformerFactory[] = readonly TransformerFactory[],
> extends CompiledGraph<unknown, unknown, unknown, Transformers> {
  override readonly streamMode: StreamMode;
  readonly autoValidate: boolean;

  /** @throws GraphValidationError for channels or nodes that are named and not there. */
  constructor(params: PregelParams<Transformers>) {
    const { nodes, channels, inputChannels, outputChannels, streamChannels, streamMode = 'values' } = params;
    const specs = Object.entries(nodes).map(([name, node]) => [name, node.spec(name)] as const);
    super(
      {
        channels,
        nodes: Object.fromEntries(specs),
        inputChannel: inputChannels,
        outputChannels,
        streamChannels: streamChannels ?? (Object.keys(channels) satisfies Keys),
      },
      params,
    );
    this.streamMode = streamMode;
    this.stepTimeout = params.stepTimeout;
    this.autoValidate = params.autoValidate ?? true;
    if (this.autoValidate) this.validate();
  }
}
