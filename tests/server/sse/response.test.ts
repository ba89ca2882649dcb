import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../server/errors.js';
import { sendEventStream, type EventStreamOptions, type StreamEnd } from '../../../server/sse/response.js';
import type { SseFrame } from '../../../server/sse/frame.js';
import { until } from '../../support/until.js';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Sent {
  /** How the stream ended, once it has. */
  end?: StreamEnd;
  error?: unknown;
}

async function serve(
  source: (signal: AbortSignal) => AsyncIterable<SseFrame>,
  options: Partial<EventStreamOptions> = {},
): Promise<{ readonly url: string; readonly sent: Sent }> {
  const sent: Sent = {};
  const app = express();
  app.get('/', async (_req, res) => {
    try {
      sent.end = await sendEventStream(res, source, {
        heartbeatMs: 10_000,
        closing: new AbortController().signal,
        ...options,
      });
    } catch (error) {
      sent.error = error;
      throw error;
    }
  });
  app.use(((_error, _req, res, _next) => res.destroy()) satisfies express.ErrorRequestHandler);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sent };
}

async function open(url: string): Promise<IncomingMessage> {
  const request = get(url);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

const frame = (id: number, data = '1'): SseFrame => ({ event: 'custom', data, id: String(id) });

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

describe('sendEventStream', () => {
  test('sends headers and a first byte before the first event exists', async () => {
    const { url } = await serve(async function* (signal) {
      await untilAborted(signal);
      yield frame(0);
    });
    const response = await open(url);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    expect(response.headers['cache-control']).toMatch(/no-transform/);
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.toString()).toBe(': heartbeat\n');
    response.destroy();
  });

  test('sends what the source yields and closes after it', async () => {
    const { url, sent } = await serve(async function* () {
      yield frame(0);
      yield frame(1);
    });
    const text = await (await fetch(url)).text();
    expect(text).toBe(': heartbeat\nevent: custom\ndata: 1\nid: 0\n\nevent: custom\ndata: 1\nid: 1\n\n');
    await until('the end', () => sent.end);
    expect(sent.end).toBe('complete');
  });

  test('sends heartbeats while nothing happens', async () => {
    const { url } = await serve(
      async function* (signal) {
        await untilAborted(signal);
        yield frame(0);
      },
      { heartbeatMs: 10 },
    );
    const response = await open(url);
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('four heartbeats', () => text.split(': heartbeat\n').length > 4);
    response.destroy();
  });

  test('tells the source when the client leaves', async () => {
    let stopped = false;
    const { url, sent } = await serve(async function* (signal) {
      yield frame(0);
      await untilAborted(signal);
      stopped = true;
    });
    const response = await open(url);
    await once(response, 'data');
    response.destroy();
    await until('the end', () => sent.end);
    expect(sent.end).toBe('disconnected');
    expect(stopped).toBe(true);
  });

  test('ends the response cleanly when the process is told to stop', async () => {
    const closing = new AbortController();
    const { url, sent } = await serve(
      async function* (signal) {
        yield frame(0);
        await untilAborted(signal);
      },
      { closing: closing.signal },
    );
    const response = await open(url);
    await once(response, 'data');
    const ended = once(response, 'end');
    response.resume();
    closing.abort();
    await ended;
    await until('the end', () => sent.end);
    expect(sent.end).toBe('closing');
  });

  test('asks for no more than a slow reader takes, and cuts it off when it takes nothing', async () => {
    let asked = 0;
    const { url, sent } = await serve(
      async function* () {
        for (;;) {
          asked += 1;
          yield frame(asked, JSON.stringify('x'.repeat(100_000)));
        }
      },
      { stallMs: 200 },
    );
    const response = await open(url);
    response.pause();
    await until('the end', () => sent.end);
    expect(sent.end).toBe('disconnected');
    // Socket buffers of both ends take some megabytes; the endless source was stopped by them.
    expect(asked).toBeLessThan(500);
    response.destroy();
  });

  test('an error meant for the client is the last event', async () => {
    const { url } = await serve(async function* () {
      yield frame(0);
      throw new ServiceError('LOG_EXPIRED', 'The events are no longer kept.');
    });
    const text = await (await fetch(url)).text();
    expect(text).toMatch(/event: error\ndata: {"error":"LOG_EXPIRED","message":"The events are no longer kept."}\n\n$/);
  });

  test('any other error cuts the connection, so that no client takes the part for the whole', async () => {
    const { url, sent } = await serve(async function* () {
      yield frame(0);
      throw new Error('the database is on fire');
    });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(sent.error).toMatchObject({ message: 'the database is on fire' });
  });
});
