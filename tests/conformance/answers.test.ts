// Answers to questions: which task gets which, at any depth, and what is asked again.
import { z } from 'zod';
import { program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';
import { list, says } from './log-state.js';

const both = { streamMode: ['values', 'updates'], subgraphs: true };

/** A node that asks these one after the other. */
const asks =
  (lg: Library, ...questions: readonly string[]) =>
  () => ({ log: questions.map((question) => `${question} ${JSON.stringify(lg.interrupt(question))}`) });

interface Asked {
  readonly id: string;
  readonly value: unknown;
}

async function questions(graph: Graph, input: unknown, config: object = thread()): Promise<readonly Asked[]> {
  const { __interrupt__: asked = [] } = (await graph.invoke(input, config as never)) as { __interrupt__?: Asked[] };
  return asked;
}

const idOf = (asked: readonly Asked[], value: unknown): string => asked.find((one) => one.value === value)?.id ?? '';

async function answer(t: Trace, graph: Graph, lg: Library, resume: unknown): Promise<void> {
  await t.stream(graph, new lg.Command({ resume }), { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
}

const parallel = (lg: Library, checkpointer = saver()) =>
  new lg.StateGraph(list(lg))
    .addNode('a', asks(lg, 'a1?', 'a2?'))
    .addNode('b', asks(lg, 'b1?'))
    .addNode('c', asks(lg, 'c1?', 'c2?'))
    .addNode('join', says('join'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(lg.START, 'c')
    .addEdge(['a', 'b', 'c'], 'join')
    .compile({ checkpointer });

program('three tasks with five questions, answered one map at a time', async (lg, t) => {
  const graph = parallel(lg);
  let asked = await questions(graph, { log: [] });
  t.note('asked', asked);
  for (const question of ['b1?', 'a1?', 'a2?', 'c1?', 'c2?']) {
    asked = await questions(graph, new lg.Command({ resume: { [idOf(asked, question)]: `to ${question}` } }));
    t.note('asked', asked);
    await t.state(graph, thread());
  }
});

program('three tasks with five questions, answered by single values', async (lg, t) => {
  const memory = saver();
  const graph = parallel(lg, memory);
  await graph.invoke({ log: [] }, thread());
  for (const resume of ['first', 'second', 'third']) await answer(t, graph, lg, resume);
  await t.saved(memory);
});

program('a map, then a value, then a map', async (lg, t) => {
  const graph = parallel(lg);
  const asked = await questions(graph, { log: [] });
  await answer(t, graph, lg, { [idOf(asked, 'a1?')]: 'A1', [idOf(asked, 'c1?')]: 'C1' });
  await answer(t, graph, lg, 'for the rest');
  await answer(t, graph, lg, { [idOf(asked, 'a1?')]: 'A2 by the first id' });
  await answer(t, graph, lg, null);
  await t.stream(graph, null, { ...thread(), ...both });
});

program('maps that name nobody, some and too many, and one that is empty', async (lg, t) => {
  const graph = parallel(lg);
  const asked = await questions(graph, { log: [] });
  const nobody = 'f'.repeat(32);
  await answer(t, graph, lg, { [nobody]: 'x' });
  await answer(t, graph, lg, {});
  await answer(t, graph, lg, { [nobody]: 'x', [idOf(asked, 'b1?')]: 'B' });
  await answer(t, graph, lg, { [idOf(asked, 'a1?')]: 'A', text: 'no id: the whole is one answer' });
});

program('falsy answers in maps, and as values for later questions', async (lg, t) => {
  for (const value of [false, 0, '', null, undefined]) {
    const graph = parallel(lg);
    t.note('value', value);
    const asked = await questions(graph, { log: [] });
    await answer(t, graph, lg, { [idOf(asked, 'b1?')]: value });
    await answer(t, graph, lg, value);
    await answer(t, graph, lg, 'truthy');
  }
});

program('answers that are lists, records and Commands', async (lg, t) => {
  for (const value of [['a', 'b'], [['nested']], { resume: 'x' }, { id: 'f'.repeat(32) }, new Date(0), [], NaN]) {
    const memory = saver();
    const graph = new lg.StateGraph(list(lg))
      .addNode('ask', asks(lg, '1?', '2?'))
      .addEdge(lg.START, 'ask')
      .compile({ checkpointer: memory });
    await graph.invoke({ log: [] }, thread());
    await answer(t, graph, lg, value);
    await answer(t, graph, lg, value);
    await t.saved(memory);
  }
});

program('a question whose number depends on the answers', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('ask', () => {
      const answers: string[] = [];
      while (answers.at(-1) !== 'stop') answers.push(String(lg.interrupt(`after ${answers.length}`)));
      return { log: answers };
    })
    .addEdge(lg.START, 'ask')
    .compile({ checkpointer: saver() });
  await graph.invoke({ log: [] }, thread());
  for (const resume of ['1', '2', '3', 'stop']) await answer(t, graph, lg, resume);
});

program('a question with a schema for its answer', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('ask', () => {
      const first: unknown = lg.interrupt('count?', { responseSchema: z.object({ count: z.number() }) });
      const second: unknown = lg.interrupt('free?', { responseSchema: { type: 'string' } });
      return { log: [JSON.stringify([first, second])] };
    })
    .addEdge(lg.START, 'ask')
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await answer(t, graph, lg, { count: 'not a number' });
  await answer(t, graph, lg, { count: 3, more: 'dropped' });
  await answer(t, graph, lg, 7);
});

program('an interrupt in a router', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => {
      runs += 1;
      return { log: ['a'] };
    })
    .addNode('left', says('left'))
    .addNode('right', says('right'))
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => lg.interrupt<string, 'left' | 'right'>('where?'), ['left', 'right'])
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: 'updates' });
  await t.state(graph, thread());
  await answer(t, graph, lg, 'right');
  t.note('runs', runs);
  await t.saved(memory);
});

