// What clients do while the service is being killed: each is one client's story, from its thread to the check of all
// that it may rely on.
import { expect } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { tokenText } from '../fixtures/graphs/tok.js';
import { checkCheckpoints } from './checkpoints.js';
import { checkMessages, checkReplay, readThroughOutages } from './durable-reader.js';
import type { PatientClient, RunIds } from './patient-client.js';
import type { Random } from './random.js';

export interface Scene {
  readonly client: PatientClient;
  readonly random: Random;
  /** For what nodes do outside of their state. */
  readonly folder: string;
  readonly databaseUrl: string;
  /** Resolves when the kills are over and everything runs. */
  readonly calm: Promise<void>;
  /** Kills between two times, in milliseconds since the epoch. */
  readonly killsDuring: (from: number, to: number) => number;
}

export type Story = (scene: Scene) => Promise<void>;

const newFile = ({ folder }: Scene): string => join(folder, randomUUID());
const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];

/** Input, supersteps: no checkpoint more, none less. */
async function checkThread({ client, databaseUrl }: Scene, thread: string, supersteps: number): Promise<void> {
  const checkpoints = await checkCheckpoints(databaseUrl, thread);
  expect(checkpoints.at(-1)?.step).toBe(supersteps);
  expect(await client.threadStatus(thread)).toBe('idle');
  expect((await client.state(thread)).next).toEqual([]);
}

const streamTokens =
  (graph: 'tok' | 'sub', streamModes: readonly string[], supersteps: number): Story =>
  async (scene) => {
    const { client, random } = scene;
    const tokens = random.between(20, 50);
    const thread = await client.thread();
    const ids = await client.submit(thread, graph, {
      input: { tokens, delayMs: random.between(20, 120), messages: [] },
      stream_mode: streamModes,
      stream_subgraphs: graph === 'sub',
      stream_resumable: true,
    });
    const readers = [random.fork(), random.fork()].map((own) => readThroughOutages(client, ids, own));
    const [events = [], others] = await Promise.all(readers);
    expect(others).toEqual(events);
    expect(await client.status(ids)).toBe('success');
    await scene.calm;
    await checkReplay(client, ids, events);
    checkMessages(events, tokenText(tokens));
    await checkThread(scene, thread, supersteps);
  };

/** A node whose step was under way at a kill may act once more. Nothing else acts twice, and nothing out of order. */
const effects: Story = async (scene) => {
  const { client } = scene;
  const file = newFile(scene);
  const began = Date.now();
  const thread = await client.thread();
  const ids = await client.submit(thread, 'steps', { input: { file, label: 'x' } });
  expect(await client.ended(ids)).toBe('success');
  const kills = scene.killsDuring(began, Date.now());
  await scene.calm;
  const lines = linesOf(file);
  expect(lines.filter((line, index) => line !== lines[index - 1])).toEqual(['x:one', 'x:two', 'x:three']);
  expect(lines.length).toBeLessThanOrEqual(3 + kills);
  expect((await client.state(thread)).values.log).toEqual(['one', 'two', 'three']);
  await checkThread(scene, thread, 3);
};

const longChain: Story = async (scene) => {
  const { client } = scene;
  const thread = await client.thread();
  const ids = await client.submit(thread, 'chain', { input: { bytes: 20_000 }, stream_mode: ['updates'] });
  const events = await readThroughOutages(client, ids, scene.random.fork());
  await scene.calm;
  await checkReplay(client, ids, events);
  const updates = events.filter(({ event }) => event === 'updates').flatMap(({ data }) => Object.keys(data as object));
  expect(lastOfEach(updates)).toEqual(Array.from({ length: 10 }, (_, index) => `n${index + 1}`));
  const { values } = await client.state(thread);
  expect(values).toMatchObject({ step: 10, payload: '10'.padEnd(20_000, 'x') });
  await checkThread(scene, thread, 10);
};

/** A lost attempt may have told of its update before the one that was committed. */
const lastOfEach = (names: readonly string[]): string[] => names.filter((name, index) => name !== names[index + 1]);

