// Compiled graphs as nodes, and called within nodes.
import { program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';

const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
  });

const says = (name: string) => () => ({ log: [name] });
const both = { streamMode: ['values', 'updates'], subgraphs: true };

const child = (lg: Library, node: (() => object) | undefined = undefined, options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('c1', says('c1'))
    .addNode('c2', node ?? says('c2'))
    .addEdge(lg.START, 'c1')
    .addEdge('c1', 'c2')
    .compile(options);

const parent = (lg: Library, inner: ReturnType<typeof child>, memory = saver()) =>
  new lg.StateGraph(list(lg))
    .addNode('before', says('before'))
    .addNode('child', inner)
    .addNode('after', says('after'))
    .addEdge(lg.START, 'before')
    .addEdge('before', 'child')
    .addEdge('child', 'after')
    .compile({ checkpointer: memory });

program('a subgraph as a node in every mode', async (lg, t) => {
  await t.everyMode(parent(lg, child(lg)), { log: ['in'] });
});

program('checkpoints of a subgraph', async (lg, t) => {
  const memory = saver();
  const graph = parent(lg, child(lg), memory);
  await t.invoke(graph, { log: ['in'] }, thread());
  await t.saved(memory);
  await t.history(graph, thread());
});

program('a subgraph called within a node', async (lg, t) => {
  const inner = child(lg);
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async (state) => {
      const { log } = await inner.invoke({ log: [`from ${state.log.length}`] });
      return { log: [log.join('+')] };
    })
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: ['in'] });
});

program('a subgraph called within a node with the config it got', async (lg, t) => {
  const inner = child(lg);
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async (_state, config) => ({ log: (await inner.invoke({ log: [] }, config)).log }))
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
});

program('two subgraphs called within one node', async (lg, t) => {
  const memory = saver();
  const inner = child(lg);
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => {
      const first = await inner.invoke({ log: ['1'] });
      const second = await inner.invoke({ log: ['2'] });
      return { log: [...first.log, ...second.log] };
    })
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.saved(memory);
});

program('a subgraph of a subgraph', async (lg, t) => {
  const middle = new lg.StateGraph(list(lg)).addNode('inner', child(lg)).addEdge(lg.START, 'inner').compile();
  await t.everyMode(parent(lg, middle as never), { log: [] });
});

program('an interrupt in a subgraph', async (lg, t) => {
  const memory = saver();
  const graph = parent(
    lg,
    child(lg, () => ({ log: [`said ${String(lg.interrupt('inner?'))}`] })),
    memory,
  );
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread());
  await t.state(graph, thread(), { subgraphs: true });
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
  await t.saved(memory);
});

program('an interrupt in a subgraph in every mode', async (lg, t) => {
  await t.everyMode(
    parent(
      lg,
      child(lg, () => ({ log: [String(lg.interrupt('inner?'))] })),
    ),
    { log: [] },
  );
});

program('an interrupt in a subgraph that a node calls', async (lg, t) => {
  const inner = child(lg, () => ({ log: [`said ${String(lg.interrupt('inner?'))}`] }));
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => ({ log: (await inner.invoke({ log: ['x'] })).log }))
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
  await t.stream(graph, new lg.Command({ resume: 'yes' }), { ...thread(), ...both });
});

