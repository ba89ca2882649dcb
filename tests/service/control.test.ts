import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { openSse, readSse } from '../support/sse.js';
import { until } from '../support/until.js';

let service: Service;
let platform: Platform;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'superstep-control-'));
  service = await Service.start({
    workers: 2,
    env: { SUPERSTEP_STEP_ATTEMPTS: '2', SUPERSTEP_HEARTBEAT_TIMEOUT_SECONDS: '3' },
  });
  platform = new Platform(service.url);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

let files = 0;
const newFile = () => join(folder, `effect-${(files += 1)}`);
const slow = (seconds: number, label: string, file = newFile()) => ({ input: { seconds, label, file }, file });
const status = async (thread: string, run: string) => (await platform.getRun(thread, run)).status as string;
/** The node `slow` is in the middle of its work. */
const ticking = (thread: string, run: string) =>
  until('the run to be in its slow node', async () => {
    const { next } = await platform.state(thread);
    return next[0] === 'slow' && (await status(thread, run)) === 'running';
  });

test('D2: a node that kills its worker every time ends its run, and the thread can be used', async () => {
  const thread = await platform.thread();
  const result = await platform.wait(thread, 'killer', { input: {} });
  expect(result.__error__.message).toMatch(/killer/);
  const next = await platform.wait(thread, 'ask', { input: {} });
  expect(next.__interrupt__).toHaveLength(1);
}, 120_000);

test('D7: cancel with wait returns when the node has stopped, and its effect is absent', async () => {
  const thread = await platform.thread();
  const { input, file } = slow(8, 'A');
  const run = await platform.run(thread, 'slow', { input, stream_mode: ['custom'] });
  await ticking(thread, run.run_id);
  await platform.json('POST', `/threads/${thread}/runs/${run.run_id}/cancel?wait=1`);
  expect(await status(thread, run.run_id)).toBe('interrupted');
  const events = await readSse(`${service.url}/threads/${thread}/runs/${run.run_id}/stream`, { lastEventId: -1 });
  expect(events.some(({ data }) => (data as any).aborted !== undefined)).toBe(true);
  expect(events.some(({ event }) => event === 'error')).toBe(false);
  expect((await platform.state(thread)).next).toEqual(['slow']);
  expect(existsSync(file)).toBe(false);
}, 60_000);

test.each([
  { onDisconnect: 'cancel', expected: 'interrupted' },
  { onDisconnect: 'continue', expected: 'success' },
  { onDisconnect: undefined, expected: 'success' },
])(
  'D7: a dropped socket with on_disconnect $onDisconnect ends the run as $expected',
  async ({ onDisconnect, expected }) => {
    const thread = await platform.thread();
    const { input, file } = slow(3, 'A');
    let runId = '';
    await openSse(`${service.url}/threads/${thread}/runs/stream`, {
      body: {
        assistant_id: 'slow',
        input,
        stream_mode: ['custom'],
        ...(onDisconnect && { on_disconnect: onDisconnect }),
      },
      until: ({ event, data }) => {
        if (event === 'metadata') runId = (data as { run_id: string }).run_id;
        return event === 'custom';
      },
    });
    await until('the run to end', async () => !['pending', 'running'].includes(await status(thread, runId)));
    expect(await status(thread, runId)).toBe(expected);
    expect(existsSync(file)).toBe(expected === 'success');
  },
  60_000,
);

test('D8: reject refuses a run on a busy thread and leaves the other alone', async () => {
  const thread = await platform.thread();
  const run = await platform.run(thread, 'slow', { input: slow(2, 'A').input });
  await ticking(thread, run.run_id);
  const refused = await platform.call('POST', `/threads/${thread}/runs`, {
    assistant_id: 'slow',
    input: slow(1, 'B').input,
    multitask_strategy: 'reject',
  });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatch(/^Thread is already running a task/);
  await platform.join(thread, run.run_id);
  expect(await status(thread, run.run_id)).toBe('success');
  expect((await platform.state(thread)).values.log).toEqual(['A:begin', 'A:slow']);
}, 60_000);

