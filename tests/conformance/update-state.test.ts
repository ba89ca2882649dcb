// updateState and bulkUpdateState: as which node, on which checkpoint, and what follows.
import { collect, program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';
import { says } from './log-state.js';

const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
    note: lg.Annotation<string>(),
  });

// Not `updates`: of two parallel nodes it is no promise which ends first.
const values = { streamMode: 'values' };

const chain = (lg: Library, options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', 'c')
    .compile({ checkpointer: saver(), ...options });

interface Updatable extends Graph {
  bulkUpdateState(config: object, supersteps: never): Promise<unknown>;
}

/** Updates, then looks at everything and goes on. */
async function update(t: Trace, graph: Graph, config: ReturnType<typeof thread>, update: unknown, asNode?: string) {
  t.note('update', { update, asNode });
  await t.outcome('updated', () => graph.updateState(config, update, asNode));
  await t.state(graph, config);
  await t.stream(graph, null, { ...config, ...values });
  await t.history(graph, config);
}

async function bulk(t: Trace, graph: Updatable, config: ReturnType<typeof thread>, supersteps: unknown): Promise<void> {
  await t.outcome('bulk', () => graph.bulkUpdateState(config, supersteps as never));
  await t.state(graph, config);
  await t.history(graph, config);
}

program('an update as START runs its edges', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await update(t, graph, thread(), { log: ['as start'] }, lg.START);
  await t.saved(memory);
});

program('__end__ with values is no node', async (lg, t) => {
  const graph = chain(lg);
  await graph.invoke({ log: [] }, thread());
  await update(t, graph, thread(), { log: ['x'] }, lg.END);
});

program('__end__ finishes a thread that waits at a breakpoint, one that asks and one that is new', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory, interruptBefore: ['b'] });
  await graph.invoke({ log: [] }, thread());
  await update(t, graph, thread(), null, lg.END);
  await t.saved(memory);
  await update(t, graph, thread('new'), null, lg.END);
  const asks = new lg.StateGraph(list(lg))
    .addNode('ask', () => ({ log: [String(lg.interrupt('?'))] }))
    .addNode('done', says('done'))
    .addNode('after', says('after'))
    .addEdge(lg.START, 'ask')
    .addEdge(lg.START, 'done')
    .addEdge('ask', 'after')
    .addEdge('done', 'after')
    .compile({ checkpointer: saver() });
  await asks.invoke({ log: [] }, thread());
  await update(t, asks, thread(), null, lg.END);
});

program('__end__ keeps metadata that the checkpoint and the caller brought', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory, interruptBefore: ['b'] });
  await graph.invoke({ log: [] }, thread());
  await t.outcome('end', () => graph.updateState({ ...thread(), metadata: { by: 'caller' } }, null, lg.END));
  await t.outcome('a', () => graph.updateState({ ...thread(), metadata: { by: 'caller' } }, { log: ['x'] }, 'a'));
  await t.saved(memory);
});

program('__end__ at an old checkpoint', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  const states = await collect(graph.getStateHistory(thread()));
  const before = states.find(({ next }) => next[0] === 'b');
  await t.outcome('end', () => graph.updateState(before?.config ?? {}, null, lg.END));
  await t.saved(memory);
  await t.state(graph, thread());
});

program('__copy__ of the head, of an old checkpoint, of a copy, and of nothing', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await t.outcome('nothing', () => graph.updateState(thread(), null, '__copy__'));
  await graph.invoke({ log: [] }, thread());
  const states = await collect(graph.getStateHistory(thread()));
  const before = states.find(({ next }) => next[0] === 'b')?.config ?? {};
  await t.outcome('head', () => graph.updateState(thread(), null, '__copy__'));
  const copy = await graph.updateState(before, null, '__copy__');
  t.note('copy', copy);
  await t.outcome('copy of the copy', () => graph.updateState(copy, null, '__copy__'));
  await t.state(graph, copy);
  await t.saved(memory);
  await t.stream(graph, null, { ...copy, ...values });
  await t.history(graph, thread());
});

program('__copy__ of the first checkpoint', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const states = await collect(graph.getStateHistory(thread()));
  await t.outcome('copy', () => graph.updateState(states.at(-1)?.config ?? {}, null, '__copy__'));
  await t.saved(memory);
  await t.stream(graph, null, { ...thread(), ...values });
});