program('an interrupt in the router of START', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('left', says('left'))
    .addNode('right', says('right'))
    .addConditionalEdges(lg.START, () => lg.interrupt<string, 'left' | 'right'>('where?'), ['left', 'right'])
    .compile({ checkpointer: saver() });
  await t.stream(graph, { log: [] }, { ...thread(), streamMode: 'updates' });
  await t.state(graph, thread());
  await answer(t, graph, lg, 'right');
});

program('NodeInterrupt: with siblings, with values of many kinds, in a subgraph, and answered', async (lg, t) => {
  for (const value of ['text', 7, { a: 1 }, null, undefined]) {
    let asked = false;
    const inner = new lg.StateGraph(list(lg))
      .addNode('x', () => {
        if (asked) return { log: ['x went on'] };
        asked = true;
        throw new lg.NodeInterrupt(value);
      })
      .addEdge(lg.START, 'x')
      .compile();
    const graph = new lg.StateGraph(list(lg))
      .addNode('inner', inner)
      .addNode('sibling', says('sibling'))
      .addEdge(lg.START, 'inner')
      .addEdge(lg.START, 'sibling')
      .compile({ checkpointer: saver() });
    await t.invoke(graph, { log: [] }, thread());
    await t.state(graph, thread(), { subgraphs: true });
    await answer(t, graph, lg, 'nobody takes this');
  }
});

/** Levels of graphs around `node`; each level has a node before and after. */
function nested(lg: Library, levels: number, node: () => object, options: object = {}): Graph {
  let graph = new lg.StateGraph(list(lg))
    .addNode('leaf', node)
    .addEdge(lg.START, 'leaf')
    .compile(levels > 0 ? {} : options);
  for (let level = 1; level <= levels; level += 1) {
    graph = new lg.StateGraph(list(lg))
      .addNode(`in${level}`, says(`in${level}`))
      .addNode('leaf', graph as never)
      .addNode(`out${level}`, says(`out${level}`))
      .addEdge(lg.START, `in${level}` as never)
      .addEdge(`in${level}` as never, 'leaf')
      .addEdge('leaf', `out${level}` as never)
      .compile(level === levels ? options : {}) as never;
  }
  return graph;
}

program('questions four levels deep, by value and by map', async (lg, t) => {
  const memory = saver();
  const graph = nested(lg, 4, asks(lg, 'deep 1?', 'deep 2?'), { checkpointer: memory });
  const asked = await questions(graph, { log: [] });
  t.note('asked', asked);
  await t.state(graph, thread(), { subgraphs: true });
  await answer(t, graph, lg, 'one');
  const again = await questions(graph, null);
  t.note('asked again', again);
  await answer(t, graph, lg, { [idOf(again, 'deep 2?')]: 'two' });
  await t.saved(memory);
});

