// A worker dies in the middle of a superstep, with a sibling's result told: nobody is told of it again.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { openSse, readSse, type SseEvent } from '../support/sse.js';
import { until } from '../support/until.js';

let service: Service;
let platform: Platform;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'superstep-told-'));
  service = await Service.start({
    workers: 2,
    env: { SUPERSTEP_HEARTBEAT_TIMEOUT_SECONDS: '3', SUPERSTEP_STEP_ATTEMPTS: '5' },
  });
  platform = new Platform(service.url);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const dataOf = (events: readonly SseEvent[], event: string) =>
  events.filter((each) => each.event === event).map(({ data }) => data as Record<string, unknown>);
const updatesOf = (events: readonly SseEvent[], node: string) =>
  dataOf(events, 'updates').filter((update) => node in update);
const endsOf = (events: readonly SseEvent[], node: string) =>
  dataOf(events, 'tasks').filter((task) => task['name'] === node && 'result' in task);

test.each([
  { seen: 'in the log before the worker dies', kills: 1 },
  { seen: 'by nobody before the workers die', kills: 2 },
])(
  'a result that was $seen is told once: in updates, tasks, messages and progress',
  async ({ seen, kills }) => {
    const file = join(folder, `siblings-${kills}`);
    const thread = await platform.thread();
    const run = await platform.run(thread, 'siblings', {
      input: { file, kills },
      stream_mode: ['updates', 'tasks', 'custom', 'messages-tuple'],
      stream_resumable: true,
    });
    const stream = `${service.url}/threads/${thread}/runs/${run.run_id}/stream`;
    let first: readonly SseEvent[] = [];
    if (seen.startsWith('in the log')) {
      const told = ({ event, data }: SseEvent) => event === 'updates' && 'quick' in (data as object);
      first = (await openSse(stream, { lastEventId: -1, until: told })).events;
    } else {
      await until('the first node to have run', () => existsSync(file));
    }
    writeFileSync(`${file}.seen`, '');
    await platform.join(thread, run.run_id);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    expect(lines.filter((line) => line === 'kill')).toHaveLength(kills);
    expect(lines.filter((line) => line === 'deadly')).toHaveLength(1);

    const whole = await readSse(stream, { lastEventId: -1 });
    const ids = whole.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    const rest = await readSse(stream, { lastEventId: first.at(-1)?.id ?? -1 });
    expect([...first, ...rest]).toEqual(whole);
    for (const node of ['quick', 'deadly']) {
      expect(updatesOf(whole, node)).toHaveLength(1);
      expect(updatesOf(whole, node)[0]).not.toHaveProperty('__metadata__');
      expect(endsOf(whole, node)).toHaveLength(1);
    }
    // It runs once more if its worker died before its result was saved.
    const runs = lines.filter((line) => line === 'quick').length;
    const reports = dataOf(whole, 'custom').length;
    expect(reports >= 1 && reports <= runs).toBe(true);
    const tokens = dataOf(whole, 'messages').map(([chunk]: any) => chunk.content);
    expect(tokens.join('')).toMatch(/one two three$/);
    const envelopes = await readSse(`${service.url}/api/runs/${run.run_id}/events`, { lastEventId: -1 });
    const completed = envelopes.filter(({ event }) => event === 'node.completed');
    expect(completed.map(({ data }) => (data as any).payload.node).toSorted()).toEqual(['deadly', 'last', 'quick']);
  },
  120_000,
);