program('__copy__ with the writes of nodes', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('fan', () => new lg.Command({ goto: [new lg.Send('work', '1'), new lg.Send('work', '2')] }), {
      ends: ['work'] as never,
    })
    .addNode('work', (state) => ({ log: [`work ${JSON.stringify(state)}`] }))
    .addNode('side', says('side'))
    .addNode('last', says('last'))
    .addEdge(lg.START, 'fan')
    .addEdge('fan', 'side')
    .addEdge('work', 'last')
    .compile({ checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  const states = await collect(graph.getStateHistory(thread()));
  const before = states.find(({ next }) => next.includes('work'))?.config ?? {};
  for (const writes of [
    [
      [{ log: ['first'] }, 'work'],
      [{ log: ['second'] }, 'work'],
      [{ log: ['beside'] }, 'side'],
    ],
    [[{ log: ['only one'] }, 'work']],
    [[{ log: ['x'] }, 'unknown']],
    [],
    [['not a pair']],
    { log: ['no list'] },
  ]) {
    t.note('writes', writes);
    await t.outcome('copy', async () => {
      const copy = await graph.updateState(before, writes, '__copy__');
      await t.state(graph, copy);
      return copy;
    });
  }
  await t.saved(memory);
});

program('__input__ on a new thread, at the end, at a breakpoint, and at an old checkpoint', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory, interruptBefore: ['b'] });
  await update(t, graph, thread('new'), { log: ['input'] }, '__input__');
  await graph.invoke({ log: ['in'] }, thread());
  await update(t, graph, thread(), { log: ['input'] }, '__input__');
  const states = await collect(graph.getStateHistory(thread()));
  await t.outcome('old', () => graph.updateState(states[2]?.config ?? {}, { log: ['to the old'] }, '__input__'));
  await t.saved(memory);
  await t.stream(graph, null, { ...thread(), ...values });
});

program('__input__ without values', async (lg, t) => {
  const graph = chain(lg);
  await graph.invoke({ log: ['in'] }, thread());
  for (const nothing of [null, undefined]) {
    await t.outcome('update', () => graph.updateState(thread(), nothing, '__input__'));
  }
  await t.state(graph, thread());
});

program('no values and no node: an empty checkpoint, also on a new thread and an old checkpoint', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await update(t, graph, thread('new'), null);
  await t.saved(memory, thread('new'));
  await graph.invoke({ log: ['in'] }, thread());
  await update(t, graph, thread(), undefined);
  const states = await collect(graph.getStateHistory(thread()));
  const before = states.find(({ next }) => next[0] === 'b')?.config ?? {};
  await t.outcome('old', () => graph.updateState(before, null));
  await t.saved(memory);
});

program('no values as a node: its edges still lead on', async (lg, t) => {
  const graph = chain(lg);
  await graph.invoke({ log: ['in'] }, thread());
  await update(t, graph, thread(), null, 'a');
  await update(t, graph, thread(), undefined, 'b');
});

program('the last writer after a barrier, a loop and Sends', async (lg, t) => {
  const joined = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(['a', 'b'], 'join')
    .compile({ checkpointer: saver() });
  await joined.invoke({ log: [] }, thread());
  await t.outcome('join', () => joined.updateState(thread(), { log: ['x'] }));
  await t.state(joined, thread());
  const sent = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('work', says('work'))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => [new lg.Send('work', {})], ['work'])
    .compile({ checkpointer: saver() });
  await sent.invoke({ log: [] }, thread());
  await t.outcome('sent', () => sent.updateState(thread(), { log: ['x'] }));
  await t.state(sent, thread());
  const loop = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addConditionalEdges('b', ({ log }) => (log.length < 5 ? 'a' : lg.END))
    .compile({ checkpointer: saver() });
  await loop.invoke({ log: [] }, thread());
  await t.outcome('loop', () => loop.updateState(thread(), { log: ['x'] }));
  await t.state(loop, thread());
});

program('the last writer at a breakpoint, and after an update', async (lg, t) => {
  const graph = chain(lg, { interruptAfter: ['a'] });
  await graph.invoke({ log: [] }, thread());
  await t.outcome('after the breakpoint', () => graph.updateState(thread(), { log: ['x'] }));
  await t.outcome('after the update', () => graph.updateState(thread(), { log: ['y'] }));
  await t.outcome('as c', () => graph.updateState(thread(), { log: ['z'] }, 'c'));
  await t.outcome('after c', () => graph.updateState(thread(), { log: ['w'] }));
  await t.history(graph, thread());
});

program('bulkUpdateState: a thread from nothing', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await bulk(t, graph, thread(), [
    { updates: [{ values: { log: ['in'] }, asNode: '__input__' }] },
    { updates: [{ values: { log: ['in'] }, asNode: lg.START }] },
    { updates: [{ values: { log: ['a'] }, asNode: 'a' }] },
    { updates: [{ values: { log: ['b'] } }] },
  ]);
  await t.saved(memory);
  await t.stream(graph, null, { ...thread(), ...values });
});