program('the same four levels deep in every mode', async (lg, t) => {
  await t.everyMode(nested(lg, 4, asks(lg, 'deep?'), { checkpointer: saver() }), { log: [] });
});

program('a graph called by a graph called in a node asks', async (lg, t) => {
  const memory = saver();
  let runs = 0;
  const deepest = new lg.StateGraph(list(lg)).addNode('ask', asks(lg, 'deep?')).addEdge(lg.START, 'ask').compile();
  const middle = new lg.StateGraph(list(lg))
    .addNode('first', () => {
      runs += 1;
      return { log: ['first'] };
    })
    .addNode('calls', async () => ({ log: (await deepest.invoke({ log: [] })).log }))
    .addEdge(lg.START, 'first')
    .addEdge('first', 'calls')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('calls', async () => ({ log: (await middle.invoke({ log: ['m'] })).log }))
    .addEdge(lg.START, 'calls')
    .compile({ checkpointer: memory });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await answer(t, graph, lg, 'yes');
  t.note('runs', runs);
  await t.saved(memory);
});

program('parallel graphs that ask side by side within one graph', async (lg, t) => {
  const memory = saver();
  const inner = parallel(lg, undefined);
  const graph = new lg.StateGraph(list(lg))
    .addNode('left', inner)
    .addNode('right', inner)
    .addEdge(lg.START, 'left')
    .addEdge(lg.START, 'right')
    .compile({ checkpointer: memory });
  const asked = await questions(graph, { log: [] });
  t.note('asked', asked);
  const resume = Object.fromEntries(asked.slice(0, 4).map(({ id, value }) => [id, `to ${String(value)}`]));
  await t.invoke(graph, new lg.Command({ resume }), thread());
  await t.state(graph, thread(), { subgraphs: true });
  for (const value of ['rest 1', 'rest 2', 'rest 3']) {
    await t.invoke(graph, new lg.Command({ resume: value }), thread());
  }
  await t.state(graph, thread(), { subgraphs: true });
});

program('sent subgraphs that ask, answered by a map', async (lg, t) => {
  const inner = new lg.StateGraph(list(lg))
    .addNode('ask', (state) => ({ log: [`${state.log.join()} ${String(lg.interrupt(state.log.join()))}`] }))
    .addEdge(lg.START, 'ask')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('inner', inner)
    .addConditionalEdges(lg.START, () => ['1', '2', '3'].map((log) => new lg.Send('inner', { log: [log] })))
    .compile({ checkpointer: saver() });
  const asked = await questions(graph, { log: [] });
  await t.invoke(graph, new lg.Command({ resume: { [idOf(asked, '2')]: 'two' } }), thread());
  await t.state(graph, thread());
  const rest = Object.fromEntries(['1', '3'].map((value) => [idOf(asked, value), `to ${value}`]));
  await t.invoke(graph, new lg.Command({ resume: rest }), thread());
  await t.state(graph, thread());
});

program('a Command to the parent after an answer, over one, two and three levels', async (lg, t) => {
  for (const levels of [1, 2, 3]) {
    const memory = saver();
    t.note('levels', levels);
    const graph = nested(
      lg,
      levels,
      () => {
        const log = String(lg.interrupt('leave?'));
        return new lg.Command({ graph: lg.Command.PARENT, update: { log: [log] } });
      },
      { checkpointer: memory },
    );
    await t.invoke(graph, { log: [] }, thread());
    await answer(t, graph, lg, 'leaving');
    await t.saved(memory);
  }
});

program('a Command to the parent that leads to a node that asks', async (lg, t) => {
  const memory = saver();
  const inner = new lg.StateGraph(list(lg))
    .addNode('leave', () => {
      const log = String(lg.interrupt('leave?'));
      return new lg.Command({ graph: lg.Command.PARENT, update: { log: [log] }, goto: 'ask' });
    })
    .addEdge(lg.START, 'leave')
    .compile();
  const middle = new lg.StateGraph(list(lg))
    .addNode('inner', inner, { ends: ['ask'] as never })
    .addNode('ask', () => {
      const log = String(lg.interrupt('and now?'));
      return new lg.Command({ graph: lg.Command.PARENT, update: { log: [log] }, goto: 'last' });
    })
    .addEdge(lg.START, 'inner')
    .compile();
  const graph = new lg.StateGraph(list(lg))
    .addNode('middle', middle, { ends: ['last'] as never })
    .addNode('last', asks(lg, 'last?'))
    .addEdge(lg.START, 'middle')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
  for (const resume of ['one', 'two', 'three']) await answer(t, graph, lg, resume);
  await t.saved(memory);
});

