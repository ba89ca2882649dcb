import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { END, START, StateGraph, StateSchema, UntrackedValue, type CompiledGraph } from 'superstep';
import { RunHarness } from '../support/run-harness.js';

const State = new StateSchema({
  log: z.array(z.string()).default(() => []),
  draft: new UntrackedValue(z.object({ text: z.string() })),
});

const graph = new StateGraph(State)
  .addNode('write', () => ({ draft: { text: 'a draft' } }))
  .addNode('rest', ({ log }) => ({ log: [...log, 'rest'] }))
  .addNode('read', ({ log, draft }) => ({ log: [...log, draft.text] }))
  .addEdge(START, 'write')
  .addEdge('write', 'rest')
  .addEdge('rest', 'read')
  .addEdge('read', END)
  .compile() as unknown as CompiledGraph;

let harness: RunHarness;
beforeAll(async () => {
  harness = await RunHarness.start({ graph });
}, 120_000);
afterAll(() => harness?.stop(), 60_000);

test('an untracked value lasts as long as its run, and is in no checkpoint', async () => {
  const run = await harness.submit('graph', { input: { log: [] } });
  await harness.untilState(run, 'success');
  expect((await harness.threads.get(run.threadId))?.values).toEqual({
    log: ['rest', 'a draft'],
    draft: { text: 'a draft' },
  });
  for (const { checkpoint } of await harness.checkpoints(run.threadId)) {
    expect(checkpoint.channel_values).not.toHaveProperty('draft');
  }
}, 60_000);