program('breakpoints in a subgraph', async (lg, t) => {
  const graph = parent(lg, child(lg, undefined, { interruptBefore: ['c2'] }));
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
  await t.stream(graph, null, { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
});

program('a subgraph that fails', async (lg, t) => {
  const graph = parent(
    lg,
    child(lg, () => {
      throw new RangeError('inside');
    }),
  );
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
});

program('a subgraph goes on from its own checkpoint after a failure', async (lg, t) => {
  let fail = true;
  let runs = 0;
  const inner = new lg.StateGraph(list(lg))
    .addNode('c1', () => {
      runs += 1;
      return { log: ['c1'] };
    })
    .addNode('c2', () => {
      if (fail) throw new Error('first time');
      return { log: ['c2'] };
    })
    .addEdge(lg.START, 'c1')
    .addEdge('c1', 'c2')
    .compile();
  const graph = parent(lg, inner);
  await t.invoke(graph, { log: [] }, thread());
  fail = false;
  await t.stream(graph, null, { ...thread(), ...both });
  t.note('runs of c1', runs);
});

program('a Command to the parent', async (lg, t) => {
  const inner = child(
    lg,
    () => new lg.Command({ graph: lg.Command.PARENT, update: { log: ['to parent'] }, goto: 'other' }),
  );
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', inner, { ends: ['other'] as never })
    .addNode('other', says('other'))
    .addNode('after', says('after'))
    .addEdge(lg.START, 'child')
    .addEdge('child', 'after')
    .compile({ checkpointer: saver() });
  // LangGraph ends the child's task with an error named ParentCommand in `tasks`; nothing failed, and ours says nothing.
  for (const subgraphs of [false, true]) {
    await t.stream(
      graph,
      { log: ['in'] },
      { ...thread(String(subgraphs)), streamMode: ['values', 'updates'], subgraphs },
    );
  }
});

program('a Command to the parent with Sends', async (lg, t) => {
  const inner = child(
    lg,
    () =>
      new lg.Command({
        graph: lg.Command.PARENT,
        goto: [new lg.Send('other', { log: ['1'] }), new lg.Send('other', { log: ['2'] })],
      }),
  );
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', inner, { ends: ['other'] as never })
    .addNode('other', (state) => ({ log: [`other ${state.log.join()}`] }))
    .addEdge(lg.START, 'child')
    .compile();
  await t.stream(graph, { log: [] }, both);
});

for (const last of ['first', 'second']) {
  program(`two Commands to the parent in one superstep: the one that comes last counts (${last})`, async (lg, t) => {
    const earlier: { left?: () => void } = {};
    const left = new Promise<void>((resolve) => (earlier.left = resolve));
    const leaves = (name: string) => async () => {
      if (name === last) await left;
      else earlier.left?.();
      return new lg.Command({ graph: lg.Command.PARENT, update: { log: [`${name} left`] } });
    };
    const inner = new lg.StateGraph(list(lg))
      .addNode('first', leaves('first'))
      .addNode('second', leaves('second'))
      .addEdge(lg.START, 'first')
      .addEdge(lg.START, 'second')
      .compile();
    const memory = saver();
    const graph = new lg.StateGraph(list(lg))
      .addNode('child', inner as never)
      .addNode('after', says('after'))
      .addEdge(lg.START, 'child')
      .addEdge('child', 'after')
      .compile({ checkpointer: memory });
    await t.invoke(graph, { log: ['in'] }, thread());
    await t.history(graph, thread());
  });
}

program('a Command to the grandparent', async (lg, t) => {
  const inner = child(
    lg,
    () => new lg.Command({ graph: lg.Command.PARENT, update: { log: ['up one'] }, goto: lg.END }),
  );
  const middle = new lg.StateGraph(list(lg))
    .addNode('inner', inner)
    .addNode('up', () => new lg.Command({ graph: lg.Command.PARENT, update: { log: ['up two'] }, goto: 'other' }))
    .addEdge(lg.START, 'inner')
    .addEdge('inner', 'up')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('middle', middle, { ends: ['other'] as never })
    .addNode('other', says('other'))
    .addEdge(lg.START, 'middle')
    .compile();
  await t.stream(graph, { log: [] }, both);
});

program('a Command to a parent that is not there', async (lg, t) => {
  const graph = child(lg, () => new lg.Command({ graph: lg.Command.PARENT, goto: 'x' }));
  await t.stream(graph, { log: [] }, both);
});

program('a subgraph with a state of its own', async (lg, t) => {
  const inner = new lg.StateGraph(lg.Annotation.Root({ log: lg.Annotation<string[]>(), own: lg.Annotation<string>() }))
    .addNode('c', (state) => ({ log: [`child got ${state.log.join()}`], own: 'kept inside' }))
    .addEdge(lg.START, 'c')
    .compile();
  await t.stream(parent(lg, inner as never), { log: ['in'] }, { ...thread(), ...both });
});

program('subgraphs by checkpointer option', async (lg, t) => {
  for (const checkpointer of [true, false, undefined]) {
    const memory = saver();
    const graph = parent(lg, child(lg, undefined, { checkpointer }), memory);
    t.note('checkpointer', checkpointer);
    await t.stream(graph, { log: [] }, { ...thread(), ...both });
    await t.stream(graph, { log: ['again'] }, { ...thread(), ...both });
    await t.saved(memory);
  }
});

program('subgraphs sent to in parallel', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', child(lg))
    .addConditionalEdges(lg.START, () => [new lg.Send('child', { log: ['1'] }), new lg.Send('child', { log: ['2'] })])
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: 'values', subgraphs: false });
  await t.state(graph, thread());
});

