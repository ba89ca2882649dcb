// Error handlers of nodes: what they are told, what they may do, what is kept for a resume.
import { program, saver, thread } from './harness.js';
import { list, says } from './log-state.js';

const fails =
  (message = 'broken') =>
  (): never => {
    throw new TypeError(message);
  };
const all = { streamMode: ['values', 'updates', 'tasks', 'checkpoints'] };
const now = { initialInterval: 1, jitter: false, logWarning: false };

program('a handler runs in place of the node, in the same superstep, in every mode', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('fails', fails(), { errorHandler: (_state, { node, error }) => ({ log: [`${node}: ${error.message}`] }) })
    .addNode('after', says('after'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'fails')
    .addEdge('fails', 'after')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: [] });
});

program('what is saved', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('fails', fails(), { errorHandler: () => ({ log: ['handled'] }) })
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.saved(memory);
  await t.history(graph, thread());
});

program('what a handler is given', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('fails', fails(), {
      metadata: { of: 'the node' },
      errorHandler: (state, nodeError, config) => {
        t.note('state', state);
        t.note('is a NodeError', [lg.isNodeError(nodeError), nodeError instanceof lg.NodeError]);
        t.note('node error', [nodeError.node, nodeError.error]);
        t.note('metadata', config?.metadata);
        t.note('checkpoint_ns', config?.configurable?.['checkpoint_ns']);
        t.note('execution', config?.executionInfo?.nodeAttempt);
        return {};
      },
    })
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: ['input'] }, { ...thread(), ...all });
});

program('a handler may go elsewhere', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('fails', fails(), {
      errorHandler: () => new lg.Command({ update: { log: ['handled'] }, goto: 'rescue' }),
    })
    .addNode('normal', says('normal'))
    .addNode('rescue', says('rescue'))
    .addEdge(lg.START, 'fails')
    .addEdge('fails', 'normal')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
});

program('a handler that goes by Sends, or returns nothing', async (lg, t) => {
  const graph = (handler: () => unknown) =>
    new lg.StateGraph(list(lg))
      .addNode('fails', fails(), { errorHandler: handler as () => object })
      .addNode('work', ({ log }) => ({ log: [`work ${log.join()}`] }))
      .addEdge(lg.START, 'fails')
      .compile({ checkpointer: saver() });
  const sends = () =>
    new lg.Command({ goto: [new lg.Send('work', { log: ['1'] }), new lg.Send('work', { log: ['2'] })] });
  await t.stream(graph(sends), { log: [] }, { ...thread(), ...all });
  await t.stream(
    graph(() => undefined),
    { log: [] },
    { ...thread(), ...all },
  );
  await t.stream(
    graph(() => 'nonsense'),
    { log: [] },
    { ...thread(), ...all },
  );
});

program('a handler runs once retries are exhausted', async (lg, t) => {
  let attempts = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'fails',
      () => {
        attempts += 1;
        throw new Error(`attempt ${attempts}`);
      },
      {
        retryPolicy: { ...now, maxAttempts: 3 },
        errorHandler: (_state, { error }) => ({ log: [error.message] }),
      },
    )
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  t.note('attempts', attempts);
});

program('a handler that fails, fails the run', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('fails', fails('first'), { errorHandler: fails('second') })
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.state(graph, thread());
  await t.saved(memory);
});

program('after a failed handler the handler runs again, and the node does not', async (lg, t) => {
  const runs: string[] = [];
  let broken = true;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'fails',
      () => {
        runs.push('node');
        throw new RangeError('of the node');
      },
      {
        errorHandler: (_state, { node, error }) => {
          runs.push('handler');
          if (broken) throw new Error('of the handler');
          return { log: [`${node} ${error.name} ${error.message}`] };
        },
      },
    )
    .addNode('after', says('after'))
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
  broken = false;
  await t.stream(graph, null, { ...thread(), streamMode: ['values', 'updates', 'checkpoints'] });
  await t.state(graph, thread());
  t.note('runs', runs);
});

