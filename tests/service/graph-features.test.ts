// What `invoke()` can do, through the service: store and cache, functional graphs, drains, policies.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { readSse, type SseEvent } from '../support/sse.js';
import { until } from '../support/until.js';

let service: Service;
let platform: Platform;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'superstep-features-'));
  service = await Service.start({
    workers: 2,
    env: { SUPERSTEP_HEARTBEAT_TIMEOUT_SECONDS: '3', SUPERSTEP_SHUTDOWN_GRACE_SECONDS: '1' },
  });
  platform = new Platform(service.url);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

let files = 0;
const newFile = () => join(folder, `file-${(files += 1)}`);
const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
const status = async (thread: string, run: string) => (await platform.getRun(thread, run)).status as string;
const stream = (thread: string, run: string) =>
  readSse(`${service.url}/threads/${thread}/runs/${run}/stream`, { lastEventId: -1 });
const dataOf = (events: readonly SseEvent[], event: string) =>
  events.filter((each) => each.event === event).map(({ data }) => data);
/** Ids rise, so none is there twice. */
const rising = (events: readonly SseEvent[]) =>
  events.every(({ id }, n) => n === 0 || Number(id) > Number(events[n - 1]?.id));

test('the store outlives threads, and a cached node runs once for all of them', async () => {
  const file = newFile();
  for (const seen of [1, 2, 3]) {
    const thread = await platform.thread();
    const run = await platform.run(thread, 'memory', { input: { user: 'ada', file }, stream_mode: ['updates'] });
    expect(await platform.join(thread, run.run_id)).toMatchObject({ seen, answer: 'computed for ada' });
    const updates = dataOf(await stream(thread, run.run_id), 'updates');
    const cached = seen > 1 && { __metadata__: { cached: true } };
    expect(updates).toEqual([{ remember: { seen } }, { compute: { answer: 'computed for ada' }, ...cached }]);
  }
  expect(linesOf(file)).toEqual(['ada']);
}, 60_000);

test('a functional graph: finished tasks outlive the worker, and none runs again after it or after an interrupt', async () => {
  const file = newFile();
  const thread = await platform.thread();
  const input = { file, ask: true, kills: 1 };
  const run = await platform.run(thread, 'functional', { input, stream_mode: ['updates', 'tasks'] });
  expect((await platform.join(thread, run.run_id)).__interrupt__).toMatchObject([
    { value: { question: 'go on?', steps: ['one', 'two'] } },
  ]);
  expect(linesOf(file)).toEqual(['one', 'two', 'kill']);
  await platform.json('POST', `/threads/${thread}/runs/${run.run_id}/resume`, { resume: 'yes' });
  expect(await platform.join(thread, run.run_id)).toEqual({ steps: ['one', 'two', 'three'], answer: 'yes', runs: 1 });
  expect(linesOf(file)).toEqual(['one', 'two', 'kill', 'three']);
  expect(rising(await stream(thread, run.run_id))).toBe(true);

  const again = await platform.wait(thread, 'functional', { input: { file: newFile() } });
  expect(again).toMatchObject({ answer: null, runs: 2 });
}, 90_000);

test('workers that are told to stop hand back what they run: finished nodes stay finished, others run again', async () => {
  const file = newFile();
  const thread = await platform.thread();
  const run = await platform.run(thread, 'nested', {
    input: { file, holds: 'two' },
    stream_mode: ['updates', 'tasks'],
    stream_subgraphs: true,
  });
  await until('the nested graph to be in its second node', () => linesOf(file).includes('+two'));
  // Whichever of them has it: the first hands it to the second, and that one to the first, started again.
  await service.terminate('worker-1');
  await service.restart('worker-1');
  await service.terminate('worker-2');
  await until('the second node to run again', () => linesOf(file).filter((line) => line === '+two').length > 1);
  writeFileSync(`${file}.go`, '');
  const { log } = await platform.join(thread, run.run_id);
  await service.restart('worker-2');
  expect(log.toSorted()).toEqual(['after', 'before', 'beside', 'one', 'three', 'two']);
  const lines = linesOf(file);
  for (const name of ['before', 'beside', 'one', 'three', 'after']) {
    expect(lines.filter((line) => line.endsWith(name))).toEqual([`+${name}`, `-${name}`]);
  }
  expect(lines.filter((line) => line === '-two')).toEqual(['-two']);
  const events = await stream(thread, run.run_id);
  expect(rising(events)).toBe(true);
  const { attempt } = await platform.json('GET', `/api/runs/${run.run_id}`);
  expect(attempt).toBe(1); // The present one's, not those of a step that is done.
  expect(dataOf(events, 'error')).toEqual([]);
}, 90_000);

