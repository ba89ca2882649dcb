// DeltaChannel: what checkpoints hold of it, and its value wherever a state is read.
import { AIMessage, RemoveMessage } from '@langchain/core/messages';
import type { MemorySaver } from '@langchain/langgraph-checkpoint';
import { z } from 'zod/v4';
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';

interface Options {
  readonly snapshotFrequency?: number;
  readonly checkpointer?: MemorySaver;
}

const listOf = (lg: Library, { snapshotFrequency }: Options) =>
  new lg.DeltaValue(
    z.array(z.string()).default(() => []),
    { inputSchema: z.string(), reducer: (list: string[], writes: string[]) => [...list, ...writes], snapshotFrequency },
  );

/** Two nodes that write in one superstep, then one that may write again. */
const graphOf = (lg: Library, options: Options, last: unknown = () => ({ list: 'last' })): Graph =>
  new lg.StateGraph(new lg.StateSchema({ list: listOf(lg, options), text: z.string().optional() }))
    .addNode('b', () => ({ list: 'b' }))
    .addNode('a', () => ({ list: 'a', text: 'a' }))
    .addNode('last', last as never)
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(['a', 'b'], 'last')
    .compile({ checkpointer: options.checkpointer });

program('a delta channel stores what is written, and a snapshot now and then', async (lg, t) => {
  for (const snapshotFrequency of [undefined, 1, 2, 3]) {
    const checkpointer = saver();
    const graph = graphOf(lg, { snapshotFrequency, checkpointer });
    await t.stream(graph, { list: 'in' }, { ...thread(), streamMode: ['values', 'updates', 'checkpoints'] });
    await t.saved(checkpointer);
    await t.stream(graph, { list: 'again' }, { ...thread(), streamMode: ['values', 'updates'] });
    await t.state(graph, thread());
    await t.saved(checkpointer);
    await t.history(graph, thread());
  }
});

program('a delta channel without a saver', async (lg, t) => {
  await t.stream(graphOf(lg, {}), { list: 'in' }, { streamMode: ['values', 'updates'] });
});

program('the snapshot frequency is a positive integer', async (lg, t) => {
  for (const snapshotFrequency of [0, -1, 1.5, Number.NaN]) {
    await t.outcome('graph', () => graphOf(lg, { snapshotFrequency }) && 'made');
  }
});

program('an Overwrite of a delta channel', async (lg, t) => {
  for (const list of [new lg.Overwrite(['all']), { __overwrite__: [] }, new lg.Overwrite('no list')]) {
    const checkpointer = saver();
    const graph = graphOf(lg, { checkpointer }, () => ({ list }));
    await t.stream(graph, { list: 'in' }, { ...thread(), streamMode: ['values', 'updates'] });
    await t.invoke(graph, { list: { __overwrite__: ['new'] } }, thread());
    await t.state(graph, thread());
    await t.saved(checkpointer);
  }
});

program('two Overwrites in a superstep, and one beside other writes', async (lg, t) => {
  const graph = (first: unknown, second: unknown): Graph =>
    new lg.StateGraph(new lg.StateSchema({ list: listOf(lg, {}) }))
      .addNode('a', () => ({ list: first }) as never)
      .addNode('b', () => ({ list: second }) as never)
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .compile({ checkpointer: saver() });
  await t.invoke(graph(new lg.Overwrite(['x']), 'y'), { list: 'in' }, thread());
  await t.invoke(graph('x', new lg.Overwrite(['y'])), { list: 'in' }, thread());
  await t.invoke(graph(new lg.Overwrite(['x']), new lg.Overwrite(['y'])), { list: 'in' }, thread());
});

program('a delta channel over interrupts, and input in place of an answer', async (lg, t) => {
  const checkpointer = saver();
  const graph = new lg.StateGraph(new lg.StateSchema({ list: listOf(lg, {}) }))
    .addNode('ask', () => ({ list: `${lg.interrupt('?')}` }))
    .addNode('go', () => ({ list: 'go' }))
    .addNode('end', () => ({ list: 'end' }))
    .addEdge(lg.START, 'ask')
    .addEdge(lg.START, 'go')
    .addEdge(['ask', 'go'], 'end')
    .compile({ checkpointer }) as unknown as Graph;
  await t.stream(graph, { list: 'in' }, { ...thread(), streamMode: ['values', 'updates'] });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'answer' }), { ...thread(), streamMode: ['values', 'updates'] });
  await t.state(graph, thread());
  await t.invoke(graph, { list: 'in' }, thread('2'));
  await t.invoke(graph, { list: 'other' }, thread('2'));
  await t.state(graph, thread('2'));
  await t.invoke(graph, new lg.Command({ resume: 'answer', update: { list: 'with it' } as never }), thread('2'));
  await t.state(graph, thread('2'));
  await t.history(graph, thread('2'));
});

