import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { HttpError, RunFailedError, SuperstepClient } from 'superstep/client';
import { freePort } from '../../processes/free-port.js';
import { collect, serveStream, type StreamServer } from './stream-server.js';

let server: StreamServer;
let client: SuperstepClient;
beforeEach(async () => {
  server = await serveStream({ threadId: 't', runId: 'r', events: [] });
  client = new SuperstepClient({
    apiUrl: `${server.url}/`,
    apiKey: 'key',
    reconnect: { attempts: 3, baseMs: 1, maxMs: 2 },
  });
});
afterEach(() => server.close());

const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
/** Answers in turn, the last one for good. */
const inTurn = (...answers: ((response: ServerResponse) => void)[]): ((response: ServerResponse) => void) => {
  let turn = 0;
  return (response) => answers[Math.min(turn++, answers.length - 1)]?.(response);
};

describe('requests', () => {
  it('send the key, and the fields of a run in the names of the wire', async () => {
    server.answers.set('POST /threads/t/runs', json({ run_id: 'r' }));
    const request = {
      input: { a: 1 },
      streamMode: ['values', 'custom'],
      multitaskStrategy: 'reject',
      ifNotExists: 'create',
    } as const;
    expect(await client.runs.create('t', 'graph', request)).toEqual({ run_id: 'r' });
    const [seen] = server.requests;
    expect(seen?.headers['x-api-key']).toBe('key');
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      assistant_id: 'graph',
      input: { a: 1 },
      stream_mode: ['values', 'custom'],
      stream_resumable: true,
      multitask_strategy: 'reject',
      if_not_exists: 'create',
    });
  });

  it('that are refused for their fields say which, and why', async () => {
    const issues = [
      { path: ['thread_id'], message: 'Invalid UUID' },
      { path: ['config', 'tags'], message: 'Expected a list' },
    ];
    server.answers.set('POST /threads', json({ success: false, error: { name: 'ZodError', issues } }, 400));
    await expect(client.threads.create({})).rejects.toThrow(
      'POST /threads: HTTP 400: thread_id: Invalid UUID; config.tags: Expected a list',
    );
  });

  it('encode what goes into a path', async () => {
    await expect(client.threads.get('a/b?c')).rejects.toMatchObject({ status: 404 });
    expect(server.requests[0]?.path).toBe('/threads/a%2Fb%3Fc');
  });

  it('repeat a read while the service is starting', async () => {
    server.answers.set('GET /threads/t', inTurn(json({}, 503), json({}, 502), json({ thread_id: 't' })));
    expect(await client.threads.get('t')).toEqual({ thread_id: 't' });
  });

  it('do not repeat what changes something', async () => {
    server.answers.set('POST /threads', json({ detail: 'database' }, 503));
    await expect(client.threads.create()).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  it('repeat a start that never left, as when nothing listens', async () => {
    const port = await freePort();
    const absent = new SuperstepClient({
      apiUrl: `http://127.0.0.1:${port}`,
      reconnect: { attempts: 2, baseMs: 1, maxMs: 1 },
    });
    await expect(absent.threads.create()).rejects.toMatchObject({
      kind: 'connection',
      delivered: 'never',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['plain text', (response: ServerResponse) => response.writeHead(409).end('Thread is busy'), 'Thread is busy'],
    [
      'problem+json',
      json({ title: 'Conflict', detail: 'The run waits for no answer.' }, 409),
      'The run waits for no answer.',
    ],
    ['JSON without a message', json({ code: 7 }, 409), '{"code":7}'],
    ['nothing', (response: ServerResponse) => response.writeHead(409).end(), '(no message)'],
  ])('tell the message of a refusal given as %s', async (_form, answer, message) => {
    server.answers.set('POST /threads/t/runs/r/resume', answer);
    const failure = await client.runs.resume('t', 'r', true).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HttpError);
    expect((failure as HttpError).message).toBe(`POST /threads/t/runs/r/resume: HTTP 409: ${message}`);
  });
});

describe('waiting for a result', () => {
  const accepted = { 'content-type': 'application/json', 'content-location': '/threads/t/runs/r' };

  it('gives the final values, keep-alive newlines or not', async () => {
    server.answers.set('POST /threads/t/runs/wait', (response) => response.writeHead(200, accepted).end('\n\n{"a":1}'));
    expect(await client.runs.wait('t', 'graph')).toEqual({ a: 1 });
  });

  it('goes on by joining when the connection breaks or the service stops', async () => {
    server.answers.set('POST /threads/t/runs/wait', (response) => {
      response.writeHead(200, accepted).write('\n', () => response.socket?.destroy());
    });
    server.answers.set(
      'GET /threads/t/runs/r/join',
      inTurn((response) => response.writeHead(200).end('\n\n'), json({}, 503), json({ a: 2 })),
    );
    expect(await client.runs.wait('t', 'graph')).toEqual({ a: 2 });
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('rejects with the run’s error, or gives it when asked to', async () => {
    const failed = { __error__: { error: 'GraphRecursionError', message: 'limit of 4 reached' } };
    server.answers.set('GET /threads/t/runs/r/join', json(failed));
    const failure = await client.runs.join('t', 'r').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RunFailedError);
    expect(failure).toMatchObject({ error: 'GraphRecursionError', message: 'limit of 4 reached' });
    expect(await client.runs.join('t', 'r', { raiseError: false })).toEqual(failed);
  });
});

describe('events of the monitoring API', () => {
  const sse = (envelopes: readonly { id: string; type: string }[]) => (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      envelopes
        .map((envelope) => `event: ${envelope.type}\nid: ${envelope.id}\ndata: ${JSON.stringify(envelope)}\n\n`)
        .join(''),
    );
  };

  it('follow a run through ends of connections and pauses to its last event, without heartbeats', async () => {
    server.answers.set('GET /api/runs/r', json({ run_id: 'r', status: 'paused' }));
    server.answers.set(
      'GET /api/runs/r/events',
      inTurn(
        sse([
          { id: 'r:2', type: 'run.started' },
          { id: 'r:9', type: 'run.paused' },
        ]),
        sse([
          { id: 'r:9', type: 'heartbeat' },
          { id: 'r:9', type: 'run.paused' },
          { id: 'r:10', type: 'run.completed' },
        ]),
      ),
    );
    const received = await collect(client.processes.events('r'));
    expect(received.map(({ type }) => type)).toEqual(['run.started', 'run.paused', 'run.completed']);
    const cursors = server.requests
      .filter(({ path }) => path.endsWith('/events'))
      .map(({ lastEventId }) => lastEventId);
    expect(cursors).toEqual(['-1', 'r:9']);
  });
});
