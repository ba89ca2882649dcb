import { expect, test } from '@jest/globals';
import { Annotation, START, StateGraph } from '../../../graph-core/index.js';

const State = Annotation.Root({ log: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }) });

/** Ends only when it is told to stop. */
function waiting(told: string[]) {
  return new StateGraph(State)
    .addNode('waits', async (_state, { signal }) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      told.push('waits');
      return {};
    })
    .addEdge(START, 'waits')
    .compile();
}

test.each([
  ['without a config', 'none'],
  ['with its node’s config', 'given'],
] as const)('a graph that a node calls %s is told when a sibling of the node fails', async (_how, config) => {
  const told: string[] = [];
  const inner = waiting(told);
  const graph = new StateGraph(State)
    .addNode('calls', (_state, given) => inner.invoke({ log: [] }, config === 'given' ? given : undefined))
    .addNode('fails', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('broken');
    })
    .addEdge(START, 'calls')
    .addEdge(START, 'fails')
    .compile();
  await expect(graph.invoke({ log: [] })).rejects.toThrow('broken');
  expect(told).toEqual(['waits']);
});

test('a signal that is bound to a graph aborts its calls', async () => {
  const abort = new AbortController();
  const graph = waiting([]).withConfig({ signal: abort.signal });
  setImmediate(() => abort.abort(new Error('enough')));
  await expect(graph.invoke({ log: [] })).rejects.toThrow('enough');
});
