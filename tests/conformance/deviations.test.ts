// Where graph-core differs from LangGraph on purpose. Each test holds both: that the reference still behaves so, and what
// ours does instead.
import { expect, test } from '@jest/globals';
import { saver, thread } from './harness.js';
import { ours, reference, type Library } from './library.js';

const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
  });

/** Runs `scene` with both libraries. */
async function both<Result>(scene: (lg: Library) => Promise<Result>): Promise<{ theirs: Result; own: Result }> {
  return { theirs: await scene(reference), own: await scene(ours) };
}

async function chunksOf<Chunk>(stream: Promise<unknown>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of (await stream) as AsyncIterable<Chunk>) chunks.push(chunk);
  return chunks;
}

test('a node whose router failed is run again; LangGraph takes it for finished and never asks the router again', async () => {
  const { theirs, own } = await both(async (lg) => {
    let fails = true;
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => ({ log: ['a'] }))
      .addNode('b', () => ({ log: ['b'] }))
      .addEdge(lg.START, 'a')
      .addConditionalEdges('a', () => {
        if (fails) throw new Error('no way');
        return 'b';
      })
      .compile({ checkpointer: saver() });
    await expect(graph.invoke({ log: [] }, thread())).rejects.toThrow('no way');
    fails = false;
    return (await graph.invoke(null, thread())).log;
  });
  expect(theirs).toEqual(['a']);
  expect(own).toEqual(['a', 'b']);
});

test('what a Send carries is data; LangGraph turns objects with `node` and `args` in it into Sends', async () => {
  const { theirs, own } = await both(async (lg) => {
    const args = { graph: { node: 'x', args: 1 } };
    return JSON.stringify(new lg.Send('a', args).args.graph);
  });
  expect(JSON.parse(theirs)).toMatchObject({ lg_name: 'Send' });
  expect(JSON.parse(own)).toEqual({ node: 'x', args: 1 });
});

test('a Command to the parent is no error of the task that gave it', async () => {
  const { theirs, own } = await both(async (lg) => {
    const child = new lg.StateGraph(list(lg))
      .addNode('c', () => new lg.Command({ graph: lg.Command.PARENT, update: { log: ['up'] } }))
      .addEdge(lg.START, 'c')
      .compile();
    const graph = new lg.StateGraph(list(lg)).addNode('child', child).addEdge(lg.START, 'child').compile();
    const chunks = await chunksOf<[string[], { error?: { name: string } }]>(
      graph.stream({ log: [] }, { streamMode: 'tasks', subgraphs: true }),
    );
    return chunks.flatMap(([, { error }]) => error?.name ?? []);
  });
  expect(theirs).toEqual(['ParentCommand']);
  expect(own).toEqual([]);
});

test('a sibling that finishes although it was told to stop keeps its work', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('fails', () => {
        throw new Error('first');
      })
      .addNode('finishes', (_state, config) => {
        const { signal } = config;
        return new Promise<{ log: string[] }>((resolve) => {
          signal?.addEventListener('abort', () => resolve({ log: ['finished'] }));
        });
      })
      .addEdge(lg.START, 'fails')
      .addEdge(lg.START, 'finishes')
      .compile({ checkpointer: saver() });
    await expect(graph.invoke({ log: [] }, thread())).rejects.toThrow('first');
    return (await graph.getState(thread())).next;
  });
  expect(theirs).toEqual(['fails', 'finishes']);
  expect(own).toEqual(['fails']);
});

test('a task that asks in its router shows no state that is saved nowhere', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => ({ log: ['a'] }))
      .addNode('b', () => ({ log: ['b'] }))
      .addEdge(lg.START, 'a')
      .addConditionalEdges('a', () => lg.interrupt('where?') as 'b', ['b'])
      .compile({ checkpointer: saver() });
    const { log } = await graph.invoke({ log: [] }, thread());
    const { values } = await graph.getState(thread());
    return { returned: log, saved: (values as { log: string[] }).log };
  });
  expect(theirs).toEqual({ returned: ['a'], saved: [] });
  expect(own).toEqual({ returned: [], saved: [] });
});

test('getState and getStateHistory take the thread that is bound to the graph', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => ({ log: ['a'] }))
      .addEdge(lg.START, 'a')
      .compile({ checkpointer: saver() })
      .withConfig(thread());
    await graph.invoke({ log: [] });
    return (await graph.getState({})).values as unknown;
  });
  expect(theirs).toEqual({});
  expect(own).toEqual({ log: ['a'] });
});
