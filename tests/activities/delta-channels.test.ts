// Delta channels in served threads: kept as in process, by their writes and a snapshot now and then.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Annotation, DeltaChannel, END, START, StateGraph, type CompiledGraph } from 'superstep';
import { RunHarness, type SubmittedRun } from '../support/run-harness.js';
import { until } from '../support/until.js';

const list = (snapshotFrequency: number) =>
  new DeltaChannel<string[], string | string[]>((log, writes) => [...log, ...writes.flat()], { snapshotFrequency });

const Growing = Annotation.Root({ steps: Annotation<number>(), log: list(100) as never });
type Growing = { readonly steps: number; readonly log: readonly string[] };

/** Each superstep adds 1 KB. */
const growing = new StateGraph(Growing)
  .addNode('add', (state) => ({ log: [String((state as Growing).log.length).padEnd(1_000, 'x')] }) as never)
  .addEdge(START, 'add')
  .addConditionalEdges('add', (state) => ((state as Growing).log.length < (state as Growing).steps ? 'add' : END))
  .compile() as unknown as CompiledGraph;

const Pairs = Annotation.Root({ log: list(3) as never });

/** Two at once, whose order counts, then a pair more; a snapshot every third superstep. */
const pairs = new StateGraph(Pairs)
  .addNode('b', () => ({ log: ['b'] }) as never)
  .addNode('a', () => ({ log: ['a'] }) as never)
  .addNode('d', () => ({ log: ['d'] }) as never)
  .addNode('c', () => ({ log: ['c'] }) as never)
  .addNode('last', () => ({ log: ['last'] }) as never)
  .addEdge(START, 'b')
  .addEdge(START, 'a')
  .addEdge('b', 'd')
  .addEdge('a', 'c')
  .addEdge(['d', 'c'], 'last')
  .addEdge('last', END)
  .compile() as unknown as CompiledGraph;

let harness: RunHarness;
beforeAll(async () => {
  harness = await RunHarness.start({ growing, pairs });
}, 120_000);
afterAll(() => harness?.stop(), 60_000);

/** Everything that Postgres keeps of a thread's checkpoints. */
async function storedBytes(threadId: string): Promise<number> {
  const size = (table: string) => `(select coalesce(sum(length(blob)), 0) from ${table} where thread_id = $1)`;
  const { rows } = await harness.database.pool.query<{ bytes: string }>(
    `select ${size('checkpoint_blobs')} + ${size('checkpoint_writes')} as bytes`,
    [threadId],
  );
  return Number(rows[0]?.bytes);
}

test('a list that grows by 1 KB in each of 200 supersteps takes its own size a few times over', async () => {
  const run = await harness.submit('growing', {
    input: { steps: 200, log: [] },
    config: { recursion_limit: 300 },
    stream_mode: ['updates'],
  });
  const done = async () => (await harness.row(run)).state === 'success';
  await until('the run is done', done, { withinMs: 280_000 });
  const { log } = (await harness.threads.get(run.threadId))?.values as unknown as Growing;
  expect(log.map((entry) => Number(entry.replaceAll('x', '')))).toEqual(Array.from({ length: 200 }, (_, n) => n));
  // 200 KB of writes, and snapshots of 100 and of 200 KB. Whole in each checkpoint it would be 20 MB.
  expect(await storedBytes(run.threadId)).toBeLessThan(750_000);
}, 300_000);

const history = async (graph: CompiledGraph, threadId: string) => {
  const states: unknown[] = [];
  for await (const { values, next, metadata, tasks } of graph.getStateHistory({
    configurable: { thread_id: threadId },
  })) {
    states.push({
      values,
      next,
      source: metadata?.source,
      step: metadata?.step,
      done: tasks.map(({ result }) => result),
    });
  }
  return states;
};

test('history, forks, edits and further runs give what they give in process', async () => {
  const own = pairs.withSaver(new MemorySaver());
  const served = pairs.withSaver(harness.saver);
  const run = await harness.submit('pairs', { input: { log: ['one'] } });
  const { threadId } = run;
  const config = { configurable: { thread_id: threadId } };
  const alike = async () => expect(await history(served, threadId)).toEqual(await history(own, threadId));
  const settled = (submitted: SubmittedRun) => harness.untilState(submitted, 'success');
  await Promise.all([settled(run), own.invoke({ log: ['one'] }, config)]);
  await alike();

  await settled(await harness.submit('pairs', { input: { log: ['two'] } }, threadId));
  await own.invoke({ log: ['two'] }, config);
  await alike();

  const before = async (graph: CompiledGraph): Promise<string> => {
    for await (const state of graph.getStateHistory(config)) {
      if (state.next.includes('d')) return String(state.config.configurable?.['checkpoint_id']);
    }
    throw new Error('No checkpoint comes before "d".');
  };
  const at = await before(served);
  await settled(await harness.submit('pairs', { input: null, checkpoint: { checkpoint_id: at } }, threadId));
  await own.invoke(null, { configurable: { thread_id: threadId, checkpoint_id: await before(own) } });
  await alike();

  for (const graph of [own, served]) await graph.updateState(config, { log: ['edited'] }, 'last');
  await settled(await harness.submit('pairs', { input: { log: ['three'] } }, threadId));
  await own.invoke({ log: ['three'] }, config);
  await alike();
}, 60_000);
