// Graphs that run on a server, called as graphs of this process: by themselves, as nodes, and by graphs that are served
// themselves. tests/service/remote-conformance.test.ts compares the same calls with LangGraph's RemoteGraph.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { RemoteGraph } from '../../graph-core/entries/remote.js';
import { Annotation, Command, END, START, StateGraph } from '../../graph-core/index.js';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';

const timeoutMs = 120_000;
let service: Service;
let platform: Platform;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remote-graph-'));
  service = await Service.start({ workers: 2 });
  platform = new Platform(service.url);
}, 180_000);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const remote = (graphId: string) => new RemoteGraph({ graphId, url: service.url });
const onThread = (id = uuidv7()) => ({ configurable: { thread_id: id } });
const questionsOf = (values: any): unknown[] => values.__interrupt__.map(({ value }: { value: unknown }) => value);

const Asking = Annotation.Root({ question: Annotation<unknown>(), v: Annotation<unknown>() });
const asking = () =>
  new StateGraph(Asking)
    .addNode('elsewhere', remote('ask'))
    .addEdge(START, 'elsewhere')
    .addEdge('elsewhere', END)
    .compile({ checkpointer: new MemorySaver() });

test.each([['yes'], [false], [{ nested: [1, null] }]])(
  'a local graph whose node is a remote one passes its question on, and its answer: %j',
  async (answer) => {
    const graph = asking();
    const config = onThread();
    const asked = await graph.invoke({ question: 'really?' }, config);
    expect(questionsOf(asked)).toEqual(['really?']);
    expect(await graph.invoke(new Command({ resume: answer }), config)).toMatchObject({ v: answer });
    // The question was answered, not asked again: two runs, the one that asked and the one that went on.
    expect(await platform.json('GET', `/threads/${config.configurable.thread_id}/runs`)).toHaveLength(2);
  },
  timeoutMs,
);

test(
  'a remote question is answered by its id',
  async () => {
    const graph = asking();
    const config = onThread();
    const asked = (await graph.invoke({}, config)) as unknown as { __interrupt__: { id: string }[] };
    const id = asked.__interrupt__[0]?.id ?? '';
    expect(await graph.invoke(new Command({ resume: { [id]: 'by id' } }), config)).toMatchObject({ v: 'by id' });
  },
  timeoutMs,
);

test(
  'without an answer the same question is asked again, and the remote graph is not',
  async () => {
    const graph = asking();
    const config = onThread();
    const first = await graph.invoke({}, config);
    expect(await graph.invoke(null, config)).toEqual(first);
    expect(await platform.json('GET', `/threads/${config.configurable.thread_id}/runs`)).toHaveLength(1);
  },
  timeoutMs,
);

test(
  'the state of a task that is a remote graph is the state of its thread',
  async () => {
    const graph = asking();
    const config = onThread();
    await graph.invoke({ question: 'who?' }, config);
    const state = await graph.getState(config, { subgraphs: true });
    expect(state.tasks[0]?.state).toMatchObject({ values: { question: 'who?' }, next: ['ask'] });
  },
  timeoutMs,
);

test(
  'chunks of a remote graph in a node stream under the namespace of its task',
  async () => {
    const graph = new StateGraph(Asking).addNode('elsewhere', remote('echo')).addEdge(START, 'elsewhere').compile();
    const chunks = [];
    const stream = await graph.stream({}, { ...onThread(), streamMode: ['updates', 'values'], subgraphs: true });
    for await (const chunk of stream) chunks.push(chunk);
    const below = chunks.filter(([ns]) => (ns as readonly string[]).length > 0);
    expect(below.map(([, mode]) => mode)).toEqual(['updates', 'values']);
    for (const [ns] of below) expect(ns).toEqual([expect.stringMatching(/^elsewhere:/)]);
  },
  timeoutMs,
);

test(
  'a graph that is served asks what a graph that it calls over HTTP asks, over a restart of all workers too',
  async () => {
    const thread = await platform.thread();
    const asked = await platform.wait(thread, 'remote-asking', { input: { question: 'go on?' } });
    expect(questionsOf(asked)).toEqual(['go on?']);
    for (const worker of service.workerNames) await service.kill(worker);
    for (const worker of service.workerNames) await service.restart(worker);
    const values = await platform.wait(thread, 'remote-asking', { command: { resume: ['yes'] } });
    expect(values).toMatchObject({ v: ['yes'], own: 'got ["yes"]' });
    const state = await platform.json('GET', `/threads/${thread}/state`);
    expect(state.next).toEqual([]);
  },
  timeoutMs,
);

test(
  'a graph that calls another on its own thread is told that it would wait for itself',
  async () => {
    const thread = await platform.thread();
    const run = await platform.run(thread, 'remote-entangled', { input: {} });
    await platform.join(thread, run.run_id);
    expect((await platform.getRun(thread, run.run_id)).status).toBe('error');
    const { tasks } = await platform.state(thread);
    expect(JSON.stringify(tasks[0].error)).toContain("thread: 'own'");
  },
  timeoutMs,
);

test(
  'a node that asks after a remote question was answered does not have that one asked again',
  async () => {
    const thread = await platform.thread();
    const first = await platform.wait(thread, 'remote-asking-twice', { input: { question: 'one?' } });
    expect(questionsOf(first)).toEqual(['one?']);
    const second = await platform.wait(thread, 'remote-asking-twice', { command: { resume: 1 } });
    expect(questionsOf(second)).toEqual(['after 1']);
    const values = await platform.wait(thread, 'remote-asking-twice', { command: { resume: 2 } });
    expect(values).toMatchObject({ v: 1, own: 2 });
  },
  timeoutMs,
);

test(
  'a graph that is served streams what a graph that it calls over HTTP streams',
  async () => {
    const events: { event: string; data: any }[] = [];
    const { Client } = await import('@langchain/langgraph-sdk');
    const client = new Client({ apiUrl: service.url });
    const thread = await platform.thread();
    const stream = client.runs.stream(thread, 'remote-speaking', {
      input: { messages: [], tokens: 4 },
      streamMode: ['messages-tuple', 'custom', 'updates'],
      streamSubgraphs: true,
    });
    for await (const part of stream) events.push(part);
    const tokens = events.filter(({ event }) => event.startsWith('messages|elsewhere:'));
    const { messages } = (await client.threads.getState<{ messages: { content: string }[] }>(thread)).values;
    expect(tokens.map(({ data }) => data[0].content).join('')).toBe(messages.at(-1)?.content);
    expect(events.filter(({ event }) => event.startsWith('custom|elsewhere:')).map(({ data }) => data.from)).toEqual([
      'report',
      'speak',
    ]);
  },
  timeoutMs,
);

test(
  'a worker that dies while a graph that it called goes on does not start that one twice',
  async () => {
    const file = join(folder, 'worked');
    const thread = await platform.thread();
    const lines = (): string[] => readFileSync(file, 'utf8').split('\n');
    const run = await platform.run(thread, 'remote-working', { input: { file, holds: 'two' } });
    await until('the remote graph to hold', () => lines().includes('+two'));
    for (const worker of service.workerNames) await service.kill(worker);
    for (const worker of service.workerNames) await service.restart(worker);
    writeFileSync(`${file}.go`, '');
    const values = await platform.join(thread, run.run_id);
    expect(values.log).toEqual(expect.arrayContaining(['before', 'one', 'two', 'three', 'after']));
    expect(lines().filter((line) => line === '+before')).toHaveLength(1);
  },
  timeoutMs,
);
