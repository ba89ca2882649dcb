import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';

let service: Service;
let platform: Platform;

beforeAll(async () => {
  service = await Service.start({ workers: 2 });
  platform = new Platform(service.url);
}, 120_000);
afterAll(() => service?.stop(), 60_000);

const interruptsOf = (state: any): { id: string; value: unknown }[] =>
  state.tasks.flatMap((task: any) => task.interrupts);

test('D1: two parallel interrupts are answered in one command, false and 0 included', async () => {
  const thread = await platform.thread();
  const asked = await platform.wait(thread, 'par2', { input: { log: [] } });
  expect(asked.__interrupt__).toHaveLength(2);
  const interrupts = interruptsOf(await platform.state(thread));
  const idOf = (question: string) => interrupts.find(({ value }) => value === question)?.id ?? '';
  const answer = { [idOf('qa')]: false, [idOf('qb')]: 0 };
  const before = await platform.json('GET', `/threads/${thread}/runs`);
  const values = await platform.wait(thread, 'par2', { command: { resume: answer } });
  expect(values.log).toEqual(['a:false', 'b:0', 'c']);
  const runs = await platform.json('GET', `/threads/${thread}/runs`);
  expect(runs).toHaveLength(before.length + 1);
  expect(runs[0].status).toBe('success');
  expect((await platform.state(thread)).next).toEqual([]);
}, 60_000);

test.each([false, 0, '', [], {}, 'yes', { nested: [1, null] }])(
  'D1: any JSON value but null is an answer: %j',
  async (answer) => {
    const thread = await platform.thread();
    const run = await platform.run(thread, 'ask', { input: {} });
    await platform.join(thread, run.run_id);
    expect((await platform.json('GET', `/threads/${thread}`)).status).toBe('interrupted');
    await platform.json('POST', `/threads/${thread}/runs/${run.run_id}/resume`, { resume: answer });
    const values = await platform.join(thread, run.run_id);
    expect(values.v).toEqual(answer);
    expect((await platform.getRun(thread, run.run_id)).status).toBe('success');
  },
  60_000,
);

test('D3: a waiting run outlives workers, server and engine, and goes on where it was', async () => {
  const thread = await platform.thread();
  const asked = await platform.wait(thread, 'ask', { input: {} });
  expect(asked.__interrupt__).toEqual([expect.objectContaining({ value: 'q' })]);
  const [before] = interruptsOf(await platform.state(thread));
  for (const part of ['server', ...service.workerNames, 'temporal', 'postgres'] as const) await service.kill(part);
  for (const part of ['postgres', 'temporal', 'server', ...service.workerNames] as const) await service.restart(part);
  await service.ready();
  const state = await platform.state(thread);
  expect(interruptsOf(state)).toEqual([before]);
  expect(state.next).toEqual(['ask']);
  const values = await until('the run to be answered', () =>
    platform.wait(thread, 'ask', { command: { resume: 'yes' } }),
  );
  expect(values.v).toBe('yes');
}, 180_000);

test('D13: a value that cannot be stored fails the run at that step, by the name of its channel', async () => {
  const thread = await platform.thread();
  const result = await platform.wait(thread, 'bigint', { input: {} });
  expect(result.__error__.message).toContain('amount');
  expect((await platform.json('GET', `/threads/${thread}`)).status).toBe('error');
  expect((await platform.call('GET', `/threads/${thread}/state`)).status).toBe(200);
  const next = await platform.wait(thread, 'ask', { input: {} });
  expect(next.__interrupt__).toHaveLength(1);
}, 60_000);

test('of two answers to one interrupt at the same time exactly one wins', async () => {
  const thread = await platform.thread();
  const run = await platform.run(thread, 'ask', { input: {} });
  await platform.join(thread, run.run_id);
  const path = `/threads/${thread}/runs/${run.run_id}/resume`;
  const answers = await Promise.all(['a', 'b', 'c'].map((resume) => platform.call('POST', path, { resume })));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409, 409]);
  const winner = ['a', 'b', 'c'][answers.findIndex(({ status }) => status === 200)];
  expect((await platform.join(thread, run.run_id)).v).toBe(winner);
}, 60_000);

test('an edit of the state during a pause is kept when the run is resumed', async () => {
  const thread = await platform.thread();
  const run = await platform.run(thread, 'ask', { input: { question: 'q' } });
  await platform.join(thread, run.run_id);
  const [asked] = interruptsOf(await platform.state(thread));
  await platform.json('POST', `/threads/${thread}/state`, { values: { question: 'edited' }, as_node: '__start__' });
  await platform.json('POST', `/threads/${thread}/runs/${run.run_id}/resume`, { resume: { [asked?.id ?? '']: 'yes' } });
  expect(await platform.join(thread, run.run_id)).toMatchObject({ question: 'edited', v: 'yes' });
}, 60_000);

test('any string survives: a NUL and a lone surrogate in state and answers', async () => {
  const thread = await platform.thread();
  const run = await platform.run(thread, 'ask', { input: { question: 'a\u0000b' } });
  await platform.join(thread, run.run_id);
  await platform.json('POST', `/threads/${thread}/runs/${run.run_id}/resume`, { resume: 'c\u0000\ud800' });
  expect(await platform.join(thread, run.run_id)).toMatchObject({ question: 'a\u0000b', v: 'c\u0000\ud800' });
}, 60_000);
