// Runs that start from another checkpoint than the thread's head.
import type { RunnableConfig } from '@langchain/core/runnables';
import { collect, program, saver, thread, type Graph } from './harness.js';
import type { Library } from './library.js';
import { chain, list, says } from './log-state.js';

const all = { streamMode: ['values', 'updates', 'checkpoints', 'tasks'] };
const both = { streamMode: ['values', 'updates'], subgraphs: true };

/** start → ask → end; `ask` asks twice if `questions` has two. */
const asking = (lg: Library, questions: readonly string[], options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('start', says('start'))
    .addNode('ask', () => ({ log: questions.map((question) => `${question} ${String(lg.interrupt(question))}`) }))
    .addNode('end', says('end'))
    .addEdge(lg.START, 'start')
    .addEdge('start', 'ask')
    .addEdge('ask', 'end')
    .compile({ checkpointer: saver(), ...options });

interface Seen {
  readonly next: readonly string[];
  readonly config: RunnableConfig;
  readonly metadata?: { readonly source?: string };
}

/** The newest of the states before `node`. */
async function before(graph: Graph, node: string, config: RunnableConfig = thread()): Promise<RunnableConfig> {
  const states = (await collect(graph.getStateHistory(config))) as Seen[];
  return states.find(({ next }) => next.includes(node))?.config ?? {};
}

program('from each checkpoint of a finished thread', async (lg, t) => {
  const graph = chain(lg);
  await graph.invoke({ log: ['in'] }, thread());
  const states = await collect(graph.getStateHistory(thread()));
  for (const { config } of states) await t.stream(graph, null, { ...config, ...all });
  await t.history(graph, thread());
});

program('the same fork twice, and a fork of a fork', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const at = await before(graph, 'b');
  await t.stream(graph, null, { ...at, ...all });
  await t.stream(graph, null, { ...at, ...all });
  const fork = ((await collect(graph.getStateHistory(thread()))) as Seen[]).find(
    ({ metadata }) => metadata?.source === 'fork',
  );
  await t.stream(graph, null, { ...fork?.config, ...all });
  await t.saved(memory);
});

program('new input at an old checkpoint, and a Command there', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const at = await before(graph, 'b');
  await t.stream(graph, { log: ['fresh'] }, { ...at, ...all });
  await t.stream(graph, new lg.Command({ update: { log: ['updated'] } }), { ...at, ...all });
  await t.stream(graph, new lg.Command({ goto: 'c' }), { ...at, streamMode: 'values' });
  await t.stream(graph, new lg.Command({ resume: 'nobody asks' }), { ...at, ...all });
  await t.stream(graph, {}, { ...at, ...all });
  await t.saved(memory);
  await t.history(graph, thread());
});

program('the answer given with the id of the checkpoint that asks', async (lg, t) => {
  const memory = saver();
  const graph = asking(lg, ['q?'], { checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  const { config } = await graph.getState(thread());
  await t.stream(graph, new lg.Command({ resume: 'at the head' }), { ...config, ...all });
  await t.stream(graph, new lg.Command({ resume: 'again, now old' }), { ...config, ...all });
  await t.stream(graph, null, { ...config, ...all });
  await t.stream(graph, new lg.Command({ resume: 'to the fork' }), { ...thread(), ...all });
  await t.saved(memory);
  await t.history(graph, thread());
});

program('an answer with the id of an older checkpoint than the one that asks', async (lg, t) => {
  const memory = saver();
  const graph = asking(lg, ['q?'], { checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  const at = await before(graph, 'start');
  await t.stream(graph, new lg.Command({ resume: 'early' }), { ...at, ...all });
  await t.state(graph, thread());
  await t.saved(memory);
});

program('a node that asks twice, run again after one answer and after two', async (lg, t) => {
  const memory = saver();
  const graph = asking(lg, ['1?', '2?'], { checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  await graph.invoke(new lg.Command({ resume: 'one' }), thread());
  const at = await before(graph, 'ask');
  await t.stream(graph, null, { ...at, ...all });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'first' }), { ...thread(), ...all });
  await t.stream(graph, new lg.Command({ resume: 'second' }), { ...thread(), ...all });
  await t.stream(graph, null, { ...at, ...all });
  await t.saved(memory);
});

program('back to before two nodes ask, one of them answered', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('one', () => ({ log: [`one ${String(lg.interrupt('one?'))}`] }))
    .addNode('two', () => ({ log: [`two ${String(lg.interrupt('two?'))}`] }))
    .addNode('done', says('done'))
    .addEdge(lg.START, 'one')
    .addEdge(lg.START, 'two')
    .addEdge(lg.START, 'done')
    .compile({ checkpointer: memory });
  const waiting = (await graph.invoke({ log: [] }, thread())) as unknown as { __interrupt__: { id: string }[] };
  await graph.invoke(new lg.Command({ resume: { [waiting.__interrupt__[0]?.id ?? '']: 'A' } }), thread());
  const at = await before(graph, 'one');
  await t.stream(graph, null, { ...at, ...both });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'for both' }), { ...thread(), ...both });
  await t.saved(memory);
});

