// Progress views over the same log: snapshot, events, and the reference reducer that puts them together.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { applyEvent, viewOf } from '../../client/index.js';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { readSse, type SseEvent } from '../support/sse.js';
import { until } from '../support/until.js';

let service: Service;
let platform: Platform;

beforeAll(async () => {
  service = await Service.start({ workers: 1, env: { SUPERSTEP_HEARTBEAT_SECONDS: '1' } });
  platform = new Platform(service.url);
}, 120_000);
afterAll(() => service?.stop(), 60_000);

const start = (graph: string, input: object) => platform.json('POST', '/api/runs', { assistant_id: graph, input });
const snapshot = (run: string) => platform.json('GET', `/api/runs/${run}`);
const atWork = (now: any, name: string) => now.current_nodes.some(({ node }: any) => node === name);
const eventsUrl = (run: string) => `${service.url}/api/runs/${run}/events`;
const types = (events: readonly SseEvent[]) =>
  events.map(({ data }) => (data as { type: string }).type).filter((type) => type !== 'heartbeat');

test('a run is told of as started, its nodes, and completed; every envelope has its place', async () => {
  const { run_id: run, thread_id: thread } = await start('steps', {
    file: service.logFile('server') + '.steps',
    label: 'x',
  });
  const events = (await readSse(eventsUrl(run), { lastEventId: -1 })).filter(({ event }) => event !== 'heartbeat');
  expect(types(events)).toEqual([
    'run.started',
    ...['one', 'two', 'three'].flatMap(() => ['node.started', 'node.completed']),
    'run.completed',
  ]);
  const envelopes = events.map(({ data }) => data as Record<string, any>);
  for (const envelope of envelopes) {
    expect(envelope).toMatchObject({
      id: `${run}:${envelope.seq}`,
      version: expect.anything(),
      run_id: run,
      thread_id: thread,
    });
    expect(new Date(envelope.occurred_at).toISOString()).toBe(envelope.occurred_at);
  }
  const seqs = envelopes.map(({ seq }) => seq as number);
  expect([...seqs].sort((a, b) => a - b)).toEqual(seqs);
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(await snapshot(run)).toMatchObject({
    status: 'success',
    completed_nodes: expect.anything(),
    last_seq: seqs.at(-1),
  });
}, 60_000);

test('a pause keeps the stream open, an answer resumes it, and the terminal event closes it', async () => {
  const { run_id: run } = await start('ask', { question: { approve: 'this?', api_key: 'sk-secret-1234567890abcdef' } });
  const reading = readSse(eventsUrl(run), { lastEventId: -1 });
  const paused = await until('the run to be paused', async () => {
    const now = await snapshot(run);
    return now.status === 'paused' ? now : undefined;
  });
  expect(paused.waiting_for.interrupts).toHaveLength(1);
  expect(JSON.stringify(paused)).not.toContain('sk-secret');
  const wrong = await platform.call('POST', `/api/runs/${run}/resume`, { resume: { ['0'.repeat(32)]: 'x' } });
  expect(wrong.status).toBeGreaterThanOrEqual(400);
  expect(wrong.headers.get('content-type')).toMatch('application/problem+json');
  await platform.json('POST', `/api/runs/${run}/resume`, { resume: 'yes' });
  const events = await reading;
  expect(JSON.stringify(events)).not.toContain('sk-secret');
  expect(types(events)).toEqual(expect.arrayContaining(['run.started', 'run.paused', 'run.resumed', 'run.completed']));
  expect(types(events).at(-1)).toBe('run.completed');
  const again = await platform.call('POST', `/api/runs/${run}/resume`, { resume: 'yes' });
  expect(again.status).toBe(409);
}, 60_000);

test('a retried node reads as retrying, then completed, never as failed', async () => {
  const { run_id: run } = await start('flaky', {
    marker: `${service.logFile('server')}.retry`,
    mode: 'retry',
    log: [],
  });
  const events = await readSse(eventsUrl(run), { lastEventId: -1 });
  expect(types(events)).toContain('node.retrying');
  expect(types(events)).not.toContain('node.failed');
  expect(types(events).at(-1)).toBe('run.completed');
}, 60_000);

test('a failed node and a cancelled run', async () => {
  const failed = await start('flaky', { marker: `${service.logFile('server')}.fail`, mode: 'fail', log: [] });
  const failure = await readSse(eventsUrl(failed.run_id), { lastEventId: -1 });
  expect(types(failure)).toEqual(expect.arrayContaining(['node.failed', 'run.failed']));
  expect(await snapshot(failed.run_id)).toMatchObject({ status: 'error' });

  const { run_id: run } = await start('slow', { seconds: 60, label: 'x' });
  await until('the slow node to run', async () => atWork(await snapshot(run), 'slow'));
  await platform.json('POST', `/api/runs/${run}/cancel`, {});
  expect(types(await readSse(eventsUrl(run), { lastEventId: -1 })).at(-1)).toBe('run.cancelled');
}, 60_000);

test('snapshot and later events give the same view as all events, and what was seen is dropped', async () => {
  const { run_id: run } = await start('slow', { seconds: 4, label: 'x' });
  const middle = await until('the slow node to run', async () => {
    const now = await snapshot(run);
    return atWork(now, 'slow') ? now : undefined;
  });
  const all = (await readSse(eventsUrl(run), { lastEventId: -1 })).map(({ data }) => data as any);
  const later = (await readSse(eventsUrl(run), { lastEventId: `${run}:${middle.last_seq}` })).map(
    ({ data }) => data as any,
  );
  expect(later).toEqual(all.filter(({ seq }) => seq > middle.last_seq));
  const fromMiddle = all.reduce(applyEvent, viewOf(middle));
  const fromEnd = viewOf(await snapshot(run));
  expect(fromMiddle).toEqual(fromEnd);
}, 60_000);
