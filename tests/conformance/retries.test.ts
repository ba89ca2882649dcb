// Retries beyond the plain ones in failures.test.ts: which policy, what is left of a failed attempt, graphs, aborts.
import { program, saver, thread } from './harness.js';
import { list, says } from './log-state.js';

const all = { streamMode: ['values', 'updates', 'tasks'] };
const now = { initialInterval: 1, jitter: false, logWarning: false };

program("the graph's policy is for nodes that have none", async (lg, t) => {
  const counts: Record<string, number> = {};
  const failing = (name: string) => (): never => {
    counts[name] = (counts[name] ?? 0) + 1;
    throw new Error(name);
  };
  for (const name of ['plain', 'own'] as const) {
    const graph = new lg.StateGraph(list(lg))
      .addNode('node', failing(name), name === 'own' ? { retryPolicy: { ...now, maxAttempts: 2 } } : {})
      .addEdge(lg.START, 'node')
      .compile();
    graph.retryPolicy = { ...now, maxAttempts: 4 };
    await t.invoke(graph, { log: [] });
  }
  t.note('attempts', counts);
});

program('what a failed attempt wrote is gone', async (lg, t) => {
  let attempts = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode('node', () => ({ log: [`attempt ${(attempts += 1)}`] }), { retryPolicy: now })
    .addNode('after', says('after'))
    .addEdge(lg.START, 'node')
    .addConditionalEdges('node', () => {
      if (attempts < 3) throw new Error('no way yet');
      return 'after';
    })
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
});

program('answers are given again to each attempt', async (lg, t) => {
  let attempts = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'asks',
      () => {
        const answer = String(lg.interrupt('?'));
        attempts += 1;
        if (attempts < 3) throw new Error(`attempt ${attempts} with ${answer}`);
        return { log: [answer] };
      },
      { retryPolicy: now },
    )
    .addEdge(lg.START, 'asks')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all });
  await t.stream(graph, new lg.Command({ resume: 'answer' }), { ...thread(), ...all });
  t.note('attempts', attempts);
});

program('executionInfo tells attempts apart', async (lg, t) => {
  const seen: { attempt?: number; first?: number; id?: string }[] = [];
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'node',
      (_state, { executionInfo }) => {
        seen.push({
          attempt: executionInfo?.nodeAttempt,
          first: executionInfo?.nodeFirstAttemptTime,
          id: executionInfo?.taskId,
        });
        if (seen.length < 3) throw new Error('again');
        return {};
      },
      { retryPolicy: now },
    )
    .addEdge(lg.START, 'node')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
  t.note(
    'attempts',
    seen.map(({ attempt }) => attempt),
  );
  t.note('one start, one id', [new Set(seen.map(({ first }) => first)).size, new Set(seen.map(({ id }) => id)).size]);
});

program('nodes of graphs in nodes are retried where they are', async (lg, t) => {
  const runs: string[] = [];
  const child = new lg.StateGraph(list(lg))
    .addNode('c1', () => {
      runs.push('c1');
      return { log: ['c1'] };
    })
    .addNode(
      'flaky',
      () => {
        runs.push('flaky');
        if (runs.length < 4) throw new Error('again');
        return { log: ['flaky'] };
      },
      { retryPolicy: now },
    )
    .addEdge(lg.START, 'c1')
    .addEdge('c1', 'flaky')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', child)
    .addEdge(lg.START, 'child')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...all, subgraphs: true });
  t.note('runs', runs);
});

program('a failure ends a sibling that waits for its next attempt', async (lg, t) => {
  let attempts = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'flaky',
      () => {
        attempts += 1;
        throw new Error('flaky');
      },
      { retryPolicy: { ...now, initialInterval: 1000, maxAttempts: 5 } },
    )
    .addNode('fails', async () => {
      while (attempts === 0) await new Promise((resolve) => setImmediate(resolve));
      throw new Error('for good');
    })
    .addEdge(lg.START, 'flaky')
    .addEdge(lg.START, 'fails')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
  await t.outcome('failed tasks', async () => {
    const { tasks } = await graph.getState(thread());
    return tasks.map(({ name, error }) => [name, error]);
  });
  t.note('attempts', attempts);
});

program('aborted while it waits for its next attempt', async (lg, t) => {
  let attempts = 0;
  const controller = new AbortController();
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'flaky',
      () => {
        attempts += 1;
        setImmediate(() => controller.abort());
        throw new Error('flaky');
      },
      { retryPolicy: { ...now, initialInterval: 100, maxAttempts: 5 } },
    )
    .addEdge(lg.START, 'flaky')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, { ...thread(), signal: controller.signal });
  t.note('attempts', attempts);
});

program('the longest wait is bounded', async (lg, t) => {
  let attempts = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'flaky',
      () => {
        attempts += 1;
        throw new Error('flaky');
      },
      { retryPolicy: { ...now, backoffFactor: 1e6, maxInterval: 2, maxAttempts: 6 } },
    )
    .addEdge(lg.START, 'flaky')
    .compile();
  await t.invoke(graph, { log: [] });
  t.note('attempts', attempts);
});