program('an answer with an update and a goto at once, for a graph within', async (lg, t) => {
  const memory = saver();
  const graph = nested(lg, 1, asks(lg, 'inner?'), { checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
  const command = new lg.Command({ resume: 'r', update: { log: ['beside'] }, goto: 'out1' });
  await t.stream(graph, command, { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
  await t.saved(memory);
});

program('an answered node fails below, and goes on with its answer', async (lg, t) => {
  const memory = saver();
  let fails = true;
  const graph = nested(
    lg,
    2,
    () => {
      const log = String(lg.interrupt('q?'));
      if (fails) throw new Error('after the answer');
      return { log: [log] };
    },
    { checkpointer: memory },
  );
  await t.invoke(graph, { log: [] }, thread());
  await t.invoke(graph, new lg.Command({ resume: 'kept?' }), thread());
  await t.state(graph, thread(), { subgraphs: true });
  fails = false;
  await t.stream(graph, null, { ...thread(), ...both });
  await t.state(graph, thread(), { subgraphs: true });
  await t.saved(memory);
});

program('answers where nobody asks: a new thread, a breakpoint, a finished thread', async (lg, t) => {
  const graph = nested(lg, 1, says('leaf'), { checkpointer: saver(), interruptBefore: ['leaf'] });
  await t.invoke(graph, new lg.Command({ resume: 'x' }), thread('new'));
  await t.state(graph, thread('new'));
  await graph.invoke({ log: [] }, thread());
  await answer(t, graph, lg, 'at a breakpoint');
  await answer(t, graph, lg, 'when done');
});

program('interrupts and breakpoints in one superstep', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', asks(lg, 'a?'))
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge('a', 'c')
    .compile({ checkpointer: saver(), interruptBefore: ['a', 'c'], interruptAfter: ['b'] });
  await t.stream(graph, { log: [] }, { ...thread(), ...both });
  await t.stream(graph, null, { ...thread(), ...both });
  await t.state(graph, thread());
  await answer(t, graph, lg, 'yes');
  await t.stream(graph, null, { ...thread(), ...both });
  await t.stream(graph, null, { ...thread(), ...both });
  await t.state(graph, thread());
});

program('config.interrupt, and an interrupt in a callback of a promise', async (lg, t) => {
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', async (_state, config) => {
      const first = String(config.interrupt?.('by config?'));
      const second = await Promise.resolve().then(() => String(lg.interrupt('in then?')));
      const later = async () => String(await Promise.resolve(lg.interrupt('in all?')));
      const [third = ''] = await Promise.all([later()]);
      return { log: [first, second, third] };
    })
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: saver() });
  await t.invoke(graph, { log: [] }, thread());
  for (const resume of ['1', '2', '3']) await answer(t, graph, lg, resume);
});

program('an interrupt that is swallowed', async (lg, t) => {
  const memory = saver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', () => {
      try {
        lg.interrupt('?');
      } catch {
        return { log: ['swallowed'] };
      }
      return { log: ['answered'] };
    })
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: memory });
  await t.invoke(graph, { log: [] }, thread());
  await t.saved(memory);
});

program('strict answers have to fit', async (lg, t) => {
  const graph = parallel(lg);
  const strict = thread('thread-1', { __pregel_strict_resume: true });
  const asked = await questions(graph, { log: [] });
  for (const resume of [
    'for whom?',
    {},
    [],
    { ['f'.repeat(32)]: 'nobody' },
    { [idOf(asked, 'b1?')]: 'B' },
    { [idOf(asked, 'b1?')]: 'again' },
    { [idOf(asked, 'a1?')]: 'A', [idOf(asked, 'c1?')]: 'C' },
  ]) {
    await t.outcome('resume', async () => {
      try {
        return await graph.invoke(new lg.Command({ resume }), strict);
      } catch (error) {
        const { name, message, reason } = error as Error & { reason?: string };
        return { name, message, reason };
      }
    });
  }
  await t.state(graph, thread());
});