/** Runs that wait for their turn run once, in order. */
const queue: Story = async (scene) => {
  const { client, random } = scene;
  const thread = await client.thread();
  const labels = ['A', 'B', 'C'];
  const began = Date.now();
  const file = newFile(scene);
  const runs: RunIds[] = [];
  for (const label of labels) {
    const input = { label, file, seconds: random.between(1, 6) / 4 };
    runs.push(await client.submit(thread, 'slow', { input }));
  }
  for (const ids of runs) expect(await client.ended(ids)).toBe('success');
  const kills = scene.killsDuring(began, Date.now());
  await scene.calm;
  const { values } = await client.state(thread);
  expect(values.log).toEqual(labels.flatMap((label) => [`${label}:begin`, `${label}:slow`]));
  const lines = linesOf(file);
  expect(lines.filter((line, index) => line !== lines[index - 1])).toEqual(labels);
  expect(lines.length).toBeLessThanOrEqual(labels.length + kills);
  // Two supersteps each, and between two runs the later one's input with the checkpoint that follows it.
  await checkThread(scene, thread, 2 + 4 + 4);
};

const longStep: Story = async (scene) => {
  const { client, random } = scene;
  const thread = await client.thread();
  const input = { label: 'L', seconds: random.between(2, 5) };
  const ids = await client.submit(thread, 'slow', { input, stream_mode: ['custom', 'values'], stream_resumable: true });
  const events = await readThroughOutages(client, ids, random.fork());
  await scene.calm;
  await checkReplay(client, ids, events);
  expect((events.at(-1)?.data as { log: string[] }).log).toEqual(['L:begin', 'L:slow']);
  await checkThread(scene, thread, 2);
};

const manySteps: Story = async (scene) => {
  const { client } = scene;
  const thread = await client.thread();
  const ids = await client.submit(thread, 'loop100', { input: { k: 15 } });
  expect(await client.ended(ids)).toBe('success');
  await scene.calm;
  expect((await client.state(thread)).values.items).toEqual(Array.from({ length: 15 }, (_, index) => index));
  await checkThread(scene, thread, 15);
};

/** A node's own failure is retried by its policy, whatever else is lost. */
const ownRetries: Story = async (scene) => {
  const { client } = scene;
  const thread = await client.thread();
  const input = { marker: newFile(scene), mode: 'retry' };
  const ids = await client.submit(thread, 'flaky', { input });
  expect(await client.ended(ids)).toBe('success');
  await scene.calm;
  expect((await client.state(thread)).values.log).toEqual(['a', 'b', 'c']);
  await checkThread(scene, thread, 2);
};

/** Asked during the kills, still asked after them, and then answered. */
const waiting: Story = async (scene) => {
  const { client } = scene;
  const thread = await client.thread();
  const ids = await client.submit(thread, 'ask', { input: { question: 'go on?' } });
  const before = await client.asked(thread, 1);
  await scene.calm;
  expect(await client.questions(thread)).toEqual(before);
  expect(await client.threadStatus(thread)).toBe('interrupted');
  await client.resume(ids, 'yes');
  expect(await client.ended(ids)).toBe('success');
  expect((await client.state(thread)).values.v).toBe('yes');
  await checkThread(scene, thread, 1);
};

/** Two questions at once, answered by a new run. */
const waitingTwice: Story = async (scene) => {
  const { client } = scene;
  const thread = await client.thread();
  await client.submit(thread, 'par2', { input: { log: [] } });
  const before = await client.asked(thread, 2);
  await scene.calm;
  expect(await client.questions(thread)).toEqual(before);
  const answers = Object.fromEntries(before.map(({ id, value }) => [id, value === 'qa' ? false : 0]));
  const ids = await client.submit(thread, 'par2', { command: { resume: answers } });
  expect(await client.ended(ids)).toBe('success');
  expect((await client.state(thread)).values.log).toEqual(['a:false', 'b:0', 'c']);
  await checkThread(scene, thread, 2);
};

/** Answered while things are being killed. */
const answered: Story = async (scene) => {
  const { client } = scene;
  const thread = await client.thread();
  const ids = await client.submit(thread, 'ask', { input: {} });
  await client.asked(thread, 1);
  await client.resume(ids, { approved: true });
  expect(await client.ended(ids)).toBe('success');
  await scene.calm;
  expect((await client.state(thread)).values.v).toEqual({ approved: true });
  await checkThread(scene, thread, 1);
};

export const stories: Readonly<Record<string, Story>> = {
  'tokens, tuple by tuple': streamTokens('tok', ['messages-tuple', 'values'], 1),
  'tokens, message so far': streamTokens('tok', ['messages', 'values'], 1),
  'tokens of a subgraph': streamTokens('sub', ['messages-tuple', 'values', 'updates'], 2),
  effects,
  'long chain': longChain,
  queue,
  'long step': longStep,
  'many steps': manySteps,
  'own retries': ownRetries,
  waiting,
  'waiting for two answers': waitingTwice,
  answered,
};
