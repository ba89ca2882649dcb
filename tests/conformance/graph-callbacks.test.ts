// GraphCallbackHandler: a graph's pauses and resumptions.
import { program, saver, thread, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';

function observer(lg: Library, t: Trace, label: string) {
  class Observer extends lg.GraphCallbackHandler {
    override handleInterrupt(event: object): void {
      t.note(`${label} interrupt`, { ...event, runId: undefined });
    }
    override handleResume(event: object): void {
      t.note(`${label} resume`, { ...event, runId: undefined });
    }
  }
  return new Observer();
}

program('a question within a graph in a graph, and breakpoints', async (lg, t) => {
  const State = lg.Annotation.Root({ text: lg.Annotation<string>() });
  const inner = new lg.StateGraph(State)
    .addNode('ask', () => ({ text: lg.interrupt<string, string>('why?') }))
    .addEdge(lg.START, 'ask')
    .compile();
  const graph = new lg.StateGraph(State)
    .addNode('first', () => ({ text: 'first' }))
    .addNode('inner', inner)
    .addNode('last', ({ text }) => ({ text: `${text}!` }))
    .addEdge(lg.START, 'first')
    .addEdge('first', 'inner')
    .addEdge('inner', 'last')
    .compile({ checkpointer: saver(), interruptBefore: ['inner'], interruptAfter: ['inner'] }) as unknown as Graph;
  const config = { ...thread(), callbacks: [observer(lg, t, 'call')] };
  await t.invoke(graph, { text: 'q' }, config);
  await t.invoke(graph, null, config);
  await t.invoke(graph, new lg.Command({ resume: 'because' }), config);
  await t.invoke(graph, null, config);
  await t.invoke(graph, { text: 'new input' }, config);
});

program('a handler that throws', async (lg, t) => {
  class Failing extends lg.GraphCallbackHandler {
    override handleInterrupt(): void {
      throw new Error('no');
    }
  }
  const State = lg.Annotation.Root({ text: lg.Annotation<string>() });
  const graph = new lg.StateGraph(State)
    .addNode('ask', () => ({ text: lg.interrupt<string, string>('why?') }))
    .addEdge(lg.START, 'ask')
    .compile({ checkpointer: saver() }) as unknown as Graph;
  const quiet = new Failing();
  const loud = Object.assign(new Failing(), { raiseError: true });
  await t.invoke(graph, { text: 'q' }, { ...thread('1'), callbacks: [quiet] });
  await t.invoke(graph, { text: 'q' }, { ...thread('2'), callbacks: [loud] });
  t.note('instance', [lg.GraphCallbackHandler.isInstance(quiet), lg.GraphCallbackHandler.isInstance({})]);
});
