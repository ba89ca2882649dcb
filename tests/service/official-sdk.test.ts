// The official client, as users have it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@langchain/langgraph-sdk';
import { Service } from '../support/service.js';

let service: Service;
let client: Client;

beforeAll(async () => {
  service = await Service.start({ workers: 1 });
  client = new Client({ apiUrl: service.url });
}, 120_000);
afterAll(() => service?.stop(), 60_000);

async function collect<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const all: Part[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

test('assistants.search gives a system assistant for each graph', async () => {
  const assistants = await client.assistants.search({ graphId: 'echo' });
  expect(assistants).toEqual([
    expect.objectContaining({ graph_id: 'echo', name: 'echo', metadata: { created_by: 'system' } }),
  ]);
  const byId = await client.assistants.get(assistants[0]?.assistant_id ?? '');
  expect(byId).toEqual(assistants[0]);
}, 60_000);

test('runs.stream on a thread and without one', async () => {
  const thread = await client.threads.create({ metadata: { owner: 'me' } });
  expect(await client.threads.get(thread.thread_id)).toMatchObject({ metadata: { owner: 'me' }, status: 'idle' });
  let created: { run_id: string; thread_id?: string } | undefined;
  const parts = await collect(
    client.runs.stream(thread.thread_id, 'echo', {
      input: { text: 'hi' },
      streamMode: ['values', 'updates'],
      onRunCreated: (run) => {
        created = run;
      },
    }),
  );
  expect(parts.map(({ event }) => event)).toEqual(['metadata', 'values', 'updates', 'values']);
  expect(created?.thread_id).toBe(thread.thread_id);
  const stateless = await collect(client.runs.stream(null, 'echo', { input: { text: 'bye' }, streamMode: 'values' }));
  expect(stateless.at(-1)?.data).toEqual({ text: 'bye', reply: 'bye' });
}, 60_000);

test('runs.wait, create, join and joinStream', async () => {
  const { thread_id: thread } = await client.threads.create();
  expect(await client.runs.wait(thread, 'echo', { input: { text: 'one' } })).toEqual({ text: 'one', reply: 'one' });
  expect(await client.runs.wait(null, 'echo', { input: { text: 'two' } })).toEqual({ text: 'two', reply: 'two' });
  const run = await client.runs.create(thread, 'tok', {
    input: { tokens: 5, messages: [] },
    streamMode: ['messages-tuple', 'values'],
    streamResumable: true,
  });
  await client.runs.join(thread, run.run_id);
  expect(await client.runs.get(thread, run.run_id)).toMatchObject({ status: 'success' });
  const parts = await collect(client.runs.joinStream(thread, run.run_id, { lastEventId: '-1' }));
  expect(parts.map(({ event }) => event).filter((event) => event === 'messages')).toHaveLength(5);
  expect(await client.runs.list(thread)).toHaveLength(2);
}, 60_000);

test('a run that fails raises in wait, with the error of the graph', async () => {
  await expect(client.runs.wait(null, 'bigint', { input: {} })).rejects.toThrow(/amount/);
}, 60_000);

test('threads.getState, getHistory and updateState, and a resume through Command', async () => {
  const { thread_id: thread } = await client.threads.create();
  await client.runs.wait(thread, 'ask', { input: {} });
  const state = await client.threads.getState(thread);
  expect(state.next).toEqual(['ask']);
  expect(state.tasks[0]?.interrupts).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{32}$/), value: 'q' }]);
  await client.threads.updateState(thread, { values: { question: 'changed' }, asNode: '__start__' });
  const history = await client.threads.getHistory(thread);
  expect(history.length).toBeGreaterThanOrEqual(3);
  expect(await client.runs.wait(thread, 'ask', { input: { question: 'again' } })).toMatchObject({
    __interrupt__: [expect.objectContaining({ value: 'again' })],
  });
  expect(await client.runs.wait(thread, 'ask', { command: { resume: 'done' } })).toMatchObject({ v: 'done' });
}, 60_000);

test('a run from an earlier checkpoint forks the thread', async () => {
  const { thread_id: thread } = await client.threads.create();
  await client.runs.wait(thread, 'loop', { input: { k: 3 } });
  const history = await client.threads.getHistory<{ items: number[] }>(thread, { limit: 100 });
  const early = history.find(({ values }) => values.items?.length === 1);
  const values = await client.runs.wait(thread, 'loop', { input: null, checkpoint: early?.checkpoint });
  expect(values).toMatchObject({ items: [0, 1, 2] });
  const forked = await client.threads.getHistory(thread, { limit: 100 });
  expect(forked.length).toBeGreaterThan(history.length);
}, 60_000);