program('questions, Commands to a parent and drains are not handled', async (lg, t) => {
  const handled: string[] = [];
  const errorHandler = (_state: unknown, { error }: { error: Error }) => {
    handled.push(error.name);
    return {};
  };
  const asking = new lg.StateGraph(list(lg))
    .addNode('asks', () => ({ log: [String(lg.interrupt('?'))] }), { errorHandler })
    .addEdge(lg.START, 'asks')
    .compile({ checkpointer: saver() });
  await t.invoke(asking, { log: [] }, thread());
  const child = new lg.StateGraph(list(lg))
    .addNode('up', () => new lg.Command({ graph: lg.Command.PARENT, goto: 'target', update: { log: ['up'] } }))
    .addEdge(lg.START, 'up')
    .compile();
  const parent = new lg.StateGraph(list(lg))
    .addNode('child', child, { ends: ['target'], errorHandler })
    .addNode('target', says('target'))
    .addEdge(lg.START, 'child')
    .compile({ checkpointer: saver() });
  await t.invoke(parent, { log: [] }, thread());
  const draining = new lg.StateGraph(list(lg))
    .addNode('drains', (_state, config) => {
      config.control?.requestDrain('enough');
      return {};
    })
    .addNode('next', says('next'))
    .addEdge(lg.START, 'drains')
    .addEdge('drains', 'next')
    .compile();
  const around = new lg.StateGraph(list(lg))
    .addNode('child', draining, { errorHandler })
    .addEdge(lg.START, 'child')
    .compile({ checkpointer: saver() });
  await t.invoke(around, { log: [] }, thread());
  t.note('handled', handled);
});

program('a handler that asks', async (lg, t) => {
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'fails',
      () => {
        runs.push('node');
        throw new Error('of the node');
      },
      {
        errorHandler: () => {
          runs.push('handler');
          return { log: [`answered ${String(lg.interrupt('what now?'))}`] };
        },
      },
    )
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.stream(graph, new lg.Command({ resume: 'go on' }), { ...thread(), streamMode: ['values', 'updates'] });
  await t.state(graph, thread());
  t.note('runs', runs);
});

program('a sibling that asks, beside a failure that is handled', async (lg, t) => {
  const memory = saver();
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode('asks', () => ({ log: [`answer ${String(lg.interrupt('?'))}`] }))
    .addNode(
      'fails',
      () => {
        runs.push('node');
        throw new Error('broken');
      },
      { errorHandler: () => ({ log: ['handled'] }) },
    )
    .addEdge(lg.START, 'asks')
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values'] });
  await t.state(graph, thread());
  await t.outcome('result', () => graph.invoke(new lg.Command({ resume: 'yes' }), thread()));
  await t.state(graph, thread());
  t.note('runs', runs);
});

program('failures of several nodes, each with its handler', async (lg, t) => {
  const handler =
    (name: string) =>
    (_state: unknown, { node }: { node: string }) => ({ log: [`${name} of ${node}`] });
  const graph = new lg.StateGraph(list(lg))
    .addNode('b', fails('b'), { errorHandler: handler('hb') })
    .addNode('a', fails('a'), { errorHandler: handler('ha') })
    .addNode('fine', says('fine'))
    .addEdge(lg.START, 'b')
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'fine')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'checkpoints'] });
});

program('a Send that fails is handled with its own input', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('plan', says('plan'))
    .addNode(
      'work',
      ({ log }) => {
        if (log[0] === 'bad') throw new Error('bad part');
        return { log: [`worked on ${log.join()}`] };
      },
      { errorHandler: ({ log }, { error }) => ({ log: [`${log.join()}: ${error.message}`] }) },
    )
    .addEdge(lg.START, 'plan')
    .addConditionalEdges('plan', () => ['good', 'bad', 'fine'].map((part) => new lg.Send('work', { log: [part] })))
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'checkpoints'] });
});

