import { expect, test } from '@jest/globals';
import { Annotation, Command, END, START, StateGraph } from '../../../graph-core/index.js';

const State = Annotation.Root({ text: Annotation<string>() });
const noop = () => ({});

test('compile makes channels and triggers by the names that checkpoints show', () => {
  const { spec } = new StateGraph(State)
    .addNode('a', noop)
    .addNode('b', noop)
    .addNode('c', noop)
    .addEdge(START, 'a')
    .addEdge(START, 'b')
    .addEdge(['a', 'b'], 'c')
    .addEdge('c', END)
    .compile();
  expect(Object.keys(spec.channels)).toEqual(
    expect.arrayContaining(['text', '__start__', 'branch:to:a', 'branch:to:b', 'branch:to:c', 'join:a+b:c']),
  );
  expect(Object.keys(spec.nodes)).toEqual(['__start__', 'a', 'b', 'c']);
  expect(spec.nodes['c']?.triggers).toEqual(['branch:to:c', 'join:a+b:c']);
});

test('a compiled graph does not change with its builder', async () => {
  const builder = new StateGraph(State).addNode('a', () => ({ text: 'a' })).addEdge(START, 'a');
  const graph = builder.compile();
  builder.compiled = false;
  builder.addNode('b', () => ({ text: 'b' })).addEdge('a', 'b');
  expect(await graph.invoke({ text: '' })).toEqual({ text: 'a' });
  expect(await builder.compile().invoke({ text: '' })).toEqual({ text: 'b' });
});

test('graphs inside a node are found: the node itself, steps of a sequence, those named', () => {
  const child = new StateGraph(State).addNode('c', noop).addEdge(START, 'c').compile();
  const { spec } = new StateGraph(State)
    .addNode('itself', child)
    .addNode('step', child.pipe(noop))
    .addNode('named', noop, { subgraphs: [child] })
    .addNode('none', noop)
    .addEdge(START, 'itself')
    .addSequence([['last', () => new Command({ goto: 'itself' })]])
    .addConditionalEdges('itself', () => END)
    .compile();
  const found = Object.values(spec.nodes).map(({ name, subgraphs }) => [name, subgraphs?.length ?? 0]);
  expect(Object.fromEntries(found)).toMatchObject({ itself: 1, step: 1, named: 1, none: 0, last: 0 });
});
