import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readBody } from '../../server/body.js';
import { errorResponses } from '../../server/error-responses.js';

const faults: unknown[] = [];
let server: Server;

beforeAll(async () => {
  const app = express();
  app.use(...readBody(1_000_000));
  app.post('/', (req, res) => {
    res.json({ body: req.body as unknown });
  });
  app.use(errorResponses((error) => faults.push(error)));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = async (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
  return { status: response.status, code: response.headers.get('x-superstep-error'), text: await response.text() };
};
const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels);

describe('a body that is nested deeply', () => {
  test('is read up to the limit', async () => {
    expect(await post(nested(500))).toMatchObject({ status: 200, text: `{"body":${nested(500)}}` });
  });

  test.each([501, 5_000, 400_000])('is refused at %d levels, with the limit', async (levels) => {
    expect(await post(nested(levels))).toMatchObject({
      status: 400,
      code: 'BODY_TOO_DEEP',
      text: expect.stringContaining('500 levels'),
    });
  });

  test('is refused where objects nest', async () => {
    const objects = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    expect(await post(objects)).toMatchObject({ status: 400, code: 'BODY_TOO_DEEP' });
  });
});

describe('a body in a charset', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'application/json; charset=UTF-8'])(
    'is read as %s',
    async (type) => {
      expect(await post('{"é":1}', { 'content-type': type })).toMatchObject({ status: 200, text: '{"body":{"é":1}}' });
    },
  );

  test.each(['utf-16', 'utf-16le', 'utf-32', 'utf-7', 'iso-8859-1'])('is refused as %s', async (charset) => {
    const body = Buffer.from('{"a":1}', 'utf16le');
    expect(await post(body, { 'content-type': `application/json; charset=${charset}` })).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_ENCODING',
    });
  });
});

test('a body that is not UTF-8 is refused, and not read with replaced characters', async () => {
  expect(await post(Buffer.from('{"name":"Zo\xeb"}', 'latin1'))).toMatchObject({
    status: 400,
    code: 'MALFORMED_JSON',
    text: expect.stringContaining('not UTF-8'),
  });
});

test('nothing of the above was a fault of ours', () => {
  expect(faults).toEqual([]);
});
