// interrupt() and its answers, breakpoints, and what is seen of a run that waits.
import { program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';
import { chain, list, says } from './log-state.js';

const both = { streamMode: ['values', 'updates'] };

/** a → ask → b */
const asking = (lg: Library, checkpointer?: ReturnType<typeof saver>, ask?: () => object) =>
  new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('ask', ask ?? (() => ({ log: [`answer ${JSON.stringify(lg.interrupt({ question: 'go on?' }))}`] })))
    .addNode('b', says('b'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'ask')
    .addEdge('ask', 'b')
    .compile({ checkpointer });

program('an interrupt in every mode', async (lg, t) => {
  await t.everyMode(asking(lg, saver()), { log: ['in'] });
});

program('an interrupt, its state, and the resume', async (lg, t) => {
  const memory = saver();
  const graph = asking(lg, memory);
  await t.invoke(graph, { log: ['in'] }, thread());
  await t.state(graph, thread());
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: 'yes' }), {
    ...thread(),
    streamMode: ['values', 'updates', 'tasks', 'checkpoints', 'debug'],
  });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.history(graph, thread());
});

program('answers of many kinds', async (lg, t) => {
  for (const resume of ['text', 7, { a: 1 }, ['list'], true, 0, false, '', null, undefined]) {
    const graph = asking(lg, saver());
    t.note('resume', resume);
    await t.invoke(graph, { log: [] }, thread());
    await t.invoke(graph, new lg.Command({ resume }), thread());
  }
});

program('interrupt needs a checkpointer and a graph', async (lg, t) => {
  await t.invoke(asking(lg), { log: [] });
  await t.outcome('outside', () => lg.interrupt('x'));
});

program('several questions of one node are answered one by one', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const graph = asking(lg, memory, () => {
    runs += 1;
    const first = lg.interrupt('first?');
    const second = lg.interrupt('second?');
    return { log: [`${String(first)}-${String(second)}`] };
  });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: '1' }), { ...thread(), ...both });
  await t.state(graph, thread());
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: '2' }), { ...thread(), ...both });
  await t.state(graph, thread());
  t.note('runs', runs);
});

const parallel = (lg: Library, memory: ReturnType<typeof saver>) =>
  new lg.StateGraph(list(lg))
    .addNode('a', () => ({ log: [`a ${String(lg.interrupt('a?'))}`] }))
    .addNode('b', () => ({ log: [`b ${String(lg.interrupt('b?'))}`] }))
    .addNode('c', says('c'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(lg.START, 'c')
    .addEdge(['a', 'b', 'c'], 'join')
    .compile({ checkpointer: memory });

program('two waiting tasks and a finished sibling', async (lg, t) => {
  const memory = saver();
  const graph = parallel(lg, memory);
  await t.invoke(graph, { log: ['in'] }, thread());
  await t.state(graph, thread());
  await t.history(graph, thread());
  await t.saved(memory);
  await t.stream(graph, new lg.Command({ resume: 'one for all' }), { ...thread(), ...both });
  await t.state(graph, thread());
});

program('answers by interrupt id', async (lg, t) => {
  const memory = saver();
  const graph = parallel(lg, memory);
  const waiting = (await graph.invoke({ log: [] }, thread())) as unknown as {
    __interrupt__: { id: string; value: string }[];
  };
  const idOf = (value: string) => waiting.__interrupt__.find((one) => one.value === value)?.id ?? '';
  await t.stream(graph, new lg.Command({ resume: { [idOf('b?')]: 'B' } }), { ...thread(), ...both });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: { [idOf('a?')]: 'A' } }), { ...thread(), ...both });
  await t.state(graph, thread());
});

program('both answers at once by interrupt id', async (lg, t) => {
  const graph = parallel(lg, saver());
  const waiting = (await graph.invoke({ log: [] }, thread())) as unknown as {
    __interrupt__: { id: string; value: string }[];
  };
  const resume = Object.fromEntries(waiting.__interrupt__.map(({ id, value }) => [id, `to ${value}`]));
  await t.stream(graph, new lg.Command({ resume }), { ...thread(), ...both });
});

program('an interrupt in tasks that were sent', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('work', (state: { item: string }) => ({ log: [`${state.item} ${String(lg.interrupt(state.item))}`] }))
    .addConditionalEdges(lg.START, () => ['x', 'y'].map((item) => new lg.Send('work', { item })))
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread());
  const waiting = (await graph.getState(thread())).tasks.flatMap((task) => task.interrupts);
  await t.stream(graph, new lg.Command({ resume: { [waiting[1]?.id ?? '']: 'second' } }), { ...thread(), ...both });
  await t.state(graph, thread());
  await t.stream(graph, new lg.Command({ resume: 'first' }), { ...thread(), ...both });
});

program('resume with an update, and with goto', async (lg, t) => {
  for (const command of [
    { resume: 'r', update: { log: ['updated'] } },
    { resume: 'r', goto: 'b' },
    { update: { log: ['u'] } },
    { goto: 'b' },
  ]) {
    const memory = saver();
    const graph = asking(lg, memory);
    t.note('command', command);
    await t.invoke(graph, { log: [] }, thread());
    await t.stream(graph, new lg.Command(command), { ...thread(), streamMode: 'values' });
    await t.state(graph, thread());
    await t.saved(memory);
  }
});

