// Timeouts of nodes, Sends and supersteps. Nodes that are to time out never end by themselves; those that are not, end at
// once or have a minute.
import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { RunnableConfig } from '@langchain/core/runnables';
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';
import { list } from './log-state.js';

const SHORT = 20;
const LONG = 60_000;
const now = { initialInterval: 1, jitter: false, logWarning: false };

/** Ends only when it is aborted, and then as if nothing were. */
const untilAborted = (_state: unknown, { signal }: RunnableConfig): Promise<object> =>
  new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve({ log: ['late'] }), { once: true });
  });

const never = (): Promise<object> => new Promise(() => undefined);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Without what the clock says. */
async function outcome(
  lg: Library,
  t: { note(label: string, value: unknown): void },
  run: () => Promise<unknown>,
): Promise<void> {
  try {
    t.note('result', await run());
  } catch (error) {
    if (!lg.isNodeTimeoutError(error)) throw error;
    const { node, kind, timeout, runTimeout, idleTimeout, elapsed, name } = error;
    t.note('timeout', {
      name,
      node,
      kind,
      timeout,
      runTimeout,
      idleTimeout,
      message: error.message.replace(/elapsed: \d+ms/, 'elapsed'),
      elapsed: elapsed > timeout / 2,
    });
  }
}

type NodeOptions = Parameters<InstanceType<Library['StateGraph']>['addNode']>[2];
type Node = (
  state: { log: string[] },
  config: RunnableConfig & { heartbeat?: () => void; writer?: (chunk: unknown) => void },
) => unknown;

const one = (lg: Library, node: Node, options: NodeOptions) =>
  new lg.StateGraph(list(lg))
    .addNode('node', node as () => object, options as object)
    .addEdge(lg.START, 'node')
    .compile({ checkpointer: saver() });

program('a run timeout, as a number and as a policy', async (lg, t) => {
  for (const timeout of [SHORT, { runTimeout: SHORT }, { runTimeout: SHORT, idleTimeout: LONG }]) {
    const graph = one(lg, never, { timeout });
    await outcome(lg, t, () => graph.invoke({ log: [] }, thread()));
    const { tasks } = await graph.getState(thread());
    t.note(
      'failed tasks',
      tasks.map(({ name, error }) => [name, (error as { name?: string } | undefined)?.name]),
    );
  }
});

program('an idle timeout', async (lg, t) => {
  for (const refreshOn of ['auto', 'heartbeat'] as const) {
    const graph = one(lg, never, { timeout: { idleTimeout: SHORT, refreshOn } });
    await outcome(lg, t, () => graph.invoke({ log: [] }, thread()));
  }
});

program('nodes that end in time', async (lg, t) => {
  for (const timeout of [LONG, { idleTimeout: LONG }, { runTimeout: LONG, idleTimeout: LONG }]) {
    const graph = one(lg, () => ({ log: ['in time'] }), { timeout });
    await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
  }
});

program('a node that fails before its time is over', async (lg, t) => {
  const graph = one(
    lg,
    () => {
      throw new TypeError('broken');
    },
    { timeout: LONG },
  );
  await t.invoke(graph, { log: [] }, thread());
});

program('a timeout aborts the signal of the node, and what it does afterwards has no effect', async (lg, t) => {
  let aborted = false;
  const graph = one(
    lg,
    async (state, config) => {
      const late = await untilAborted(state, config);
      aborted = true;
      config.writer?.('late');
      return late;
    },
    { timeout: SHORT },
  );
  const chunks: unknown[] = [];
  await outcome(lg, t, async () => {
    for await (const chunk of await graph.stream({ log: [] }, { ...thread(), streamMode: ['custom', 'updates'] })) {
      chunks.push(chunk);
    }
  });
  while (!aborted) await pause(1);
  await pause(1);
  t.note('chunks', chunks);
  t.note('values', (await graph.getState(thread())).values);
});

