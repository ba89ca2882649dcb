// What run streams infer: values, the projections of transformers, events by version.
import type { IterableReadableStream } from '@langchain/core/utils/stream';
import type { StreamEvent } from '@langchain/core/tracers/log_stream';
import {
  Annotation,
  type CompiledGraph,
  type GraphRunStream,
  START,
  StateGraph,
  StreamChannel,
  type ProtocolEvent,
  type StreamMode,
  type StreamTransformer,
} from 'superstep';
import { Pregel } from 'superstep/pregel';
import { expectType } from './expect-type.js';

const graph = new StateGraph(Annotation.Root({ text: Annotation<string>() }))
  .addNode('node', () => ({ text: 'x' }))
  .addEdge(START, 'node')
  .compile({ transformers: [] });

const counting = (): StreamTransformer<{ counts: StreamChannel<number> }> => ({
  init: () => ({ counts: StreamChannel.remote<number>('counts') }),
  process: ({ method, params }: ProtocolEvent) => method !== 'tasks' || params.namespace.length === 0,
});
const naming = (): StreamTransformer<{ names: Promise<string[]> }> => ({
  init: () => ({ names: Promise.resolve([]) }),
  process: () => true,
});

const run = await graph.streamEvents({ text: 'in' }, { version: 'v3', transformers: [counting, naming] });
for await (const count of run.extensions.counts) expectType<number>()(count);
expectType<string[]>()(await run.extensions.names);
for await (const values of run.values) expectType<string>()(values.text);
expectType<string>()((await run.output).text);
expectType<string>()((await run.values).text);
for await (const message of run.messages) {
  expectType<string>()(await message.text);
  expectType<string | undefined>()(message.node);
}
for await (const below of run.subgraphs) expectType<number>()(below.index);
for await (const event of run) expectType<number>()(event.seq);
for await (const entry of run.lifecycle) expectType<string | undefined>()(entry.graph_name);

// Transformers that a graph is compiled with come first, and without any call's.
const State = Annotation.Root({ text: Annotation<string>() });
const counted = new StateGraph(State)
  .addNode('node', () => ({ text: 'x' }))
  .addEdge(START, 'node')
  .compile({ transformers: [counting] });
expectType<StreamChannel<number>>()((await counted.streamEvents({ text: 'in' }, { version: 'v3' })).extensions.counts);
const both = await counted.streamEvents({ text: 'in' }, { version: 'v3', transformers: [naming] });
expectType<StreamChannel<number>>()(both.extensions.counts);
expectType<string[]>()(await both.extensions.names);
// @ts-expect-error -- no transformer makes it
void both.extensions.sums;
const untransformed = new StateGraph(State).compile();
// @ts-expect-error -- nothing makes anything
const none: number = (await untransformed.streamEvents({ text: 'in' }, { version: 'v3' })).extensions['counts'];
void none;
const handBuilt = new Pregel({
  nodes: {},
  channels: {},
  inputChannels: 'in',
  outputChannels: 'out',
  transformers: [counting],
});
expectType<StreamChannel<number>>()((await handBuilt.streamEvents(1, { version: 'v3' })).extensions.counts);
// Which transformers a graph has does not matter to who takes any graph.
const anyGraph: CompiledGraph = counted;
expectType<unknown>()((await anyGraph.streamEvents({}, { version: 'v3' })).extensions['counts']);

// A stream of particular values is a stream.
const any: GraphRunStream<unknown> = run;
expectType<AbortSignal>()(any.signal);

expectType<Promise<IterableReadableStream<Uint8Array>>>()(
  graph.streamEvents({ text: 'in' }, { version: 'v3', encoding: 'text/event-stream' }),
);
expectType<IterableReadableStream<StreamEvent>>()(graph.streamEvents({ text: 'in' }, { version: 'v2' }));
expectType<IterableReadableStream<StreamEvent>>()(graph.streamEvents({ text: 'in' }, { version: 'v1' }));

// @ts-expect-error -- no such version
void graph.streamEvents({ text: 'in' }, { version: 'v4' });

// @ts-expect-error -- modes are v3's own
void graph.streamEvents({ text: 'in' }, { version: 'v3', subgraphs: true });

expectType<'tools'>()('tools' as const satisfies StreamMode);