program('a graph as a node: its failure is handled by the graph around', async (lg, t) => {
  const child = new lg.StateGraph(list(lg)).addNode('fails', fails('deep')).addEdge(lg.START, 'fails').compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', child, { errorHandler: (_state, { node, error }) => ({ log: [`${node}: ${error.message}`] }) })
    .addNode('after', says('after'))
    .addEdge(lg.START, 'child')
    .addEdge('child', 'after')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'], subgraphs: true });
});

program('a handler that calls a graph', async (lg, t) => {
  const child = new lg.StateGraph(list(lg)).addNode('inner', says('inner')).addEdge(lg.START, 'inner').compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('fails', fails(), { errorHandler: async () => child.invoke({ log: [] }) })
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'], subgraphs: true });
});

program('errors of wrong use, and where handlers are drawn', async (lg, t) => {
  const builder = () => new lg.StateGraph(list(lg)).addNode('a', says('a'), { errorHandler: () => ({}) });
  await t.outcome('name taken', () => {
    new lg.StateGraph(list(lg))
      .addNode('__error_handler__a', says('a'))
      .addNode('a', says('a'), { errorHandler: () => ({}) });
  });
  await t.outcome('a node that nothing leads to', () => {
    builder().addNode('b', says('b')).addEdge(lg.START, 'a').compile();
  });
  const graph = builder().addNode('b', says('b')).addEdge(lg.START, 'a').addEdge('a', 'b').compile();
  t.note('nodes', Object.keys(graph.builder.nodes));
  t.note('drawing', graph.getGraph().drawMermaid());
});

program('going back to where a node failed runs the node again, not its handler', async (lg, t) => {
  const runs: string[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode(
      'flaky',
      () => {
        runs.push('node');
        if (runs.length === 1) throw new Error('once');
        return { log: ['flaky'] };
      },
      {
        errorHandler: () => {
          runs.push('handler');
          return new lg.Command({ update: { log: ['handled'] }, goto: 'after' });
        },
      },
    )
    .addNode('after', says('after'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'flaky')
    .addEdge('flaky', 'after')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
  for await (const { config, next } of graph.getStateHistory(thread())) {
    if (next[0] !== 'flaky') continue;
    await t.state(graph, config);
    await t.stream(graph, null, { ...config, ...all });
    break;
  }
  await t.history(graph, thread());
  t.note('runs', runs);
});

program('a handled failure, and a sibling that fails the run', async (lg, t) => {
  const memory = saver();
  let broken = true;
  let handlerDone: () => void = () => undefined;
  const handled = new Promise<void>((resolve) => (handlerDone = resolve));
  const graph = new lg.StateGraph(list(lg))
    .addNode('handled', fails(), {
      errorHandler: () => {
        setImmediate(handlerDone);
        return { log: ['handled'] };
      },
    })
    .addNode('fails', async () => {
      await handled;
      if (broken) throw new Error('for good');
      return { log: ['worked'] };
    })
    .addEdge(lg.START, 'handled')
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
  await t.state(graph, thread());
  broken = false;
  await t.invoke(graph, null, thread());
  await t.state(graph, thread());
});

program('a handler in a graph in a node, with a failure that goes on upwards', async (lg, t) => {
  const child = (handler: () => object) =>
    new lg.StateGraph(list(lg))
      .addNode('inner', fails('inner'), { errorHandler: handler })
      .addEdge(lg.START, 'inner')
      .compile();
  for (const handler of [() => ({ log: ['handled below'] }), fails('of the handler')]) {
    const graph = new lg.StateGraph(list(lg))
      .addNode('child', child(handler), {
        errorHandler: (_state, { node, error }) => ({ log: [`${node}: ${error.message}`] }),
      })
      .addEdge(lg.START, 'child')
      .compile({ checkpointer: saver() });
    await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'], subgraphs: true });
  }
});
