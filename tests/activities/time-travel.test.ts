import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Annotation, START, StateGraph, type CompiledGraph } from 'superstep';
import { RunHarness } from '../support/run-harness.js';

const State = Annotation.Root({ log: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }) });

/** Keeps its state over runs, and says how often it had been called before. */
const counter = new StateGraph(State)
  .addNode('count', ({ log }) => ({ log: [`call ${log.length}`] }))
  .addEdge(START, 'count')
  .compile({ checkpointer: true });

const call = async () => ({ log: (await counter.invoke({ log: [] })).log.slice(-1) });

const graph = new StateGraph(State)
  .addNode('first', () => ({ log: ['first'] }))
  .addNode('second', call)
  .addNode('third', () => ({ log: ['third'] }))
  .addEdge(START, 'first')
  .addEdge('first', 'second')
  .addEdge('second', 'third')
  .compile() as unknown as CompiledGraph;

let harness: RunHarness;
beforeAll(async () => {
  harness = await RunHarness.start({ graph });
}, 120_000);
afterAll(() => harness?.stop(), 60_000);

test('a graph that keeps its state starts from what it had then, in whichever superstep the run comes to it', async () => {
  const run = await harness.submit('graph', { input: { log: [] } });
  await harness.untilState(run, 'success');
  const { threadId } = run;
  const start = (await harness.checkpoints(threadId)).find(({ metadata }) => metadata?.step === 0);
  await harness.untilState(await harness.submit('graph', { input: { log: [] } }, threadId), 'success');
  expect((await harness.threads.get(threadId))?.values).toEqual({
    log: ['first', 'call 0', 'third', 'first', 'call 1', 'third'],
  });
  const checkpoint = { checkpoint_id: start?.checkpoint.id ?? '' };
  const replayed = await harness.submit('graph', { input: null, checkpoint }, threadId);
  await harness.untilState(replayed, 'success');
  expect((await harness.threads.get(threadId))?.values).toEqual({ log: ['first', 'call 0', 'third'] });
}, 60_000);