program('the state of a subgraph by its namespace', async (lg, t) => {
  const graph = parent(
    lg,
    child(lg, () => ({ log: [String(lg.interrupt('?'))] })),
  );
  await graph.invoke({ log: [] }, thread());
  const { tasks } = await graph.getState(thread());
  const config = tasks[0]?.state as { configurable: Record<string, unknown> };
  await t.state(graph, config);
  await t.history(graph, config);
  await t.outcome('edit inside', () => graph.updateState(config, { log: ['edited'] }));
  await t.state(graph, thread(), { subgraphs: true });
  await t.stream(graph, new lg.Command({ resume: 'on' }), { ...thread(), ...both });
});

program('twelve levels: asked, answered, failed, drawn', async (lg, t) => {
  const State = lg.Annotation.Root({ text: lg.Annotation<string>() });
  const level = (node: unknown, options: object = {}) =>
    new lg.StateGraph(State)
      .addNode('node', node as () => object)
      .addEdge(lg.START, 'node')
      .compile(options);
  const nested = (leaf: () => object) => {
    let graph = level(leaf);
    for (let depth = 1; depth < 12; depth += 1) graph = level(graph, depth === 11 ? { checkpointer: saver() } : {});
    return graph;
  };
  const asks = nested(() => ({ text: lg.interrupt<string, string>('so deep?') }));
  const options = { ...thread(), streamMode: ['values', 'updates', 'tasks', 'checkpoints'], subgraphs: true };
  await t.stream(asks, { text: '' }, options);
  await t.state(asks, thread(), { subgraphs: true });
  await t.stream(asks, new lg.Command({ resume: 'yes' }), options);
  const fails = nested(() => {
    throw new Error('so deep');
  });
  await t.stream(fails, { text: '' }, options);
  await t.state(fails, thread(), { subgraphs: true });
  for (const xray of [true, 0, 3]) t.note('drawn', (await asks.getGraphAsync({ xray })).drawMermaid());
});

program('a graph that calls itself', async (lg, t) => {
  const State = lg.Annotation.Root({ left: lg.Annotation<number>(), path: lg.Annotation<number[]>() });
  const graph: Graph = new lg.StateGraph(State)
    .addNode('node', async ({ left }) => {
      if (left === 0) return { path: [0] };
      const { path } = (await graph.invoke({ left: left - 1 })) as { path: number[] };
      return { path: [left, ...path] };
    })
    .addEdge(lg.START, 'node')
    .compile({ checkpointer: saver() });
  const options = { ...thread(), streamMode: ['values', 'updates', 'tasks'], subgraphs: true };
  await t.stream(graph, { left: 5 }, options);
  await t.state(graph, thread(), { subgraphs: true });
});
