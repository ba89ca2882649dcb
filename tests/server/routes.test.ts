import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aStep, pausedRun, submitted, idleThread } from '../storage/fixtures.js';
import { startApp, type TestApp } from './fixtures.js';

let app: TestApp;
let locked: TestApp;

beforeAll(async () => {
  [app, locked] = await Promise.all([startApp(), startApp({ apiKey: 'open sesame' })]);
}, 120_000);
afterAll(async () => {
  await app?.close();
  await locked?.close();
});
beforeEach(() => {
  app.control.calls.length = 0;
  app.control.resumed = undefined;
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly json: any;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, text, headers: response.headers, json: isJson ? JSON.parse(text) : undefined };
}
const newThread = async (): Promise<string> => (await call('POST', '/threads', {})).json.thread_id;

describe('what every route has in common', () => {
  test('health and info', async () => {
    expect((await call('GET', '/ok')).json).toEqual({ ok: true });
    expect((await call('GET', '/info')).json).toMatchObject({ version: '0.0.0-test', flags: { assistants: true } });
  });

  test('an unknown route is 404, as text, and as a problem under /api', async () => {
    expect(await call('GET', '/nowhere')).toMatchObject({ status: 404, text: '404 Not Found' });
    const problem = await call('GET', '/api/nowhere');
    expect(problem.headers.get('content-type')).toMatch('application/problem+json');
    expect(problem.json).toMatchObject({ status: 404, code: 'ROUTE_NOT_FOUND' });
  });

  test('a body that is not JSON is 400, whatever its content type', async () => {
    expect(await call('POST', '/threads', '{"a":')).toMatchObject({
      status: 400,
      text: 'Malformed JSON in request body',
    });
    const xml = { 'content-type': 'text/xml' };
    expect((await call('POST', '/threads', '{"metadata":{"a":1}}', xml)).json.metadata).toEqual({ a: 1 });
  });

  test('a body over the limit is 413, and says the limit and the setting', async () => {
    const answer = await call('POST', '/threads', { metadata: { big: 'x'.repeat(200_000) } });
    expect(answer.status).toBe(413);
    expect(answer.text).toMatch(/100000 bytes.*SUPERSTEP_BODY_LIMIT_MB/);
  });

  test('a field of the wrong type is 400 and named; the code is in a header', async () => {
    const answer = await call('POST', '/threads', { metadata: 7 });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      success: false,
      error: { name: 'ZodError', issues: [{ path: ['metadata'] }] },
    });
    expect(answer.headers.get('x-superstep-error')).toBe('INVALID_REQUEST');
  });

  test('a path that cannot be decoded is 400', async () => {
    expect((await call('GET', '/threads/%E0%A4%A')).status).toBe(400);
  });
});

