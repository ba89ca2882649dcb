// `setNodeDefaults`: policies of the nodes that have none of their own.
import { InMemoryCache } from '@langchain/langgraph-checkpoint';
import { program, saver, thread } from './harness.js';
import { list, says } from './log-state.js';

const all = { streamMode: ['values', 'updates', 'tasks'] };
const now = { initialInterval: 1, jitter: false, logWarning: false };

/** Fails each time it is called, and counts. */
const failing = (counts: Record<string, number>, name: string) => (): never => {
  counts[name] = (counts[name] ?? 0) + 1;
  throw new Error(`${name} ${counts[name]}`);
};

program('a default retry policy, before and after the nodes it is for', async (lg, t) => {
  for (const place of ['before', 'after'] as const) {
    const counts: Record<string, number> = {};
    const builder = new lg.StateGraph(list(lg));
    const retryPolicy = { ...now, maxAttempts: 3 };
    if (place === 'before') builder.setNodeDefaults({ retryPolicy });
    const graph = builder.addNode('a', failing(counts, 'a')).addEdge(lg.START, 'a');
    if (place === 'after') graph.setNodeDefaults({ retryPolicy });
    await t.invoke(graph.compile(), { log: [] });
    t.note(place, counts);
  }
});

program('a policy of its own stands over the default', async (lg, t) => {
  const counts: Record<string, number> = {};
  const graph = new lg.StateGraph(list(lg))
    .setNodeDefaults({ retryPolicy: { ...now, maxAttempts: 4 }, errorHandler: () => ({ log: ['default handler'] }) })
    .addNode('own', failing(counts, 'own'), {
      retryPolicy: { ...now, maxAttempts: 2 },
      errorHandler: () => ({ log: ['own handler'] }),
    })
    .addNode('none', failing(counts, 'none'))
    .addEdge(lg.START, 'own')
    .addEdge(lg.START, 'none')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'checkpoints'] });
  t.note('attempts', counts);
});

program('a later call wins field by field', async (lg, t) => {
  const counts: Record<string, number> = {};
  const graph = new lg.StateGraph(list(lg))
    .setNodeDefaults({ retryPolicy: { ...now, maxAttempts: 4 }, errorHandler: () => ({ log: ['first handler'] }) })
    .setNodeDefaults({ errorHandler: () => ({ log: ['second handler'] }) })
    .addNode('a', failing(counts, 'a'))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  t.note('attempts', counts);
});

program('the default handler in every mode, and what it is told', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .setNodeDefaults({
      errorHandler: (state, { node, error }) => ({ log: [JSON.stringify([state, node, error.message])] }),
    })
    .addNode('a', says('a'))
    .addNode('b', failing({}, 'b'))
    .addNode('after', says('after'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', 'after')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: ['in'] }, { ...thread(), ...all });
  await t.history(graph, thread());
});

program('defaults are not for graphs in nodes', async (lg, t) => {
  const counts: Record<string, number> = {};
  const child = new lg.StateGraph(list(lg))
    .addNode('inner', failing(counts, 'inner'))
    .addEdge(lg.START, 'inner')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .setNodeDefaults({ retryPolicy: { ...now, maxAttempts: 2 }, errorHandler: (_s, { node }) => ({ log: [node] }) })
    .addNode('child', child)
    .addEdge(lg.START, 'child')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  t.note('attempts', counts);
});

program('the default retry policy is for handlers too, the default handler is not', async (lg, t) => {
  const counts: Record<string, number> = {};
  const graph = new lg.StateGraph(list(lg))
    .setNodeDefaults({ retryPolicy: { ...now, maxAttempts: 2 }, errorHandler: failing(counts, 'default') })
    .addNode('a', failing(counts, 'a'))
    .addNode('b', failing(counts, 'b'), { errorHandler: failing(counts, 'handler of b') })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b');
  await t.invoke(graph.compile({ checkpointer: saver() }), { log: [] }, thread());
  const only = new lg.StateGraph(list(lg))
    .setNodeDefaults({ retryPolicy: { ...now, maxAttempts: 2 } })
    .addNode('b', failing(counts, 'b'), { errorHandler: failing(counts, 'handler of b') })
    .addEdge(lg.START, 'b');
  await t.invoke(only.compile({ checkpointer: saver() }), { log: [] }, thread());
  t.note('attempts', counts);
});

program('a default cache policy, and a node that opts out', async (lg, t) => {
  const runs: string[] = [];
  const counted = (name: string) => () => {
    runs.push(name);
    return { log: [name] };
  };
  const graph = new lg.StateGraph(list(lg))
    .setNodeDefaults({ cachePolicy: true })
    .addNode('cached', counted('cached'))
    .addNode('never', counted('never'), { cachePolicy: false })
    .addEdge(lg.START, 'cached')
    .addEdge('cached', 'never')
    .compile({ cache: new InMemoryCache() });
  await t.stream(graph, { log: [] }, all);
  await t.stream(graph, { log: [] }, all);
  t.note('runs', runs);
});

program('compiling leaves the builder as it was', async (lg, t) => {
  const builder = new lg.StateGraph(list(lg))
    .setNodeDefaults({ errorHandler: () => ({ log: ['handled'] }) })
    .addNode('a', failing({}, 'a'))
    .addEdge(lg.START, 'a');
  const first = builder.compile();
  t.note('nodes', Object.keys(builder.nodes));
  t.note('drawing', first.getGraph().drawMermaid());
  await t.invoke(builder.compile(), { log: [] });
  await t.outcome('name taken', () => {
    builder.addNode('__default_error_handler__' as 'a', says('x')).compile();
  });
});
