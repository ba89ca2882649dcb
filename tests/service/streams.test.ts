import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { readSse, type SseEvent } from '../support/sse.js';

let service: Service;
let platform: Platform;

beforeAll(async () => {
  service = await Service.start({ workers: 2 });
  platform = new Platform(service.url);
}, 120_000);
afterAll(() => service?.stop(), 60_000);

const ids = (events: readonly SseEvent[]) => events.map(({ id }) => Number(id));
const increasing = (numbers: readonly number[]) =>
  numbers.every((n, at) => at === 0 || n > (numbers[at - 1] ?? Infinity));
const lastId = (events: readonly SseEvent[]) => events.at(-1)?.id ?? '';
const runOf = (events: readonly SseEvent[]) => (events[0]?.data as { run_id: string }).run_id;

test('D4: a stream cut at any place goes on at that place, and a finished run replays', async () => {
  const thread = await platform.thread();
  const stream = `${service.url}/threads/${thread}/runs/stream`;
  const body = {
    assistant_id: 'tok',
    input: { tokens: 60, delayMs: 50, messages: [] },
    stream_mode: ['messages-tuple', 'values'],
    stream_resumable: true,
  };
  const uncut = await readSse(stream, { body });
  expect(uncut[0]?.event).toBe('metadata');
  expect(increasing(ids(uncut))).toBe(true);
  expect(ids(uncut)[0]).toBe(0);
  const rejoin = `${service.url}/threads/${thread}/runs/${runOf(uncut)}/stream`;
  expect(await readSse(rejoin, { lastEventId: -1 })).toEqual(uncut);
  expect(await readSse(rejoin, { lastEventId: uncut[20]?.id ?? '' })).toEqual(uncut.slice(21));
  expect(await readSse(rejoin, { lastEventId: lastId(uncut) })).toEqual([]);

  for (const cutAfter of [1, 20, 59]) {
    const other = await platform.thread();
    const url = `${service.url}/threads/${other}/runs`;
    const prefix = await readSse(`${url}/stream`, { body, until: (_event, count) => count === cutAfter });
    const continuation = await readSse(`${url}/${runOf(prefix)}/stream`, { lastEventId: lastId(prefix) });
    const whole = await readSse(`${url}/${runOf(prefix)}/stream`, { lastEventId: -1 });
    expect([...prefix, ...continuation]).toEqual(whole);
    expect(whole.map(({ event }) => event)).toEqual(uncut.map(({ event }) => event));
    expect(increasing(ids(whole))).toBe(true);
  }
}, 120_000);

test('a join without an id gets what is new from then on, and nothing of before', async () => {
  const thread = await platform.thread();
  const url = `${service.url}/threads/${thread}/runs`;
  const body = {
    assistant_id: 'tok',
    input: { tokens: 40, delayMs: 100, messages: [] },
    stream_mode: ['messages-tuple'],
    stream_resumable: true,
  };
  const first = await readSse(`${url}/stream`, { body, until: (_event, count) => count === 8 });
  const rest = await readSse(`${url}/${runOf(first)}/stream`);
  const whole = await readSse(`${url}/${runOf(first)}/stream`, { lastEventId: -1 });
  expect(rest.length).toBeGreaterThan(0);
  expect(rest).toEqual(whole.slice(-rest.length));
  expect(Number(rest[0]?.id)).toBeGreaterThan(Number(lastId(first)));
}, 60_000);

test('D5: a reader that rejoins in a subgraph gets the same namespaced events', async () => {
  const body = {
    assistant_id: 'sub',
    input: { tokens: 20, delayMs: 60, messages: [] },
    stream_mode: ['updates', 'messages-tuple', 'custom'],
    stream_subgraphs: true,
    stream_resumable: true,
  };
  const thread = await platform.thread();
  const url = `${service.url}/threads/${thread}/runs`;
  const prefix = await readSse(`${url}/stream`, { body, until: (_event, count) => count === 8 });
  const rest = await readSse(`${url}/${runOf(prefix)}/stream`, { lastEventId: lastId(prefix) });
  const whole = await readSse(`${url}/${runOf(prefix)}/stream`, { lastEventId: -1 });
  expect([...prefix, ...rest]).toEqual(whole);
  expect(rest.some(({ event }) => /^updates\|child:[0-9a-f-]{36}$/.test(event))).toBe(true);
  expect(whole.some(({ event }) => event.startsWith('custom|child:'))).toBe(true);

  const flat = await readSse(`${service.url}/threads/${await platform.thread()}/runs/stream`, {
    body: {
      ...body,
      stream_subgraphs: false,
      input: { ...body.input, delayMs: 0 },
    },
  });
  expect(flat.filter(({ event }) => event.includes('|'))).toEqual([]);
  expect(flat.filter(({ event }) => event === 'custom').length).toBeGreaterThan(1);
}, 120_000);

test('D9: one id for each message in all modes, and a static message appears once', async () => {
  const events = await readSse(`${service.url}/threads/${await platform.thread()}/runs/stream`, {
    body: {
      assistant_id: 'tok',
      input: { tokens: 50, messages: [] },
      stream_mode: ['messages', 'messages-tuple', 'values'],
    },
  });
  const chunks = events.filter(({ event }) => event === 'messages').map(({ data }) => (data as any)[0]);
  const partials = events.filter(({ event }) => event === 'messages/partial').map(({ data }) => (data as any)[0]);
  const final = (events.filter(({ event }) => event === 'values').at(-1)?.data as any).messages.at(-1);
  expect(new Set([...chunks, ...partials, final].map(({ id }) => id)).size).toBe(1);
  expect(chunks.map(({ content }) => content).join('')).toBe(final.content);
  expect(partials.at(-1).content).toBe(final.content);

  const fixed = await readSse(`${service.url}/threads/${await platform.thread()}/runs/stream`, {
    body: { assistant_id: 'static-message', input: { messages: [] }, stream_mode: ['messages', 'values'] },
  });
  const said = fixed.filter(
    ({ event, data }) => /^messages\/(partial|complete)$/.test(event) && (data as any)[0]?.content === 'static',
  );
  expect(said).toHaveLength(1);
}, 60_000);