program('bulkUpdateState: several writers in one step', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(['a', 'b'], 'join')
    .compile({ checkpointer: memory });
  await bulk(t, graph, thread(), [
    { updates: [{ values: { log: ['in'] }, asNode: lg.START }] },
    {
      updates: [
        { values: { log: ['as b'] }, asNode: 'b' },
        { values: { log: ['as a'], note: 'from a' }, asNode: 'a' },
        { values: { log: ['as a again'] }, asNode: 'a' },
      ],
    },
  ]);
  await t.saved(memory);
  await t.stream(graph, null, { ...thread(), ...values });
});

program('bulkUpdateState: what cannot be', async (lg, t) => {
  const graph = chain(lg);
  const one = { values: { log: ['x'] }, asNode: 'a' };
  for (const supersteps of [
    [],
    [{ updates: [] }],
    [{ updates: [one] }, { updates: [] }],
    [{ updates: [one, { values: { log: ['y'] } }] }],
    [{ updates: [{ values: { log: ['y'] } }, one] }],
    [{ updates: [{ values: null }, one] }],
    [{ updates: [{ values: null, asNode: lg.END }, one] }],
    [{ updates: [{ values: null, asNode: '__copy__' }, one] }],
    [{ updates: [{ values: { log: [] }, asNode: '__input__' }, one] }],
    [{ updates: [one, { values: { log: [] }, asNode: '__input__' }] }],
    [{ updates: [one, { values: null, asNode: lg.END }] }],
    [
      {
        updates: [
          { values: { note: '1' }, asNode: 'a' },
          { values: { note: '2' }, asNode: 'b' },
        ],
      },
    ],
  ]) {
    t.note('supersteps', supersteps);
    await t.outcome('bulk', () => graph.bulkUpdateState(thread(), supersteps));
    await t.state(graph, thread());
  }
});

program('bulkUpdateState: a step that fails leaves those before it', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await bulk(t, graph, thread(), [
    { updates: [{ values: { log: ['a'] }, asNode: 'a' }] },
    { updates: [{ values: { log: ['b'] }, asNode: 'nowhere' }] },
    { updates: [{ values: { log: ['c'] }, asNode: 'c' }] },
  ]);
  await t.saved(memory);
});

program('bulkUpdateState: upon an old checkpoint, and with the special writers in a row', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const states = await collect(graph.getStateHistory(thread()));
  const before = states.find(({ next }) => next[0] === 'b')?.config ?? {};
  await t.outcome('bulk', () =>
    graph.bulkUpdateState(before, [
      { updates: [{ values: null, asNode: '__copy__' }] },
      { updates: [{ values: { log: ['as b'] }, asNode: 'b' }] },
      { updates: [{ values: null }] },
      { updates: [{ values: null, asNode: lg.END }] },
      { updates: [{ values: { log: ['again'] }, asNode: '__input__' }] },
    ] as never),
  );
  await t.saved(memory);
  await t.stream(graph, null, { ...thread(), ...values });
});

program('an update that is a Command', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  for (const [id, command] of [
    ['update', { update: { log: ['by command'] } }],
    ['goto', { goto: 'c' }],
    ['both', { update: { log: ['by command'] }, goto: ['c', new lg.Send('b', { log: ['sent'] })] }],
    ['resume', { resume: 'x' }],
    ['parent', { graph: lg.Command.PARENT, update: { log: ['up'] } }],
  ] as const) {
    t.note('command', id);
    await graph.invoke({ log: ['in'] }, thread(id));
    await t.outcome('update', () => graph.updateState(thread(id), new lg.Command(command as never), 'a'));
    await t.state(graph, thread(id));
    await t.saved(memory, thread(id));
    await t.stream(graph, null, { ...thread(id), ...values });
  }
});

program('updates of other shapes', async (lg, t) => {
  const graph = chain(lg);
  await graph.invoke({ log: ['in'] }, thread());
  for (const update of [
    { unknown: 1 },
    { log: undefined },
    { note: undefined },
    {},
    [],
    0,
    '',
    [['log', ['pair']]],
    new lg.Send('c', { log: [] }),
    { log: new lg.Overwrite(['over']) },
  ]) {
    await t.outcome('update', () => graph.updateState(thread(), update, 'b'));
    await t.state(graph, thread());
  }
});

