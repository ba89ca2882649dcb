// Command and Send: from nodes, from routers, as input, to a parent.
import { program, saver, thread } from './harness.js';
import type { Library } from './library.js';
import { says } from './log-state.js';

const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
    item: lg.Annotation<string>(),
  });

program('a Command updates and goes on', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => new lg.Command({ update: { log: ['a'], item: 'x' }, goto: 'c' }), {
      ends: ['c', lg.END] as never,
    })
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: [] });
});

program('goto in its forms', async (lg, t) => {
  const targets: unknown[] = [
    'b',
    ['b', 'c'],
    ['c', 'b'],
    lg.END,
    [lg.END, 'b'],
    [],
    new lg.Send('b', { log: ['sent'] }),
    [new lg.Send('b', { log: ['1'] }), 'c', new lg.Send('b', { log: ['2'] })],
    { node: 'b', args: { log: ['plain'] } },
    'nowhere',
  ];
  const errors = [new lg.Send('nowhere', {}), new lg.Send(lg.END, {}), ['']];
  for (const goto of [...targets, ...errors]) {
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => new lg.Command({ update: { log: 'a' }, goto: goto as never }), { ends: ['b', 'c'] as never })
      .addNode('b', (state) => ({ log: [`b(${state.log.join()})`] }))
      .addNode('c', says('c'))
      .addEdge(lg.START, 'a')
      .compile();
    t.note('goto', goto);
    const streamMode = errors.includes(goto as never) ? 'values' : ['values', 'updates', 'tasks'];
    await t.stream(graph, { log: [] }, { streamMode });
  }
});

program('several Commands of one node', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode(
      'a',
      () => [
        new lg.Command({ update: { log: '1' }, goto: 'b' }),
        { log: 'plain' },
        new lg.Command({ update: { log: '2' }, goto: 'c' }),
      ],
      { ends: ['b', 'c'] as never },
    )
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'a')
    .compile();
  await t.stream(graph, { log: [] }, { streamMode: ['values', 'updates', 'tasks'] });
});

program('Sends fan out and are applied after the nodes that edges trigger', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('w1', (state) => ({ log: [`w1:${state.item}`] }))
    .addNode('w2', (state) => ({ log: [`w2:${state.item}`] }))
    .addNode('z', says('z'))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => [new lg.Send('w2', { item: '2' }), new lg.Send('w1', { item: '1' }), 'z'])
    .compile({ checkpointer: saver() });
  await t.everyMode(graph, { log: [] });
});

program('map-reduce over Sends to one node', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('split', says('split'))
    .addNode('work', (state: { item: string }) => ({ log: [`work ${state.item}`] }))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'split')
    .addConditionalEdges('split', () => ['x', 'y', 'z'].map((item) => new lg.Send('work', { item })), ['work'])
    .addEdge('work', 'join')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: ['values', 'updates', 'tasks', 'checkpoints'] });
  await t.saved(memory);
  await t.history(graph, thread());
});

program('Sends from START, from Sends, and of odd arguments', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('work', (state: unknown) => (t.note('work got', state), { log: ['work'] }))
    .addNode('more', (state: unknown) => (t.note('more got', state), { log: ['more'] }))
    .addConditionalEdges(lg.START, () => [
      new lg.Send('work', 'text'),
      new lg.Send('work', { item: 1 }),
      new lg.Send('work', [1]),
    ])
    .addConditionalEdges('work', () => new lg.Send('more', { nested: ['x'] }))
    .compile();
  await t.stream(graph, { log: [] }, { streamMode: ['updates', 'values'] });
});

program('a router maps labels and lets Sends pass', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', (state) => ({ log: [`b:${state.item}`] }))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => ['label', new lg.Send('b', { item: 'sent' })], { label: 'b' })
    .compile();
  await t.stream(graph, { log: [], item: 'state' }, { streamMode: ['updates', 'values'] });
});

program('a Command as input updates and goes', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: ['in'] }, thread());
  await t.stream(graph, new lg.Command({ update: { log: ['command'] }, goto: 'b' }), {
    ...thread(),
    streamMode: ['values', 'updates', 'debug'],
  });
  await t.stream(graph, new lg.Command({ update: { log: ['only update'] } }), {
    ...thread(),
    streamMode: ['values', 'updates'],
  });
  await t.stream(graph, new lg.Command({ goto: new lg.Send('b', { log: ['sent'] }) }), {
    ...thread(),
    streamMode: ['values', 'updates'],
  });
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ update: { log: ['x'] } }), { ...thread('new'), streamMode: 'values' });
});

program('a Command to the parent that finds none ends its task, and the run goes on', async (lg, t) => {
  const memory = saver();
  const inner = new lg.StateGraph(list(lg))
    .addNode('leaves', () => new lg.Command({ graph: lg.Command.PARENT, goto: 'nowhere', update: { log: ['lost'] } }))
    .addEdge(lg.START, 'leaves')
    .compile({ checkpointer: true });
  const graph = new lg.StateGraph(list(lg))
    .addNode('leaves', () => new lg.Command({ graph: lg.Command.PARENT, goto: 'nowhere', update: { log: ['lost'] } }))
    .addNode('calls', async (_state, config) => {
      await inner.invoke({ log: [] }, config);
      return { log: ['not reached'] };
    })
    .addNode('stays', says('stays'))
    .addNode('goes on', says('goes on'))
    .addEdge(lg.START, 'leaves')
    .addEdge(lg.START, 'calls')
    .addEdge(lg.START, 'stays')
    .addEdge('leaves', 'goes on')
    .addEdge('stays', 'goes on')
    .addEdge('goes on', lg.END)
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: ['in'] }, { ...thread(), streamMode: ['values', 'updates', 'tasks', 'checkpoints'] });
  await t.state(graph, thread());
  await t.saved(memory);
});

program('Commands that are no input', async (lg, t) => {
  const graph = (checkpointer?: ReturnType<typeof saver>) =>
    new lg.StateGraph(list(lg)).addNode('a', says('a')).addEdge(lg.START, 'a').compile({ checkpointer });
  await t.invoke(graph(saver()), new lg.Command({}), thread());
  await t.invoke(graph(saver()), new lg.Command({ graph: lg.Command.PARENT, goto: 'a' }), thread());
  await t.invoke(graph(saver()), new lg.Command({ resume: 'x' }), thread());
  await t.invoke(graph(), new lg.Command({ resume: 'x' }));
  await t.invoke(graph(saver()), new lg.Command({ goto: 'nowhere' }), thread());
  await t.invoke(graph(saver()), new lg.Command({ goto: new lg.Send('nowhere', {}) }), thread());
  await t.invoke(graph(saver()), null, thread());
});

program('what Command and Send are made of', async (lg, t) => {
  const command = new lg.Command({ resume: 1, update: { a: 1 }, goto: ['x', new lg.Send('y', { z: 1 })] });
  t.note('json', JSON.parse(JSON.stringify(command)));
  t.note('one goto', JSON.parse(JSON.stringify(new lg.Command({ goto: 'x' }))));
  t.note('no goto', JSON.parse(JSON.stringify(new lg.Command({}))));
  t.note('is one', [
    lg.isCommand(command),
    lg.isCommand({ lg_name: 'Command' }),
    lg.isCommand(null),
    lg.isCommand('x'),
  ]);
  t.note('parent', lg.Command.PARENT);
});
