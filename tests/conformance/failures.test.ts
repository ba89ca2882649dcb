// Nodes that fail: what is kept, what is retried, what the caller gets; abort.
import { program, saver, thread } from './harness.js';
import { list, says } from './log-state.js';

const both = { streamMode: ['values', 'updates', 'tasks'] };
const now = { initialInterval: 1, jitter: false, logWarning: false };

program('a failing node in every mode', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('fails', () => {
      throw new TypeError('broken');
    })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'fails')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: [] });
});

program('a failure is kept with the thread and the node runs again', async (lg, t) => {
  const memory = saver();
  let fail = true;
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', () => {
      if (fail) throw new Error('this time');
      return { log: ['b'] };
    })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
  await t.state(graph, thread());
  await t.saved(memory);
  fail = false;
  await t.stream(graph, null, { ...thread(), ...both });
  await t.state(graph, thread());
});

program('a finished sibling of a failure is not run again', async (lg, t) => {
  const memory = saver();
  let fail = true;
  let runs = 0;
  let siblingDone: () => void = () => undefined;
  const sibling = new Promise<void>((resolve) => (siblingDone = resolve));
  const graph = new lg.StateGraph(list(lg))
    .addNode('fails', async () => {
      await sibling;
      if (fail) throw new Error('this time');
      return { log: ['fails'] };
    })
    .addNode('works', async () => {
      runs += 1;
      setImmediate(siblingDone);
      return { log: ['works'] };
    })
    .addEdge(lg.START, 'fails')
    .addEdge(lg.START, 'works')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread());
  await t.saved(memory);
  fail = false;
  await t.stream(graph, null, { ...thread(), ...both });
  t.note('runs', runs);
});

program('a failure aborts its running siblings', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('fails', () => {
      throw new Error('first');
    })
    .addNode('waits', (_state, config) => {
      const { signal } = config;
      return new Promise<object>((resolve) => {
        signal?.addEventListener('abort', () => {
          t.note('sibling was told', signal.aborted);
          resolve({});
        });
      });
    })
    .addEdge(lg.START, 'fails')
    .addEdge(lg.START, 'waits')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
});

program('errors that are no Errors', async (lg, t) => {
  for (const thrown of [{ message: 'plain' }, { name: 'Named', message: 'm', code: 'E' }]) {
    const graph = new lg.StateGraph(list(lg))
      .addNode('fails', () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- the case
        throw thrown;
      })
      .addEdge(lg.START, 'fails')
      .compile({ checkpointer: saver() });
    await t.invoke(graph, { log: [] }, thread());
    await t.state(graph, thread());
  }
});

program('a router that fails', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => {
      throw new Error('no way');
    })
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
});

program('retries until it works', async (lg, t) => {
  let attempts = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'flaky',
      (_state, config) => {
        attempts += 1;
        t.note('attempt', config.executionInfo?.nodeAttempt);
        if (attempts < 3) throw new Error(`attempt ${attempts}`);
        return { log: [`worked at ${attempts}`] };
      },
      { retryPolicy: now },
    )
    .addEdge(lg.START, 'flaky')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
});

program('retries end', async (lg, t) => {
  let attempts = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'flaky',
      () => {
        attempts += 1;
        throw new Error(`attempt ${attempts}`);
      },
      { retryPolicy: { ...now, maxAttempts: 2 } },
    )
    .addEdge(lg.START, 'flaky')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread());
  t.note('attempts', attempts);
});

program('which errors are retried', async (lg, t) => {
  const errors: Record<string, unknown> = {
    plain: new Error('x'),
    'Cancel...': new Error('Cancelled by me'),
    AbortError: Object.assign(new Error('x'), { name: 'AbortError' }),
    GraphValueError: Object.assign(new Error('x'), { name: 'GraphValueError' }),
    ECONNABORTED: Object.assign(new Error('x'), { code: 'ECONNABORTED' }),
    'status 400': Object.assign(new Error('x'), { status: 400 }),
    'status 408': Object.assign(new Error('x'), { status: 408 }),
    'status 409': Object.assign(new Error('x'), { status: 409 }),
    'status 429': Object.assign(new Error('x'), { status: 429 }),
    'status 500': Object.assign(new Error('x'), { status: 500 }),
    'response 404': Object.assign(new Error('x'), { response: { status: 404 } }),
    quota: Object.assign(new Error('x'), { error: { code: 'insufficient_quota' } }),
  };
  for (const [name, error] of Object.entries(errors)) {
    let attempts = 0;
    const graph = new lg.StateGraph(list(lg))
      .addNode(
        'fails',
        () => {
          attempts += 1;
          throw error as Error;
        },
        { retryPolicy: { ...now, maxAttempts: 2 } },
      )
      .addEdge(lg.START, 'fails')
      .compile();
    await t.invoke(graph, { log: [] });
    t.note(name, attempts);
  }
});

program('retryOn decides, and interrupts are never retried', async (lg, t) => {
  let attempts = 0;
  const graph = (node: () => object, retryOn: (error: Error) => boolean) =>
    new lg.StateGraph(list(lg))
      .addNode('node', node, { retryPolicy: { ...now, retryOn } })
      .addEdge(lg.START, 'node')
      .compile({ checkpointer: saver() });
  const failing = () => {
    attempts += 1;
    throw new Error(attempts === 1 ? 'again' : 'enough');
  };
  await t.invoke(
    graph(failing, (error) => error.message === 'again'),
    { log: [] },
    thread(),
  );
  t.note('attempts', attempts);
  attempts = 0;
  const asking = () => {
    attempts += 1;
    return { log: [String(lg.interrupt('?'))] };
  };
  await t.invoke(
    graph(asking, () => true),
    { log: [] },
    thread(),
  );
  t.note('attempts', attempts);
});

program('an abort before and during a run', async (lg, t) => {
  const memory = saver();
  const controller = new AbortController();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('aborts', async () => {
      controller.abort(new Error('enough'));
      return { log: ['aborts'] };
    })
    .addNode('never', says('never'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'aborts')
    .addEdge('aborts', 'never')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, { ...thread(), signal: controller.signal });
  await t.invoke(graph, { log: [] }, { ...thread('2'), signal: controller.signal });
});

program('maxConcurrency keeps tasks in plan order', async (lg, t) => {
  const running = new Set<string>();
  let most = 0;
  const node = (name: string) => async () => {
    running.add(name);
    most = Math.max(most, running.size);
    t.note('started', name);
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(name);
    return { log: [name] };
  };
  const builder = new lg.StateGraph(list(lg))
    .addNode('a', node('a'))
    .addNode('b', node('b'))
    .addNode('c', node('c'))
    .addNode('d', node('d'));
  for (const name of ['a', 'b', 'c', 'd'] as const) builder.addEdge(lg.START, name);
  await t.invoke(builder.compile(), { log: [] }, { maxConcurrency: 2 });
  t.note('most', most);
});