program('a Command as input of a delta channel', async (lg, t) => {
  const checkpointer = saver();
  const graph = graphOf(lg, { checkpointer });
  await t.invoke(graph, { list: 'in' }, thread());
  await t.invoke(graph, new lg.Command({ update: { list: 'first' } as never, goto: 'last' }), thread());
  await t.state(graph, thread());
  await t.invoke(graph, new lg.Command({ update: { list: 'second' } as never, goto: 'last' }), thread());
  await t.state(graph, thread());
  await t.history(graph, thread());
});

program('updates from outside, forks and time travel of a delta channel', async (lg, t) => {
  const graph = graphOf(lg, { checkpointer: saver() });
  await t.invoke(graph, { list: 'in' }, thread());
  await t.outcome('update', () => graph.updateState(thread(), { list: 'outside' }, 'a'));
  await t.state(graph, thread());
  const past: { config: object; values: unknown }[] = [];
  for await (const state of graph.getStateHistory(thread())) past.push(state as never);
  const old = past[2]?.config as { configurable: Record<string, unknown> };
  await t.invoke(graph, null, old);
  await t.state(graph, thread());
  await t.outcome('fork', () => graph.updateState(old, { list: 'forked' }, 'b'));
  await t.state(graph, thread());
  await t.invoke(graph, null, thread());
  await t.state(graph, thread());
  await t.invoke(graph, { list: 'once more' }, thread());
  const values: unknown[] = [];
  for await (const state of graph.getStateHistory(thread())) values.push((state as { values: unknown }).values);
  t.note('values', values);
});

program('a delta channel of a new thread that is updated from outside', async (lg, t) => {
  const graph = graphOf(lg, { checkpointer: saver() });
  await t.outcome('update', () => graph.updateState(thread(), { list: 'outside' }, 'a'));
  await t.state(graph, thread());
  await t.invoke(graph, { list: 'in' }, thread());
  await t.state(graph, thread());
});

// What `exit` stores is not compared: LangGraph keeps the writes of all supersteps, graph-core the value.
program('a delta channel in each durability', async (lg, t) => {
  const valuesOf = async (graph: Graph): Promise<unknown> =>
    ((await graph.getState(thread())) as { values: unknown }).values;
  for (const durability of ['exit', 'async', 'sync']) {
    const graph = graphOf(lg, { checkpointer: saver() });
    for (const config of [{ ...thread(), durability }, { ...thread(), durability }, thread()]) {
      await t.invoke(graph, { list: durability }, config);
      t.note('values', await valuesOf(graph));
    }
  }
});

program('Sends and subgraphs that write to a delta channel', async (lg, t) => {
  const state = () => new lg.StateSchema({ list: listOf(lg, {}) });
  const inner = new lg.StateGraph(state())
    .addNode('in', () => ({ list: 'in' }))
    .addEdge(lg.START, 'in')
    .compile();
  const graph = new lg.StateGraph(state())
    .addNode('plan', () => new lg.Command({ goto: ['z', 'y', 'x'].map((item) => new lg.Send('work', item)) }), {
      ends: ['work'],
    })
    .addNode('work', ((item: string) => ({ list: item })) as never)
    .addNode('sub', async (given: { list: string[] }, config: object) => {
      t.note('inner', await inner.invoke({ list: given.list.join('+') }, config));
      return { list: 'sub' };
    })
    .addEdge(lg.START, 'plan')
    .addEdge('work', 'sub')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  await t.invoke(graph, { list: 'start' }, thread());
  await t.invoke(graph, { list: 'again' }, thread());
  await t.state(graph, thread());
});

program('MessagesDeltaValue: messages have lasting ids', async (lg, t) => {
  const checkpointer = saver();
  const graph = new lg.StateGraph(new lg.StateSchema({ messages: lg.MessagesDeltaValue }))
    .addNode('greet', () => ({ messages: [new AIMessage('no id'), 'text', { role: 'user', content: 'dict' }] }))
    .addNode('drop', ({ messages }) => {
      t.note(
        'ids',
        messages.every(({ id }) => typeof id === 'string'),
      );
      return { messages: [new RemoveMessage({ id: messages[0]?.id ?? '' })] };
    })
    .addEdge(lg.START, 'greet')
    .addEdge('greet', 'drop')
    .compile({ checkpointer }) as unknown as Graph;
  const texts = async (): Promise<unknown> => {
    const { values } = (await graph.getState(thread())) as { values: { messages: { text: string; id?: string }[] } };
    const again = (await graph.getState(thread())) as typeof values & { values: typeof values };
    const ids = (of: typeof values): unknown[] => of.messages.map(({ id }) => id);
    return [values.messages.map(({ text }) => text), JSON.stringify(ids(values)) === JSON.stringify(ids(again.values))];
  };
  await t.invoke(graph, { messages: [{ role: 'user', content: 'hi', id: 'h' }] }, thread());
  t.note('texts', await texts());
  await t.invoke(graph, { messages: 'plain' }, thread());
  t.note('texts', await texts());
  await t.invoke(graph, { messages: { __overwrite__: ['new'] } as never }, thread());
  t.note('texts', await texts());
});
