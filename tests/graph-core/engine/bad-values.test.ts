// Nodes that hang, or hand out what cannot be stored: the thread stays at its last checkpoint, with the cause beside it.
import { describe, expect, test } from '@jest/globals';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Annotation, Command, interrupt, START, StateGraph } from '../../../graph-core/index.js';

const State = Annotation.Root({ text: Annotation<string>(), value: Annotation<unknown>() });
const thread = { configurable: { thread_id: 't' } };

/** A finished node before the bad one, so that there is something to keep. */
const graphWith = (bad: () => unknown, checkpointer = new MemorySaver()) =>
  new StateGraph(State)
    .addNode('good', () => ({ text: 'kept' }))
    .addNode('bad', bad as () => object)
    .addEdge(START, 'good')
    .addEdge('good', 'bad')
    .compile({ checkpointer });

async function left(graph: ReturnType<typeof graphWith>) {
  const { next, values, tasks } = await graph.getState(thread);
  return { next, values: values, errors: tasks.map(({ error }) => error) };
}

function circle(): object {
  const made: { self?: unknown } = {};
  made.self = made;
  return made;
}

test('a question that the saver cannot store fails its node, with the reason', async () => {
  const graph = graphWith(() => ({ value: interrupt({ amount: 10n }) }));
  const cause = /^Node "bad" wrote to "__interrupt__" what a checkpointer cannot store/;
  await expect(graph.invoke({ text: 'in' }, thread)).rejects.toThrow(cause);
  expect(await left(graph)).toMatchObject({ next: ['bad'], values: { text: 'kept' } });
});

test('what is no checkpointer is named as such', async () => {
  const graph = graphWith(() => ({}), {} as MemorySaver);
  await expect(graph.invoke({ text: 'in' }, thread)).rejects.toThrow('The checkpointer of the graph is none');
});

test('breakpoints that are no list are refused', async () => {
  const call = graphWith(() => ({})).invoke({ text: 'in' }, { ...thread, interruptBefore: 5 as never });
  await expect(call).rejects.toThrow('interruptBefore must be "*" or a list of nodes, got 5');
});

describe('a value that the saver cannot store', () => {
  test.each<[string, () => unknown]>([
    ['a BigInt', () => 10n],
    ['a BigInt deep in it', () => ({ list: [{ amount: 10n }] })],
    [
      'a getter that throws',
      () => ({
        get field() {
          throw new TypeError('not to be read');
        },
      }),
    ],
  ])('%s: ends the run with the reason, and the thread goes on when the node is mended', async (_what, value) => {
    const saver = new MemorySaver();
    const broken = graphWith(() => ({ value: value() }), saver);
    const cause = /^Node "bad" wrote to "value" what a checkpointer cannot store/;
    await expect(broken.invoke({ text: 'in' }, thread)).rejects.toThrow(cause);
    expect(await left(broken)).toMatchObject({
      next: ['bad'],
      values: { text: 'kept' },
      errors: [{ name: 'InvalidUpdateError', message: expect.stringMatching(cause) as unknown }],
    });
    const mended = graphWith(() => ({ value: 'plain' }), saver);
    expect(await mended.invoke(null, thread)).toEqual({ text: 'kept', value: 'plain' });
  });

  test('a circle is stored without what closes it, as LangGraph’s savers do', async () => {
    const graph = graphWith(() => ({ value: circle() }));
    await graph.invoke({ text: 'in' }, thread);
    expect(await left(graph)).toMatchObject({ next: [], values: { text: 'kept', value: { self: '[Circular]' } } });
  });

  test('a value of megabytes is stored', async () => {
    const size = 8_000_000;
    const graph = graphWith(() => ({ value: 'x'.repeat(size) }));
    await graph.invoke({ text: 'in' }, thread);
    const { values } = await graph.getState(thread);
    expect((values as { value: string }).value).toHaveLength(size);
  });
});

test('a node that hangs ends with the abort, and the thread stays before it', async () => {
  const abort = new AbortController();
  const graph = graphWith(() => {
    setImmediate(() => abort.abort(new Error('enough')));
    return new Promise(() => undefined);
  });
  await expect(graph.invoke({ text: 'in' }, { ...thread, signal: abort.signal })).rejects.toThrow('enough');
  expect(await left(graph)).toMatchObject({ next: ['bad'], values: { text: 'kept' } });
});

test('an edit, and a Command as input, that the saver cannot store are refused, and the thread is as it was', async () => {
  const graph = graphWith(() => ({}));
  await graph.invoke({ text: 'in' }, thread);
  const before = await graph.getState(thread);
  const cause = /what a checkpointer cannot store/;
  const value = { amount: 10n };
  await expect(graph.updateState(thread, { value }, 'good')).rejects.toThrow(cause);
  await expect(graph.updateState(thread, { value }, '__input__')).rejects.toThrow(cause);
  await expect(graph.invoke(new Command({ update: { value } }), thread)).rejects.toThrow(cause);
  expect(await graph.getState(thread)).toEqual(before);
});