program('an update whose router throws or sends', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', (state) => ({ log: [`b ${JSON.stringify(state)}`] }))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', ({ note, log }, config) => {
      if (note === 'bad') throw new RangeError('no way');
      t.note('router', { log, thread: config.configurable?.thread_id as string });
      return [new lg.Send('b', { log: ['1'] }), new lg.Send('b', { note: '2' })];
    })
    .compile({ checkpointer: memory });
  await t.outcome('bad', () => graph.updateState(thread(), { note: 'bad' }, 'a'));
  await t.state(graph, thread());
  await update(t, graph, thread(), { note: 'good' }, 'a');
  await t.saved(memory);
});

program('an update during a pause of several tasks: in place of one, of both, of none', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('one', () => ({ log: [`one ${String(lg.interrupt('one?'))}`] }))
    .addNode('two', () => ({ log: [`two ${String(lg.interrupt('two?'))}`] }))
    .addNode('done', says('done'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'one')
    .addEdge(lg.START, 'two')
    .addEdge(lg.START, 'done')
    .addEdge(['one', 'two', 'done'], 'join')
    .compile({ checkpointer: memory });
  for (const [id, updates] of Object.entries({
    'in place of one': [{ values: { log: ['by hand'] }, asNode: 'one' }],
    'in place of both': [
      { values: { log: ['hand 1'] }, asNode: 'one' },
      { values: { log: ['hand 2'] }, asNode: 'two' },
    ],
    'of a finished one': [{ values: { log: ['more'] }, asNode: 'done' }],
    nobody: [{ values: { log: ['x'] } }],
    'empty checkpoint': [{ values: null }],
  })) {
    t.note('update', id);
    await graph.invoke({ log: [] }, thread(id));
    await t.outcome('update', () => graph.bulkUpdateState(thread(id), [{ updates }] as never));
    await t.state(graph, thread(id));
    await t.stream(graph, new lg.Command({ resume: 'answer' }), { ...thread(id), ...values });
    await t.stream(graph, null, { ...thread(id), ...values });
    await t.history(graph, thread(id));
    await t.saved(memory, thread(id));
  }
});

program('an update while a thread waits with a Command written to it', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('ask', () => ({ log: [String(lg.interrupt('1?')), String(lg.interrupt('2?'))] }))
    .addEdge(lg.START, 'ask')
    .compile({ checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  await t.invoke(graph, new lg.Command({ resume: 'first', update: { log: ['beside'] } }), thread());
  await t.state(graph, thread());
  await update(t, graph, thread(), { log: ['edit'] }, lg.START);
  await t.saved(memory);
});

program('an update with no thread, and with no checkpointer', async (lg, t) => {
  const graph = chain(lg);
  await t.outcome('no thread', () => graph.updateState({ configurable: {} }, { log: [] }, 'a'));
  await t.outcome('no configurable', () => graph.updateState({}, { log: [] }, 'a'));
  const none = chain(lg, { checkpointer: undefined });
  await t.outcome('none', () => none.bulkUpdateState(thread(), []));
  await t.outcome('false', () => chain(lg, { checkpointer: false }).updateState(thread(), {}, 'a'));
  await t.outcome('true', () => chain(lg, { checkpointer: true }).updateState(thread(), {}, 'a'));
  await t.state(chain(lg, { checkpointer: true }), thread());
  await t.history(chain(lg, { checkpointer: true }), thread());
});

program('an update reaches a bound config', async (lg, t) => {
  const graph = chain(lg).withConfig(thread('bound'));
  await t.outcome('update', () => graph.updateState({}, { log: ['x'] }, 'a'));
  await t.state(graph, thread('bound'));
  await t.history(graph, {});
  await t.outcome('invoke', () => graph.invoke({ log: [] }));
});

program('an update names a checkpoint that is not there', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const nowhere = thread('thread-1', { checkpoint_id: '1f000000-0000-6000-8000-000000000000' });
  await t.outcome('update', () => graph.updateState(nowhere, { log: ['x'] }, 'a'));
  await t.state(graph, nowhere);
  await t.invoke(graph, null, nowhere);
  await t.invoke(graph, { log: ['y'] }, nowhere);
  await t.saved(memory);
});

program('a checkpoint named by its id is edited without what a Command wrote to it', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => ({ log: ['a'] }), { ends: ['b'] })
    .addNode('b', () => ({ log: ['b'] }))
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: ['in'] }, thread());
  const { config } = await graph.getState(thread());
  await t.invoke(graph, new lg.Command({ goto: 'b', update: { log: ['command'] } }), thread());
  const edited = await graph.updateState(config, { log: ['edited'] }, 'a');
  await t.state(graph, edited);
  await t.saved(memory);
});