program('a timeout is retried, and each attempt has all of the time', async (lg, t) => {
  let attempts = 0;
  const graph = one(
    lg,
    (state, config) => {
      attempts += 1;
      return attempts < 3 ? untilAborted(state, config) : { log: [`attempt ${attempts}`] };
    },
    { timeout: 500, retryPolicy: { ...now, maxAttempts: 3 } },
  );
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks'] });
  t.note('attempts', attempts);
});

program('a timeout goes to the error handler', async (lg, t) => {
  const graph = one(lg, never, {
    timeout: SHORT,
    errorHandler: (_state: unknown, { node, error }: { node: string; error: Error }) => ({
      log: [`${node}: ${error.name} ${lg.isNodeTimeoutError(error)}`],
    }),
  });
  await t.invoke(graph, { log: [] }, thread());
});

program('a node that keeps the thread busy is found out afterwards', async (lg, t) => {
  const busy = (): object => {
    const end = Date.now() + 2 * SHORT;
    while (Date.now() < end);
    return { log: ['too late'] };
  };
  for (const timeout of [{ runTimeout: SHORT }, { idleTimeout: SHORT }]) {
    await outcome(lg, t, () => one(lg, busy, { timeout }).invoke({ log: [] }, thread()));
  }
});

/** Makes progress in steps well within the limit, for longer than the limit. */
const LIMIT = 800;
const busyFor = async (progress: () => unknown): Promise<object> => {
  const end = Date.now() + 1.5 * LIMIT;
  while (Date.now() < end) {
    await pause(LIMIT / 50);
    await progress();
  }
  return { log: ['done'] };
};

program('progress keeps a node from being idle: heartbeat, the writer, LangChain', async (lg, t) => {
  const model = new FakeListChatModel({ responses: ['hello'] });
  const nodes: Record<string, Node> = {
    heartbeat: (_state, { heartbeat }) => busyFor(() => heartbeat?.()),
    writer: (_state, { writer }) => busyFor(() => writer?.('progress')),
    model: (_state, config) => busyFor(() => model.invoke('hi', config)),
  };
  await Promise.all(
    Object.values(nodes).map(async (node) => {
      const graph = one(lg, node, { timeout: { idleTimeout: LIMIT } });
      await graph.invoke({ log: [] }, thread());
    }),
  );
  t.note('in time', Object.keys(nodes));
});

program('with refreshOn heartbeat nothing else counts', async (lg, t) => {
  const timeout = { idleTimeout: LIMIT, refreshOn: 'heartbeat' } as const;
  await Promise.all([
    one(lg, (_state, { heartbeat }) => busyFor(() => heartbeat?.()), { timeout }).invoke({ log: [] }, thread()),
    outcome(lg, t, () =>
      one(lg, (_state, { writer }) => busyFor(() => writer?.('progress')), { timeout }).invoke({ log: [] }, thread()),
    ),
  ]);
});

program('a heartbeat does not lift a run timeout; without a timeout there is none', async (lg, t) => {
  const beats: Node = (_state, { heartbeat }) => busyFor(() => heartbeat?.());
  await outcome(lg, t, () =>
    one(lg, beats, { timeout: { runTimeout: SHORT, idleTimeout: LONG } }).invoke({ log: [] }, thread()),
  );
  const asked: Node = (_state, config) => {
    t.note('heartbeat', typeof config.heartbeat);
    return {};
  };
  await t.invoke(one(lg, asked, {}), { log: [] }, thread());
  await t.invoke(one(lg, asked, { timeout: LONG }), { log: [] }, thread());
});

