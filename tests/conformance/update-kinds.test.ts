// Edits of threads whose graphs are of other kinds: functional, validated, deferred, with messages or kept out of storage.
import { AIMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { collect, program, saver, thread, type Graph, type Trace } from './harness.js';
import { list, says } from './log-state.js';

async function edit(t: Trace, graph: Graph, values: unknown, asNode?: string): Promise<void> {
  await t.outcome('edit', () => graph.updateState(thread(), values, asNode));
  await t.state(graph, thread());
}

program('a functional graph: its states, edits of it, and back in time', async (lg, t) => {
  const memory = saver();
  const double = lg.task('double', async (value: number) => value * 2);
  const graph = lg.entrypoint({ name: 'flow', checkpointer: memory }, async (input: number) => {
    const previous = lg.getPreviousState<number>() ?? 0;
    const doubled = await double(input);
    const answer = lg.interrupt<string, number>('plus?');
    return lg.entrypoint.final({ value: doubled + answer, save: previous + doubled });
  }) as unknown as Graph;
  await t.invoke(graph, 3, thread());
  await t.state(graph, thread());
  await t.invoke(graph, new lg.Command({ resume: 4 }), thread());
  await t.state(graph, thread());
  await edit(t, graph, 100, 'flow');
  await edit(t, graph, lg.entrypoint.final({ value: 1, save: 2 }), 'flow');
  await edit(t, graph, 7, '__input__');
  await t.stream(graph, null, { ...thread(), streamMode: ['values', 'updates'] });
  await t.invoke(graph, new lg.Command({ resume: 1 }), thread());
  await edit(t, graph, null, lg.END);
  await t.history(graph, thread());
  const states = (await collect(graph.getStateHistory(thread()))) as { next: string[]; config: object }[];
  const first = states.filter(({ next }) => next.includes('flow')).at(-1);
  await t.stream(graph, null, { ...first?.config, streamMode: ['values', 'updates'] });
  await t.state(graph, thread());
  await t.saved(memory);
});

program('values that the state schema refuses, coerces and fills in', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(
    z.object({
      count: z.coerce.number(),
      name: z.string().trim().default('nobody'),
      tags: z.array(z.string()).optional(),
    }),
  )
    .addNode('a', ({ count }) => ({ count: count + 1 }))
    .addNode('b', () => ({}))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: memory }) as unknown as Graph;
  await t.invoke(graph, { count: '1' }, thread());
  for (const values of [
    { count: '7' },
    { count: 'seven' },
    { name: '  ada ' },
    { tags: 'x' },
    { tags: ['x'] },
    { more: 1 },
  ]) {
    await edit(t, graph, values, 'a');
    await edit(t, graph, values, '__input__');
  }
  await t.stream(graph, null, { ...thread(), streamMode: 'values' });
  await t.saved(memory);
});

program('messages: added, replaced, removed, and as plain records', async (lg, t) => {
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('a', () => ({ messages: [new AIMessage({ id: 'ai', content: 'hello' })] }))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  await t.invoke(graph, { messages: [new HumanMessage({ id: 'human', content: 'hi' })] }, thread());
  await edit(t, graph, { messages: [new AIMessage({ id: 'ai', content: 'replaced' })] });
  await edit(t, graph, { messages: { role: 'user', content: 'plain', id: 'plain' } });
  await edit(t, graph, { messages: [new RemoveMessage({ id: 'human' })] });
  await edit(t, graph, { messages: [new RemoveMessage({ id: 'unknown' })] });
  await edit(t, graph, { messages: [new RemoveMessage({ id: lg.REMOVE_ALL_MESSAGES })] });
  await t.history(graph, thread());
});

program('deferred nodes: an edit in place of what they wait for, and the end', async (lg, t) => {
  const build = () =>
    new lg.StateGraph(list(lg))
      .addNode('a', says('a'))
      .addNode('b', says('b'))
      .addNode('b2', says('b2'))
      .addNode('last', says('last'), { defer: true })
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .addEdge('b', 'b2')
      .addEdge(['a', 'b2'], 'last')
      .compile({ checkpointer: saver(), interruptBefore: ['b2'] });
  const byHand = build();
  await t.invoke(byHand, { log: [] }, thread());
  await edit(t, byHand, { log: ['by hand'] }, 'b2');
  await t.stream(byHand, null, { ...thread(), streamMode: ['values', 'updates'] });
  const ended = build();
  await t.invoke(ended, { log: [] }, thread());
  await edit(t, ended, null, lg.END);
  await t.stream(ended, null, { ...thread(), streamMode: ['values', 'updates'] });
});

program('a graph whose whole state is one value', async (lg, t) => {
  const whole = lg.Annotation<string[], string | string[]>({ reducer: (a, b) => a.concat(b), default: () => [] });
  const graph = new lg.StateGraph(lg.Annotation.Root({ __root__: whole }))
    .addNode('a', (() => ['a']) as never)
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  await t.outcome('run', () => graph.invoke(['in'], thread()));
  await edit(t, graph, ['edit'], 'a');
  await edit(t, graph, ['input'], '__input__');
});

program('an edit that fails to be stored', async (lg, t) => {
  class Refusing extends (saver().constructor as new () => ReturnType<typeof saver>) {
    refuses: 'put' | 'putWrites' | 'nothing' = 'nothing';

    override async put(...args: Parameters<ReturnType<typeof saver>['put']>) {
      if (this.refuses === 'put') throw new Error('no put');
      return super.put(...args);
    }

    override async putWrites(...args: Parameters<ReturnType<typeof saver>['putWrites']>) {
      if (this.refuses === 'putWrites') throw new Error('no putWrites');
      return super.putWrites(...args);
    }
  }
  const memory = new Refusing();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  for (const refuses of ['put', 'putWrites', 'nothing'] as const) {
    memory.refuses = refuses;
    await edit(t, graph, { log: [refuses] }, 'a');
    await edit(t, graph, { log: [refuses] }, '__input__');
    await edit(t, graph, null);
    await edit(t, graph, null, '__copy__');
  }
  await t.saved(memory);
});
