import { expect, test } from '@jest/globals';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Annotation, START, StateGraph } from '../../../graph-core/index.js';

const State = Annotation.Root({ kept: Annotation<string>, value: Annotation<unknown> });
const config = { configurable: { thread_id: 'thread' } };

const graphWith = (node: () => object) =>
  new StateGraph(State)
    .addNode('first', () => ({ kept: 'kept' }))
    .addNode('second', node)
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .compile({ checkpointer: new MemorySaver() });

test.each([
  ['a BigInt', () => ({ value: { count: 10n } }), 'BigInt'],
  [
    'a toJSON that throws',
    () => ({
      value: {
        toJSON: () => {
          throw new Error('not me');
        },
      },
    }),
    'not me',
  ],
])('%s fails its node, and leaves the last checkpoint as it was', async (_name, node, cause) => {
  const graph = graphWith(node);
  await expect(graph.invoke({}, config)).rejects.toThrow(`Node "second" wrote to "value"`);
  const state = await graph.getState(config);
  expect(state.values).toEqual({ kept: 'kept' });
  expect(state.next).toEqual(['second']);
  expect(state.tasks[0]?.error).toMatchObject({ message: expect.stringContaining(cause) });
});

test('a cycle is stored, cut', async () => {
  const cycle: Record<string, unknown> = { name: 'ring' };
  cycle['self'] = cycle;
  const graph = graphWith(() => ({ value: cycle }));
  await graph.invoke({}, config);
  expect((await graph.getState(config)).values).toMatchObject({ value: { name: 'ring' } });
});