program('new input on a waiting thread starts over on the kept state', async (lg, t) => {
  const memory = saver();
  const graph = asking(lg, memory);
  await t.invoke(graph, { log: ['one'] }, thread());
  await t.stream(graph, { log: ['two'] }, { ...thread(), ...both });
  await t.saved(memory);
  await t.history(graph, thread());
});

program('null input on a waiting thread asks again', async (lg, t) => {
  const graph = asking(lg, saver());
  await t.invoke(graph, { log: [] }, thread());
  await t.stream(graph, null, { ...thread(), ...both });
  await t.state(graph, thread());
});

program('a resume of a finished thread', async (lg, t) => {
  const graph = asking(lg, saver());
  await t.invoke(graph, { log: [] }, thread());
  await t.invoke(graph, new lg.Command({ resume: 'x' }), thread());
  await t.stream(graph, new lg.Command({ resume: 'late' }), { ...thread(), ...both });
  await t.state(graph, thread());
});

program('a caught interrupt still stops, if thrown again', async (lg, t) => {
  const graph = asking(lg, saver(), () => {
    try {
      return { log: [String(lg.interrupt('q'))] };
    } catch (error) {
      t.note('guards', [lg.isGraphInterrupt(error), lg.isGraphBubbleUp(error), lg.isParentCommand(error)]);
      throw error;
    }
  });
  await t.invoke(graph, { log: [] }, thread());
  await t.invoke(graph, new lg.Command({ resume: 'fine' }), thread());
});

program('NodeInterrupt', async (lg, t) => {
  let asked = false;
  const graph = asking(lg, saver(), () => {
    if (asked) return { log: ['went on'] };
    asked = true;
    throw new lg.NodeInterrupt('stop');
  });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...both });
});

program('an interrupted node that fails when it goes on can go on again', async (lg, t) => {
  let fail = true;
  const graph = asking(lg, saver(), () => {
    const answer = lg.interrupt('q');
    if (fail) throw new Error('after the answer');
    return { log: [String(answer)] };
  });
  await t.invoke(graph, { log: [] }, thread());
  await t.invoke(graph, new lg.Command({ resume: 'kept' }), thread());
  await t.state(graph, thread());
  fail = false;
  await t.stream(graph, null, { ...thread(), ...both });
});

program('isInterrupted tells', async (lg, t) => {
  const graph = asking(lg, saver());
  t.note('waiting', lg.isInterrupted(await graph.invoke({ log: [] }, thread())));
  t.note('done', lg.isInterrupted(await graph.invoke(new lg.Command({ resume: 'x' }), thread())));
});

async function stepThrough(t: Trace, graph: Graph, steps: number): Promise<void> {
  await t.stream(graph, { log: ['in'] }, { ...thread(), streamMode: ['values', 'updates', 'tasks', 'debug'] });
  await t.state(graph, thread());
  for (let step = 0; step < steps; step += 1) {
    await t.stream(graph, null, { ...thread(), ...both });
    await t.state(graph, thread());
  }
}

program('interruptBefore a node', (lg, t) => stepThrough(t, chain(lg, { interruptBefore: ['b'] }), 2));
program('interruptAfter a node', (lg, t) => stepThrough(t, chain(lg, { interruptAfter: ['b'] }), 2));
program('interruptBefore the first and after the last node', (lg, t) =>
  stepThrough(t, chain(lg, { interruptBefore: ['a'], interruptAfter: ['c'] }), 3),
);
program('interruptBefore every node', (lg, t) => stepThrough(t, chain(lg, { interruptBefore: '*' }), 4));
program('interruptAfter every node', (lg, t) => stepThrough(t, chain(lg, { interruptAfter: '*' }), 4));
program('both around one node', (lg, t) =>
  stepThrough(t, chain(lg, { interruptBefore: ['b'], interruptAfter: ['b'] }), 3),
);

program('breakpoints given at the call', async (lg, t) => {
  const graph = chain(lg, { interruptBefore: ['a'] });
  await t.stream(graph, { log: [] }, { ...thread(), ...both, interruptBefore: ['c'] });
  await t.stream(graph, null, { ...thread(), ...both, interruptAfter: '*' });
  await t.state(graph, thread());
});

program('breakpoints in every mode', async (lg, t) => {
  await t.everyMode(chain(lg, { interruptBefore: ['b'], interruptAfter: ['a'] }), { log: [] });
});

program('an edit at a breakpoint, then on', async (lg, t) => {
  const graph = chain(lg, { interruptBefore: ['b'] });
  await t.invoke(graph, { log: [] }, thread());
  await t.outcome('edit', () => graph.updateState(thread(), { log: ['edited'] }));
  await t.state(graph, thread());
  await t.stream(graph, null, { ...thread(), ...both });
  await t.history(graph, thread());
});
