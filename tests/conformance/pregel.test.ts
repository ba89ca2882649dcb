// Graphs built by hand of channels and nodes, and MessageGraph.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import * as langgraphChannels from '@langchain/langgraph/channels';
import * as ourChannels from '../../graph-core/channels/index.js';
import { program, saver, thread, type Graph } from './harness.js';
import { reference, type Library } from './library.js';

const channelsOf = (lg: Library): typeof langgraphChannels =>
  lg === reference ? langgraphChannels : (ourChannels as unknown as typeof langgraphChannels);

const plusOne = (x: number): number => x + 1;

program('two nodes in a row', async (lg, t) => {
  const { LastValue } = channelsOf(lg);
  const graph = new lg.Pregel({
    nodes: {
      one: lg.Channel.subscribeTo('input')
        .pipe(plusOne)
        .pipe(lg.Channel.writeTo(['inbox'])),
      two: lg.Channel.subscribeTo('inbox')
        .pipe(plusOne)
        .pipe(lg.Channel.writeTo(['output'])),
    },
    channels: { input: new LastValue<number>(), inbox: new LastValue<number>(), output: new LastValue<number>() },
    inputChannels: 'input',
    outputChannels: 'output',
    checkpointer: saver(),
  } as never) as unknown as Graph;
  await t.everyMode(graph, 2);
  await t.stream(graph, 3, thread('default'));
  await t.state(graph, thread('default'));
  await t.history(graph, thread('default'));
});

program('several inputs, outputs and written values', async (lg, t) => {
  const { LastValue, Topic, BinaryOperatorAggregate } = channelsOf(lg);
  const graph = new lg.Pregel({
    nodes: {
      add: lg.Channel.subscribeTo(['a', 'b'])
        .join(['factor'])
        .pipe(({ a, b, factor = 1 }: Record<string, number>) => ((a ?? 0) + (b ?? 0)) * factor)
        .pipe(
          lg.Channel.writeTo(['sum'], {
            log: (sum: number) => `sum ${sum}`,
            constant: 'fixed',
            skipped: () => undefined,
          }),
        ),
      keyed: lg.Channel.subscribeTo('a', { key: 'x' })
        .pipe((read: object) => JSON.stringify(read))
        .pipe(lg.Channel.writeTo(['log'])),
    },
    channels: {
      a: new LastValue<number>(),
      b: new LastValue<number>(),
      factor: new LastValue<number>(),
      sum: new BinaryOperatorAggregate<number>(
        (x, y) => x + y,
        () => 0,
      ),
      log: new Topic<string>({ accumulate: true }),
      constant: new LastValue<string>(),
      skipped: new LastValue<string>(),
    },
    inputChannels: ['a', 'b', 'factor'],
    outputChannels: ['sum', 'log', 'constant'],
  } as never) as unknown as Graph;
  for (const input of [{ a: 1, b: 2 }, { a: 1, b: 2, factor: 10 }, { a: 1 }, { b: 1, other: 5 }, {}, 'text', [1]]) {
    await t.stream(graph, input, { streamMode: ['values', 'updates', 'tasks'] });
  }
});

program('a loop, with an accumulating channel and a recursion limit', async (lg, t) => {
  const { LastValue } = channelsOf(lg);
  const graph = new lg.Pregel({
    nodes: {
      grow: lg.Channel.subscribeTo('value')
        .pipe((x: number) => (x < 5 ? x + 1 : undefined))
        .pipe(lg.Channel.writeTo([], { value: (x: number | undefined) => x })),
    },
    channels: { value: new LastValue<number>() },
    inputChannels: 'value',
    outputChannels: 'value',
  } as never) as unknown as Graph;
  await t.stream(graph, 1, { streamMode: ['values', 'updates'] });
  await t.invoke(graph, 1, { recursionLimit: 3 });
});

program('parts that do not fit together', async (lg, t) => {
  const { LastValue } = channelsOf(lg);
  const node = lg.Channel.subscribeTo('in')
    .pipe(plusOne)
    .pipe(lg.Channel.writeTo(['out']));
  const channels = { in: new LastValue<number>(), out: new LastValue<number>() };
  const make = (label: string, params: object): Promise<void> =>
    t.outcome(label, () => {
      new lg.Pregel({ nodes: { node }, channels, inputChannels: 'in', outputChannels: 'out', ...params } as never);
    });
  await make('fits', {});
  await make('input', { inputChannels: 'out' });
  await make('inputs', { inputChannels: ['out', 'none'] });
  await make('output', { outputChannels: 'none' });
  await make('subscription', { nodes: { node: lg.Channel.subscribeTo('none') } });
  await make('breakpoint', { interruptBefore: ['none'] });
  await t.outcome('key of several', () => void lg.Channel.subscribeTo(['a', 'b'], { key: 'k' } as never));
});

program('a MessageGraph', async (lg, t) => {
  const graph = new lg.MessageGraph()
    .addNode('model', (messages: unknown) => new AIMessage({ id: 'ai', content: `${(messages as unknown[]).length}` }))
    .addEdge(lg.START, 'model')
    .addEdge('model', lg.END)
    .compile({ checkpointer: saver() }) as unknown as Graph;
  await t.everyMode(graph, new HumanMessage({ id: 'h', content: 'hi' }));
  await t.invoke(graph, [new HumanMessage({ id: 'h2', content: 'again' })], thread('values'));
  await t.history(graph, thread('values'));
});