test.each([undefined, 'enqueue'])(
  'D8: strategy %s runs B after A',
  async (strategy) => {
    const thread = await platform.thread();
    const a = await platform.run(thread, 'slow', { input: slow(2, 'A').input });
    await ticking(thread, a.run_id);
    const b = await platform.run(thread, 'slow', {
      input: slow(0.5, 'B').input,
      ...(strategy !== undefined && { multitask_strategy: strategy }),
    });
    const both = await Promise.all([status(thread, a.run_id), status(thread, b.run_id)]);
    expect(both).toEqual(['running', 'pending']);
    await platform.join(thread, b.run_id);
    expect((await platform.state(thread)).values.log).toEqual(['A:begin', 'A:slow', 'B:begin', 'B:slow']);
  },
  60_000,
);

test('D8: interrupt stops A, keeps its finished steps, and runs B', async () => {
  const thread = await platform.thread();
  const a = await platform.run(thread, 'slow', { input: slow(20, 'A').input });
  await ticking(thread, a.run_id);
  const b = await platform.run(thread, 'slow', { input: slow(0.5, 'B').input, multitask_strategy: 'interrupt' });
  await platform.join(thread, b.run_id);
  expect(await status(thread, a.run_id)).toBe('interrupted');
  expect(await status(thread, b.run_id)).toBe('success');
  expect((await platform.state(thread)).values.log).toEqual(['A:begin', 'B:begin', 'B:slow']);
}, 60_000);

test('D8: rollback removes A and its checkpoints, and B starts from the state before', async () => {
  const thread = await platform.thread();
  await platform.wait(thread, 'slow', { input: slow(0, 'before').input });
  const a = await platform.run(thread, 'slow', { input: slow(20, 'A').input });
  await ticking(thread, a.run_id);
  const b = await platform.run(thread, 'slow', { input: slow(0.5, 'B').input, multitask_strategy: 'rollback' });
  await platform.join(thread, b.run_id);
  expect((await platform.call('GET', `/threads/${thread}/runs/${a.run_id}`)).status).toBe(404);
  expect((await platform.state(thread)).values.log).toEqual(['before:begin', 'before:slow', 'B:begin', 'B:slow']);
  const history = await platform.json('GET', `/threads/${thread}/history?limit=100`);
  expect(history.some(({ metadata }: any) => metadata.run_id === a.run_id)).toBe(false);
}, 60_000);

test.each([
  { limit: 4, outcome: 'error', items: 4, next: ['a'] },
  { limit: 5, outcome: 'error', items: 5, next: [] },
  { limit: 6, outcome: 'success', items: 5, next: [] },
])(
  'D11: loop of 5 with a recursion limit of $limit ends as $outcome',
  async ({ limit, outcome, items, next }) => {
    const thread = await platform.thread();
    const run = await platform.run(thread, 'loop', { input: { k: 5 }, config: { recursion_limit: limit } });
    const result = await platform.join(thread, run.run_id);
    expect(await status(thread, run.run_id)).toBe(outcome);
    if (outcome === 'error') expect(JSON.stringify(result)).toMatch(/recursion limit/i);
    const state = await platform.state(thread);
    expect(state.values.items.length).toBeLessThanOrEqual(items);
    if (limit === 4) expect(state.next).toEqual(next);
    expect((await platform.wait(thread, 'echo', { input: { text: 'still here' } })).reply).toBe('still here');
  },
  60_000,
);

test('D11: a limit bound to the graph holds where the request names none', async () => {
  const values = await platform.wait(await platform.thread(), 'loop100', { input: { k: 40 } });
  expect(values.items).toHaveLength(40);
}, 120_000);

test.each([3_000_000, 8_000_000])(
  'D12: %i bytes of state reach the next node',
  async (bytes) => {
    const values = await platform.wait(await platform.thread(), 'big', { input: { bytes } });
    expect(values.length).toBe(bytes);
  },
  120_000,
);

test('D12: 40 parallel nodes of 200 KB each', async () => {
  const values = await platform.wait(await platform.thread(), 'wide', { input: { tasks: 40, bytes: 200_000 } });
  expect(values.lengths).toEqual(Array.from({ length: 40 }, () => 200_000));
}, 120_000);
