// Where streams of graphs differ from LangGraph's, so that the programs of tests/conformance cannot hold it.
import { expect, test } from '@jest/globals';
import { Annotation, START, StateGraph, writer } from '../../../graph-core/index.js';

const state = Annotation.Root({ text: Annotation<string>() });

const oneNode = (node: (config: { signal?: AbortSignal }) => void | Promise<void>) =>
  new StateGraph(state)
    .addNode('node', async (_state, config) => {
      await node(config);
      return { text: 'out' };
    })
    .addEdge(START, 'node')
    .compile();

const untilAborted = ({ signal }: { signal?: AbortSignal }): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

test('writer() emits a custom chunk from wherever it is called', async () => {
  const chunks: unknown[] = [];
  const graph = oneNode(() => writer({ step: 1 }));
  for await (const chunk of await graph.stream({ text: '' }, { streamMode: 'custom' })) chunks.push(chunk);
  expect(chunks).toEqual([{ step: 1 }]);
  expect(() => writer('outside')).toThrow('outside the context of a graph');
});

test("events as server-sent ones hold the graph's chunks, not bytes of them", async () => {
  const decoder = new TextDecoder();
  let text = '';
  const events = oneNode(() => undefined).streamEvents({ text: '' }, { version: 'v2', encoding: 'text/event-stream' });
  for await (const bytes of events) text += decoder.decode(bytes);
  expect(text).toContain('"data":{"chunk":{"node":{"text":"out"}}}');
});

test('abort() of a run stream stops the run', async () => {
  let told: AbortSignal | undefined;
  const graph = oneNode((config) => {
    told = config.signal;
    return untilAborted(config);
  });
  const run = await graph.streamEvents({ text: '' }, { version: 'v3' });
  for await (const { method } of run) {
    if (method === 'tasks') break;
  }
  run.abort(new Error('enough'));
  await expect(run.output).rejects.toThrow('enough');
  expect(told?.aborted).toBe(true);
  expect(run.signal.aborted).toBe(true);
});

test('who reads a stream that is cancelled gets the reason', async () => {
  const stream = await oneNode(untilAborted).stream({ text: '' }, { streamMode: ['tasks', 'updates'] });
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  const next = reader.next();
  await stream.cancel(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
});