test.each(['before', 'one'])(
  'a graph that asks for a drain in "%s" stops as interrupted, and null input goes on',
  async (drains) => {
    const file = newFile();
    const thread = await platform.thread();
    const run = await platform.run(thread, 'nested', { input: { file, drains } });
    await platform.join(thread, run.run_id);
    expect(await status(thread, run.run_id)).toBe('interrupted');
    const { next, values } = await platform.state(thread);
    expect(next).toEqual(drains === 'before' ? ['beside', 'child'] : ['child']);
    expect(values.log).toEqual(drains === 'before' ? ['before'] : ['before', 'beside']);
    expect((await platform.json('GET', `/threads/${thread}`)).status).toBe('interrupted');
    const { tasks } = await platform.json('GET', `/threads/${thread}/state?subgraphs=true`);
    const nested = tasks.find(({ name }: { name: string }) => name === 'child').state;
    if (drains === 'one') expect(nested).toMatchObject({ next: ['two'], values: { log: ['one'] } });

    const done = await platform.wait(thread, 'nested', { input: null });
    expect(done.log.toSorted()).toEqual(['after', 'before', 'beside', 'one', 'three', 'two']);
    expect(linesOf(file).filter((line) => line.startsWith('-'))).toHaveLength(6);
  },
  60_000,
);

test.each([
  { quickFrom: 2, log: ['attempt 2', 'beside', 'further', 'last of 3'] },
  { quickFrom: 9, log: ['hasty: NodeTimeoutError', 'beside', 'further', 'last of 3'] },
])(
  'a time-out is retried by policy, then handled; deferred nodes wait: $log',
  async ({ quickFrom, log }) => {
    const thread = await platform.thread();
    const run = await platform.run(thread, 'policies', { input: { quickFrom }, stream_mode: ['updates'] });
    const done = await platform.join(thread, run.run_id);
    expect(done.log.toSorted()).toEqual(log.toSorted());
    expect(done.log.at(-1)).toBe('last of 3');
    // A node's own retry is no second telling of what its siblings did.
    const told = dataOf(await stream(thread, run.run_id), 'updates').map((update) => Object.keys(update as object)[0]);
    expect(told.filter((node) => node === 'beside')).toHaveLength(1);
  },
  60_000,
);

test('a run from an earlier checkpoint forks the thread there, nested graphs included', async () => {
  const file = newFile();
  const thread = await platform.thread();
  const first = await platform.wait(thread, 'nested', { input: { file } });
  expect(first.log).toHaveLength(6);
  const history = await platform.json('GET', `/threads/${thread}/history?limit=50`);
  const fork = history.find(({ next }: { next: string[] }) => next.includes('child'));
  const again = await platform.wait(thread, 'nested', { input: null, checkpoint_id: fork.checkpoint.checkpoint_id });
  expect(again.log.toSorted()).toEqual(first.log.toSorted());
  const began = (name: string) => linesOf(file).filter((line) => line === `+${name}`).length;
  expect(['before', 'beside', 'one', 'two', 'three', 'after'].map(began)).toEqual([1, 2, 2, 2, 2, 2]);
  expect(await platform.json('GET', `/threads/${thread}/history?limit=50`)).toHaveLength(history.length + 3);
}, 60_000);

test('an answer that comes after a cancel is refused, and none that was accepted is dropped', async () => {
  const thread = await platform.thread();
  const run = await platform.run(thread, 'ask', { input: {} });
  await platform.join(thread, run.run_id);
  const path = `/threads/${thread}/runs/${run.run_id}`;
  await platform.json('POST', `${path}/cancel`);
  const answer = await platform.call('POST', `${path}/resume`, { resume: 'yes' });
  expect([answer.status, answer.headers.get('x-superstep-error')]).toEqual([409, 'RUN_NOT_PAUSED']);
  await until('the run to end', async () => (await status(thread, run.run_id)) === 'interrupted');
}, 60_000);