describe('access', () => {
  const from = async (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${locked.url}${path}`, init);

  test('a key that is missing or wrong is 401, which a page may read', async () => {
    for (const headers of [{}, { 'x-api-key': 'open sesam' }] as Record<string, string>[]) {
      const answer = await from('/threads/search', {
        method: 'POST',
        headers: { ...headers, origin: 'https://page.example' },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(await answer.text()).toMatch(/API key/);
    }
    expect((await from('/api/runs/x')).headers.get('content-type')).toMatch('problem+json');
  });

  test('the right key opens', async () => {
    const headers = { 'x-api-key': 'open sesame' };
    expect((await from('/threads/search', { method: 'POST', headers })).status).toBe(200);
  });

  test('health, info and preflights need none', async () => {
    expect((await from('/ok')).status).toBe(200);
    expect((await from('/info')).status).toBe(200);
    const preflight = await from('/threads', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key');
  });

  test('pages may read where the run is', async () => {
    const exposed = (await from('/ok', { headers: { origin: 'https://page.example' } })).headers.get(
      'access-control-expose-headers',
    );
    for (const name of ['content-location', 'location', 'x-pagination-total', 'x-pagination-next'])
      expect(exposed).toContain(name);
  });
});

describe('threads', () => {
  test('a taken id is 409, or the thread itself with do_nothing', async () => {
    const thread_id = await newThread();
    const taken = await call('POST', '/threads', { thread_id });
    expect(taken).toMatchObject({ status: 409 });
    expect(taken.text).toMatch(/^Thread already exists/);
    expect((await call('POST', '/threads', { thread_id, if_exists: 'do_nothing' })).json.thread_id).toBe(thread_id);
  });

  test('an unknown one is 404 on every route', async () => {
    const id = randomUUID();
    const answers = await Promise.all([
      call('GET', `/threads/${id}`),
      call('PATCH', `/threads/${id}`, { metadata: {} }),
      call('DELETE', `/threads/${id}`),
      call('GET', `/threads/${id}/state`),
      call('POST', `/threads/${id}/state`, { values: {} }),
      call('GET', `/threads/${id}/history`),
      call('GET', `/threads/${id}/runs`),
      call('POST', `/threads/${id}/runs`, { assistant_id: 'shout' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(answers.every(({ text }) => text.startsWith(`Thread with ID ${id} not found`))).toBe(true);
  });

  test('search pages, selects and says whether there is more', async () => {
    const mark = randomUUID();
    for (let n = 0; n < 3; n += 1) await call('POST', '/threads', { metadata: { mark, n } });
    const body = { metadata: { mark }, limit: 2, select: ['metadata'] };
    const first = await call('POST', '/threads/search', body);
    expect((first.json as object[]).map((thread) => Object.keys(thread))).toEqual([['metadata'], ['metadata']]);
    expect([first.headers.get('x-pagination-next'), first.headers.get('x-pagination-total')]).toEqual(['2', '3']);
    const last = await call('POST', '/threads/search', { ...body, offset: 2 });
    expect([last.headers.get('x-pagination-next'), last.headers.get('x-pagination-total')]).toEqual([null, '3']);
    expect((await call('POST', '/threads/count', { metadata: { mark } })).json).toBe(3);
  });

  test('state of a thread that has had no run is empty, and cannot be edited', async () => {
    const thread = await newThread();
    expect((await call('GET', `/threads/${thread}/state`)).json).toMatchObject({
      values: {},
      next: [],
      checkpoint: null,
    });
    expect((await call('GET', `/threads/${thread}/history`)).json).toEqual([]);
    expect(await call('POST', `/threads/${thread}/state`, { values: {} })).toMatchObject({ status: 400 });
    expect(await call('GET', `/threads/${thread}/state/${randomUUID()}`)).toMatchObject({ status: 404 });
  });
});

describe('creating runs', () => {
  test('stores the run, hands it over with the nodes that come first, and says where it is', async () => {
    const thread = await newThread();
    const headers = { 'x-trace': 'abc', 'x-api-key': 'secret' };
    const answer = await call(
      'POST',
      `/threads/${thread}/runs`,
      { assistant_id: 'shout', input: { text: 'hi' } },
      headers,
    );
    expect(answer.status).toBe(200);
    const { run_id, assistant_id, status, kwargs, multitask_strategy, metadata } = answer.json;
    expect({ status, multitask_strategy }).toEqual({ status: 'pending', multitask_strategy: 'enqueue' });
    expect(metadata).toMatchObject({ graph_id: 'shout', assistant_id });
    expect(answer.headers.get('content-location')).toBe(`/threads/${thread}/runs/${run_id}`);
    expect(kwargs.config.configurable).toMatchObject({
      thread_id: thread,
      run_id,
      graph_id: 'shout',
      'x-trace': 'abc',
    });
    expect(kwargs.config.configurable).not.toHaveProperty('x-api-key');
    expect(app.control.calls).toEqual([{ call: 'submit', runId: run_id, detail: ['shout'] }]);
  });

  test('the ids in the config are ours, and the engine’s own keys are not for clients', async () => {
    const thread = await newThread();
    const config = { configurable: { thread_id: 'theirs', __pregel_resuming: true, checkpoint_ns: '', mine: 1 } };
    const { json } = await call('POST', `/threads/${thread}/runs`, { assistant_id: 'shout', config });
    expect(json.kwargs.config.configurable).toMatchObject({ thread_id: thread, mine: 1 });
    expect(Object.keys(json.kwargs.config.configurable)).not.toContain('__pregel_resuming');
  });

  test('reject is 422 while a run is pending, and stores nothing', async () => {
    const thread = await newThread();
    await call('POST', `/threads/${thread}/runs`, { assistant_id: 'shout' });
    const answer = await call('POST', `/threads/${thread}/runs`, {
      assistant_id: 'shout',
      multitask_strategy: 'reject',
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/^Thread is already running a task\./);
    expect((await call('GET', `/threads/${thread}/runs`)).json).toHaveLength(1);
  });

  test('if_not_exists create makes the thread', async () => {
    const thread = randomUUID();
    const created = await call('POST', `/threads/${thread}/runs`, { assistant_id: 'shout', if_not_exists: 'create' });
    expect(created.status).toBe(200);
    expect((await call('GET', `/threads/${thread}`)).json.status).toBe('busy');
  });

  test.each([
    [{ assistant_id: 'nobody' }, 404, /^No assistant found for "nobody"/],
    [{ assistant_id: 'broken' }, 422, /broken.*SyntaxError/],
    [{ assistant_id: 'constructor' }, 404, /^No assistant found for "constructor"/],
    [{ assistant_id: 'shout', stream_mode: 'everything' }, 400, /"everything"/],
    [{ assistant_id: 'shout', webhook: 'https://x' }, 422, /^webhook/],
    [{ assistant_id: 'shout', checkpoint_id: 'nowhere' }, 404, /^Checkpoint nowhere not found/],
  ])('%j is refused with %d and stores nothing', async (body, status, text) => {
    const thread = await newThread();
    const answer = await call('POST', `/threads/${thread}/runs`, body);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(text);
    expect((await call('GET', `/threads/${thread}/runs`)).json).toEqual([]);
    expect((await call('GET', `/threads/${thread}`)).json.status).toBe('idle');
  });
});

describe('runs', () => {
  test('a waiting run reads as success to Platform clients, and as paused under /api', async () => {
    const run = await pausedRun(app.storage);
    expect((await call('GET', `/threads/${run.threadId}/runs/${run.runId}`)).json.status).toBe('success');
    expect((await call('GET', `/threads/${run.threadId}/runs?status=success`)).json).toHaveLength(1);
    expect((await call('GET', `/api/runs/${run.runId}`)).json).toMatchObject({ status: 'paused', last_seq: -1 });
  });

  test('join of a waiting run gives the values and what it asks; of a finished one the values', async () => {
    const paused = await pausedRun(app.storage);
    const asked = await call('GET', `/threads/${paused.threadId}/runs/${paused.runId}/join`);
    expect(asked.json).toEqual({ draft: 1, __interrupt__: [{ id: 'a'.repeat(32), value: 'Really?' }] });

    const done = await submitted(app.storage);
    const settle = { then: { kind: 'settle', state: 'success', thread: idleThread() } } as const;
    await app.storage.steps.commitStep(aStep(app.storage, done, 1, settle));
    expect((await call('GET', `/runs/${done.runId}/join`)).json).toEqual({ done: true });
  });

  test('join of a failed run is 200 with its error', async () => {
    const run = await submitted(app.storage);
    const error = { error: 'ValueError', message: 'No luck.' };
    const record = { step: 1, end: { seq: 1, frame: 1 }, batches: [], result: null };
    await app.storage.steps.settleRun({ runId: run.runId, threadId: run.threadId, state: 'error', error, record });
    const answer = await call('GET', `/threads/${run.threadId}/runs/${run.runId}/join`);
    expect(answer).toMatchObject({ status: 200, json: { __error__: error } });
  });

  test('a run of another thread is not found', async () => {
    const run = await submitted(app.storage);
    const other = await newThread();
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/join'],
      ['GET', '/stream'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const) {
      const answer = await call(method, `/threads/${other}/runs/${run.runId}${path}`);
      expect(answer.status).toBe(404);
      expect(answer.text).toMatch(/^Run not found/);
    }
  });

  test.each([
    ['?action=rollback', 'rollback'],
    ['?wait=0', 'interrupt'],
    ['', 'interrupt'],
  ])('cancel%s is 202 at once', async (query, action) => {
    const run = await submitted(app.storage);
    expect((await call('POST', `/threads/${run.threadId}/runs/${run.runId}/cancel${query}`)).status).toBe(202);
    expect(app.control.calls).toEqual([{ call: 'cancel', runId: run.runId, detail: action }]);
  });

  test('a Last-Event-ID that is no id is 400', async () => {
    const run = await pausedRun(app.storage);
    const path = `/threads/${run.threadId}/runs/${run.runId}/stream`;
    const answer = await call('GET', path, undefined, { 'last-event-id': 'yesterday' });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.text).toMatch(/yesterday/);
    const stream = await call('GET', path, undefined, { 'last-event-id': '-1' });
    expect(stream.headers.get('location')).toBe(path);
    expect(stream.headers.get('content-type')).toMatch('text/event-stream');
  });
});

describe('resuming', () => {
  const resume = async (body: unknown, outcome?: TestApp['control']['resumed']): Promise<Answer> => {
    const run = await pausedRun(app.storage);
    app.control.resumed = outcome;
    return call('POST', `/threads/${run.threadId}/runs/${run.runId}/resume`, body);
  };

  test('any JSON value but null is an answer', async () => {
    for (const answer of [false, 0, '', [], {}]) expect((await resume({ resume: answer })).status).toBe(200);
    expect(app.control.calls.map(({ detail }) => detail)).toEqual([false, 0, '', [], {}]);
    expect((await resume({ resume: null })).status).toBe(400);
    expect((await resume({})).status).toBe(400);
  });

  test('of several answers the losers get 409', async () => {
    const lost = await resume({ resume: 1 }, { kind: 'not_paused', state: 'running', answered: true });
    expect(lost.status).toBe(409);
    expect(lost.headers.get('x-superstep-error')).toBe('PAUSE_ALREADY_ANSWERED');
    const early = await resume({ resume: 1 }, { kind: 'not_paused', state: 'success', answered: false });
    expect(early.status).toBe(409);
    expect(early.text).toMatch(/is not waiting for an answer: it is success/);
  });

  test('an unknown interrupt is named, with those that wait', async () => {
    const answer = await resume(
      { resume: { x: 1 } },
      { kind: 'unknown_interrupt', unknown: ['beef'], waiting: ['cafe'] },
    );
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/beef.*cafe/);
  });

  test('under /api the errors are problems', async () => {
    const run = await submitted(app.storage);
    app.control.resumed = { kind: 'not_paused', state: 'pending', answered: false };
    const answer = await call('POST', `/api/runs/${run.runId}/resume`, { resume: true });
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(answer.json).toMatchObject({ status: 409, code: 'RUN_NOT_PAUSED', retryable: false });
  });
});

test('nothing of the above was a fault of ours', () => {
  expect(app.faults).toEqual([]);
});
