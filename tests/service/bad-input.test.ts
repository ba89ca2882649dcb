// Every mistake gets the protocol's status and a message that names it; nothing is half-applied.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';

let service: Service;
let platform: Platform;
const nobody = '00000000-0000-7000-8000-000000000000';

beforeAll(async () => {
  service = await Service.start({ workers: 1, env: { SUPERSTEP_BODY_LIMIT_MB: '1' } });
  platform = new Platform(service.url);
}, 120_000);
afterAll(() => service?.stop(), 60_000);

test.each([
  ['GET', `/threads/${nobody}`, undefined, 404, /^Thread with ID .* not found/],
  ['GET', `/threads/${nobody}/state`, undefined, 404, /not found/],
  ['POST', `/threads/${nobody}/runs/wait`, { assistant_id: 'echo', input: {} }, 404, /not found/i],
  ['GET', `/assistants/${nobody}`, undefined, 404, /^Assistant not found/],
  ['POST', '/runs/wait', { assistant_id: 'nope', input: {} }, 404, /^No assistant found for "nope"/],
  ['POST', '/threads', '{"metadata": ', 400, /^Malformed JSON in request body/],
  ['GET', '/nowhere', undefined, 404, /^404 Not Found/],
])('%s %s answers %p with %i', async (method, path, body, status, message) => {
  const answer = await platform.call(method, path, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatch(message);
});

test.each([
  ['assistant_id', { input: {} }],
  ['stream_mode', { assistant_id: 'echo', stream_mode: ['everything'] }],
  ['multitask_strategy', { assistant_id: 'echo', multitask_strategy: 'hope' }],
  ['recursion_limit', { assistant_id: 'echo', config: { recursion_limit: 'many' } }],
])('a wrong %s is named', async (field, body) => {
  const thread = await platform.thread();
  const answer = await platform.call('POST', `/threads/${thread}/runs`, body);
  expect([400, 422]).toContain(answer.status);
  expect(JSON.stringify(answer.body)).toContain(field);
  expect(await platform.json('GET', `/threads/${thread}/runs`)).toEqual([]);
  expect((await platform.json('GET', `/threads/${thread}`)).status).toBe('idle');
});

test('a body over the limit is refused with the limit and the setting', async () => {
  const answer = await platform.call('POST', '/runs/wait', {
    assistant_id: 'echo',
    input: { text: 'x'.repeat(1_100_000) },
  });
  expect(answer.status).toBe(413);
  expect(JSON.stringify(answer.body)).toMatch(/SUPERSTEP_BODY_LIMIT_MB/);
});

test('a resume of a run that does not wait, of an unknown interrupt, and with null', async () => {
  const thread = await platform.thread();
  const done = await platform.run(thread, 'echo', { input: { text: 'x' } });
  await platform.join(thread, done.run_id);
  const path = (run: string) => `/threads/${thread}/runs/${run}/resume`;
  expect((await platform.call('POST', path(done.run_id), { resume: 'x' })).status).toBe(409);
  expect((await platform.call('POST', path(nobody), { resume: 'x' })).status).toBe(404);

  const asking = await platform.run(thread, 'ask', { input: {} });
  await platform.join(thread, asking.run_id);
  const unknown = await platform.call('POST', path(asking.run_id), { resume: { ['0'.repeat(32)]: 'x' } });
  expect([404, 422]).toContain(unknown.status);
  expect(JSON.stringify(unknown.body)).toContain('0'.repeat(32));
  const empty = await platform.call('POST', path(asking.run_id), { resume: null });
  expect([400, 422]).toContain(empty.status);
  expect(JSON.stringify(empty.body)).toContain('resume');
  await platform.json('POST', path(asking.run_id), { resume: 'still there' });
  expect((await platform.join(thread, asking.run_id)).v).toBe('still there');
}, 60_000);

test('a thread that is busy refuses state edits, and can be used afterwards', async () => {
  const thread = await platform.thread();
  const run = await platform.run(thread, 'slow', { input: { seconds: 1, label: 'A' } });
  const edit = await platform.call('POST', `/threads/${thread}/state`, { values: { label: 'B' } });
  expect(edit.status).toBe(409);
  expect(edit.body).toMatch(/^Thread is busy/);
  await platform.join(thread, run.run_id);
  expect((await platform.call('POST', `/threads/${thread}/state`, { values: { label: 'B' } })).status).toBe(200);
}, 60_000);

test('preflights need no key, the 401 carries the CORS header, and a key opens the service', async () => {
  const guarded = await Service.start({ workers: 1, env: { SUPERSTEP_API_KEY: 'a-key' } });
  try {
    const keyed = new Platform(guarded.url);
    const origin = { origin: 'https://app.example' };
    const preflight = await keyed.call('OPTIONS', '/threads', undefined, {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    });
    expect(preflight.status).toBeLessThan(300);
    for (const headers of [origin, { ...origin, 'x-api-key': 'wrong' }]) {
      const refused = await keyed.call('POST', '/threads', {}, headers);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('access-control-allow-origin')).toBeTruthy();
    }
    const allowed = await keyed.call('POST', '/threads', {}, { ...origin, 'x-api-key': 'a-key' });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-expose-headers')?.toLowerCase()).toMatch(/location/);
  } finally {
    await guarded.stop();
  }
}, 120_000);
