import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HttpError,
  ProtocolError,
  StreamLostError,
  SuperstepClient,
  type ClientOptions,
  type Reconnecting,
} from 'superstep/client';
import { collect, frame, serveStream, type StreamServer } from './stream-server.js';

const events = [
  { event: 'metadata', data: { attempt: 1 } },
  { event: 'messages', data: ['ü 世 🦜'] },
  { event: 'values', data: 'a\nb' },
];
const wire = events.map(({ event, data }, id) => frame(event, data, id)).join('');
const expected = events.map((event, id) => ({ id: String(id), ...event }));
/** Some hundred connections each. */
const everyByteMs = 60_000;
const quick = { attempts: 5, baseMs: 1, maxMs: 2 };

let server: StreamServer;
beforeEach(async () => {
  server = await serveStream({ threadId: 't', runId: 'r', events });
});
afterEach(() => server.close());

const client = (options: ClientOptions = {}): SuperstepClient =>
  new SuperstepClient({ apiUrl: server.url, reconnect: quick, ...options });

describe('a stream of a run', () => {
  it(
    'yields every event once wherever the connection is cut',
    async () => {
      for (let afterBytes = 0; afterBytes <= Buffer.byteLength(wire); afterBytes += 1) {
        server.fates = [{ kind: 'cut', afterBytes }];
        const received = await collect(client().runs.stream('t', 'graph', { input: 1 }));
        expect({ afterBytes, received }).toEqual({ afterBytes, received: expected });
      }
      expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(Buffer.byteLength(wire) + 1);
    },
    everyByteMs,
  );

  it(
    'yields every event once wherever a stopping service ends it, even when the run is over by then',
    async () => {
      for (let afterBytes = 0; afterBytes <= Buffer.byteLength(wire); afterBytes += 1) {
        for (const statuses of [['running'], ['success']]) {
          server.fates = [{ kind: 'drain', afterBytes }];
          server.statuses = [...statuses];
          const received = await collect(client().runs.joinStream('t', 'r', { lastEventId: '-1' }));
          expect({ afterBytes, statuses, received }).toEqual({ afterBytes, statuses, received: expected });
        }
      }
    },
    everyByteMs,
  );

  it('survives a cut of every one of its connections as long as each brings something', async () => {
    const sizes = events.map(({ event, data }, id) => Buffer.byteLength(frame(event, data, id)));
    server.fates = sizes.map((size) => ({ kind: 'cut' as const, afterBytes: size + 1 }));
    const joined = client({ reconnect: { ...quick, attempts: 1 } }).runs.joinStream('t', 'r', { lastEventId: '-1' });
    expect(await collect(joined)).toEqual(expected);
  });

  it('joins from the last id it yielded, and from the beginning where there was none', async () => {
    const [metadata] = events;
    server.fates = [
      { kind: 'cut', afterBytes: 0 },
      { kind: 'cut', afterBytes: Buffer.byteLength(frame('metadata', metadata?.data, 0)) },
    ];
    await collect(client().runs.stream('t', 'graph'));
    const joins = server.requests.filter(({ path, method }) => method === 'GET' && path.endsWith('/stream'));
    expect(joins.map(({ lastEventId }) => lastEventId)).toEqual(['-1', '0', '2']);
  });

  it('takes a connection on which nothing arrives for dead', async () => {
    server.fates = [{ kind: 'freeze', afterBytes: 70 }];
    const reconnects: Reconnecting[] = [];
    const stream = client({ silenceMs: 50 }).runs.stream(
      't',
      'graph',
      {},
      { onReconnect: (now) => reconnects.push(now) },
    );
    expect(await collect(stream)).toEqual(expected);
    expect(reconnects.map(({ cause }) => cause?.message)).toEqual([
      expect.stringContaining('nothing arrived for 50 ms'),
    ]);
  });

  it('never yields an id that is not above the last, whatever is sent again', async () => {
    server.answers.set('GET /threads/t/runs/r/stream', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end([3, 4, 4, 2, 10, 9].map((id) => frame('custom', id, id)).join(''));
    });
    const received = await collect(client().runs.joinStream('t', 'r', { lastEventId: '3' }));
    expect(received.map(({ data }) => data)).toEqual([4, 10]);
  });

  it('gives up after the attempts it was given and says where it stood', async () => {
    server.fates = [
      { kind: 'cut', afterBytes: 55 },
      ...Array.from({ length: 9 }, () => ({ kind: 'refuse' as const, status: 503, body: 'starting' })),
    ];
    const failure = await collect(client().runs.stream('t', 'graph')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StreamLostError);
    expect(failure).toMatchObject({ lastEventId: '0', message: expect.stringContaining('5 attempts') });
  });

  it('waits as long as Retry-After says', async () => {
    server.fates = [
      { kind: 'cut', afterBytes: 0 },
      { kind: 'refuse', status: 503, body: '', headers: { 'retry-after': '0.05' } },
    ];
    const delays: number[] = [];
    await collect(client().runs.stream('t', 'graph', {}, { onReconnect: ({ delayMs }) => delays.push(delayMs) }));
    expect(delays[1]).toBe(50);
  });

  it('starts a run once: a start that may have arrived is not sent again', async () => {
    server.answers.set('POST /threads/t/runs/stream', (response) => response.socket?.destroy());
    await expect(collect(client().runs.stream('t', 'graph'))).rejects.toMatchObject({
      kind: 'connection',
      delivered: 'unknown',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('rejects with status and body when the service refuses', async () => {
    server.fates = [{ kind: 'refuse', status: 404, body: 'No assistant found for "graph".' }];
    const failure = await collect(client().runs.stream('t', 'graph')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HttpError);
    expect(failure).toMatchObject({ status: 404, body: 'No assistant found for "graph".' });
  });

  it('does not take a page of something else for a stream', async () => {
    server.answers.set('POST /threads/t/runs/stream', (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-location': '/threads/t/runs/r' }).end('<html>');
    });
    await expect(collect(client().runs.stream('t', 'graph'))).rejects.toBeInstanceOf(ProtocolError);
  });

  it('ends at an error event without asking further', async () => {
    server.answers.set('GET /threads/t/runs/r/stream', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame('error', { error: 'Error', message: 'broken' }, 0));
    });
    const received = await collect(client().runs.joinStream('t', 'r'));
    expect(received.map(({ event }) => event)).toEqual(['error']);
    expect(server.requests).toHaveLength(1);
  });

  it('rejects with the reason of its signal, and closes the connection', async () => {
    server.fates = [{ kind: 'freeze', afterBytes: 55 }];
    const leaving = new AbortController();
    const received: string[] = [];
    const following = (async () => {
      for await (const { event } of client().runs.stream('t', 'graph', {}, { signal: leaving.signal })) {
        received.push(event);
        leaving.abort(new Error('enough'));
      }
    })();
    await expect(following).rejects.toThrow('enough');
    expect(received).toEqual(['metadata']);
  });

  it('tells the run as soon as the service has accepted it', async () => {
    const created: unknown[] = [];
    const stream = client().runs.stream('t', 'graph', {}, { onRunCreated: (run) => created.push(run) });
    await stream.next();
    expect(created).toEqual([{ threadId: 't', runId: 'r' }]);
    await stream.return();
  });

  it('keeps events without ids, and says that it cannot take such a stream up again', async () => {
    server.answers.set('GET /threads/t/runs/r/stream', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: values\ndata: 1\n\n', () => response.socket?.end(() => response.socket?.destroy()));
    });
    const stream = client().runs.joinStream('t', 'r');
    expect((await stream.next()).value).toEqual({ event: 'values', data: 1 });
    await expect(stream.next()).rejects.toBeInstanceOf(StreamLostError);
  });
});