program('from an edit: of the head, of an old checkpoint, as a node and empty', async (lg, t) => {
  for (const [id, values, asNode] of [
    ['as a node', { log: ['edit'] }, 'a'],
    ['as whoever', { log: ['edit'] }, undefined],
    ['empty', null, undefined],
    ['copy', null, '__copy__'],
    ['input', { log: ['edit'] }, '__input__'],
    ['end', null, lg.END],
  ] as const) {
    const memory = saver();
    const graph = chain(lg, { checkpointer: memory });
    t.note('edit', id);
    await graph.invoke({ log: ['in'] }, thread());
    const edited = await graph.updateState(await before(graph, 'b'), values, asNode);
    t.note('edited', edited);
    await t.state(graph, edited);
    await t.stream(graph, null, { ...edited, streamMode: ['values', 'checkpoints'] });
    await t.stream(graph, null, { ...edited, streamMode: ['values', 'checkpoints'] });
    await t.history(graph, thread());
    await t.saved(memory);
  }
});

program('an edit of the checkpoint that asks, then the answer or nothing', async (lg, t) => {
  for (const input of [null, 'answer'] as const) {
    const memory = saver();
    const graph = asking(lg, ['q?'], { checkpointer: memory });
    await graph.invoke({ log: [] }, thread());
    await graph.invoke(new lg.Command({ resume: 'old answer' }), thread());
    const edited = await graph.updateState(await before(graph, 'ask'), { log: ['edit'] });
    const given = (): unknown => (input === null ? null : new lg.Command({ resume: input }));
    await t.stream(graph, given(), { ...edited, ...all });
    await t.state(graph, thread());
    await t.stream(graph, given(), { ...thread(), ...all });
    await t.saved(memory);
  }
});

program('Sends are sent again', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode('plan', says('plan'))
    .addNode('work', (state) => {
      runs += 1;
      return { log: [`work ${state.log.join()}`] };
    })
    .addNode('end', says('end'))
    .addEdge(lg.START, 'plan')
    .addConditionalEdges('plan', () => ['1', '2'].map((log) => new lg.Send('work', { log: [log] })), ['work'])
    .addEdge('work', 'end')
    .compile({ checkpointer: memory });
  await graph.invoke({ log: [] }, thread());
  const at = await before(graph, 'work');
  await t.stream(graph, null, { ...at, ...all });
  t.note('runs', runs);
  await t.saved(memory);
});

program('breakpoints in a time travel', async (lg, t) => {
  const graph = chain(lg, { interruptBefore: ['b'], interruptAfter: ['b'] });
  await graph.invoke({ log: ['in'] }, thread());
  await graph.invoke(null, thread());
  await graph.invoke(null, thread());
  for (const node of ['a', 'b', 'c']) {
    await t.stream(graph, null, { ...(await before(graph, node)), ...all });
    await t.state(graph, thread());
    await t.stream(graph, null, { ...thread(), ...all });
  }
  await t.history(graph, thread());
});

program('from a checkpoint whose superstep had failed, when it is head and when it is not', async (lg, t) => {
  const memory = saver();
  let fails = true;
  let runs = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('good', () => {
      runs += 1;
      return { log: ['good'] };
    })
    .addNode('bad', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (fails) throw new Error('bad');
      return { log: ['bad'] };
    })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'good')
    .addEdge('a', 'bad')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
  fails = false;
  const { config } = await graph.getState(thread());
  await t.stream(graph, null, { ...config, ...all });
  t.note('runs', runs);
  await t.stream(graph, null, { ...config, ...all });
  t.note('runs', runs);
  await t.saved(memory);
});

program('a thread that goes on after a fork goes on from the fork', async (lg, t) => {
  const graph = chain(lg);
  await graph.invoke({ log: ['in'] }, thread());
  await graph.invoke(null, await before(graph, 'c'));
  await t.stream(graph, { log: ['more'] }, { ...thread(), ...all });
  await t.history(graph, thread());
  await t.history(graph, thread(), { filter: { source: 'fork' } });
});

program('state at a checkpoint, with and without its pending writes', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('ask', () => ({ log: [String(lg.interrupt('?'))] }))
    .addNode('done', says('done'))
    .addEdge(lg.START, 'ask')
    .addEdge(lg.START, 'done')
    .compile({ checkpointer: saver() });
  await graph.invoke({ log: [] }, thread());
  const { config } = await graph.getState(thread());
  await t.state(graph, config);
  await t.state(graph, thread());
  await t.outcome('edit of the named one', () => graph.updateState(config, { log: ['x'] }, 'ask'));
  await t.state(graph, thread());
});

program('time travel with durability exit', async (lg, t) => {
  const memory = saver();
  const graph = chain(lg, { checkpointer: memory });
  await graph.invoke({ log: ['in'] }, thread());
  const at = await before(graph, 'b');
  await t.invoke(graph, null, { ...at, durability: 'exit' });
  await t.saved(memory);
  await t.history(graph, thread());
});