program("a Send's timeout stands over its node's", async (lg, t) => {
  const graph = (own: number | undefined, sent: number | undefined) =>
    new lg.StateGraph(list(lg))
      .addNode('plan', () => ({}))
      .addNode('work', ({ log }) => (log[0] === 'slow' ? never() : { log: ['quick'] }), { timeout: own })
      .addEdge(lg.START, 'plan')
      .addConditionalEdges('plan', () => [
        new lg.Send('work', { log: ['quick'] }, { timeout: LONG }),
        new lg.Send('work', { log: ['slow'] }, { timeout: sent }),
      ])
      .compile({ checkpointer: saver() });
  await outcome(lg, t, () => graph(LONG, SHORT).invoke({ log: [] }, thread()));
  await outcome(lg, t, () => graph(SHORT, undefined).invoke({ log: [] }, thread()));
  t.note('send', new lg.Send('work', 1, { timeout: SHORT }));
  t.note('as JSON', JSON.stringify(new lg.Send('work', 1, { timeout: { idleTimeout: SHORT } })));
});

program('a default timeout, and one that a node has of its own', async (lg, t) => {
  const graph = (own: number | undefined) =>
    new lg.StateGraph(list(lg))
      .setNodeDefaults({ timeout: SHORT })
      .addNode('node', own === undefined ? never : async () => (await pause(2 * SHORT), { log: ['in time'] }), {
        timeout: own,
      })
      .addEdge(lg.START, 'node')
      .compile({ checkpointer: saver() });
  await outcome(lg, t, () => graph(undefined).invoke({ log: [] }, thread()));
  await outcome(lg, t, () => graph(LONG).invoke({ log: [] }, thread()));
});

program('a graph as a node has the timeout of the node', async (lg, t) => {
  const child = new lg.StateGraph(list(lg)).addNode('inner', untilAborted).addEdge(lg.START, 'inner').compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('child', child, { timeout: 200 })
    .addEdge(lg.START, 'child')
    .compile({ checkpointer: saver() });
  await outcome(lg, t, () => graph.invoke({ log: [] }, thread()));
});

program('timeouts that make no sense', async (lg, t) => {
  const bad = [0, -1, Number.NaN, { runTimeout: 0 }, { idleTimeout: -5 }, { runTimeout: 5, refreshOn: 'never' }];
  for (const timeout of bad) {
    await t.outcome('node', () => void one(lg, never, { timeout: timeout as number }));
    await t.outcome('default', () => void new lg.StateGraph(list(lg)).setNodeDefaults({ timeout: timeout as number }));
    await t.outcome('send', () => void new lg.Send('node', 1, { timeout: timeout as number }));
  }
});

program('a step timeout', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => ({ log: ['a'] }))
    .addNode('never', never)
    .addEdge(lg.START, 'a')
    .addEdge('a', 'never')
    .compile({ checkpointer: memory });
  graph.stepTimeout = 800;
  await t.invoke(graph, { log: [] }, thread());
  await t.state(graph, thread());
  const quick = new lg.StateGraph(list(lg))
    .addNode('a', () => ({ log: ['a'] }))
    .addEdge(lg.START, 'a')
    .compile();
  quick.stepTimeout = LONG;
  await t.invoke(quick, { log: [] });
});

program('a step timeout aborts the nodes', async (lg, t) => {
  let aborted: (told: boolean) => void = () => undefined;
  const told = new Promise<boolean>((resolve) => (aborted = resolve));
  const graph = new lg.StateGraph(list(lg))
    .addNode('waits', async (state, config) => {
      await untilAborted(state, config);
      aborted(true);
      return {};
    })
    .addEdge(lg.START, 'waits')
    .compile();
  graph.stepTimeout = 1000;
  await t.invoke(graph, { log: [] });
  t.note('told', await told);
});

program('NodeTimeoutError by itself', async (lg, t) => {
  const error = new lg.NodeTimeoutError({ node: 'n', kind: 'idle', elapsed: 7, idleTimeout: 5 });
  t.note('error', [error.name, error.message, error.timeout, error.runTimeout, error.idleTimeout, error.elapsed]);
  t.note('guards', [lg.isNodeTimeoutError(error), lg.isNodeTimeoutError(new Error('x')), lg.isGraphBubbleUp(error)]);
  await t.outcome('wrong kind', () => new lg.NodeTimeoutError({ node: 'n', kind: 'run', elapsed: 7, idleTimeout: 5 }));
});
