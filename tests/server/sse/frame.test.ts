import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, test } from '@jest/globals';
import { encodeFrame, HEARTBEAT, type SseFrame } from '../../../server/sse/frame.js';

const frames: readonly SseFrame[] = [
  { event: 'metadata', data: '{"run_id":"r","attempt":1}', id: '0' },
  { event: 'updates|sub:c59b-1', data: '{"text":"zwei Wörter, 漢字, 🎈"}', id: '1' },
  { event: 'custom', data: 'null' },
  { event: 'values', data: '{"a":[1,2,3]}', id: '16777216' },
];

/** As a client reads a body that arrives in these pieces. */
function parsed(pieces: readonly Uint8Array[]): EventSourceMessage[] {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }));
  return messages;
}

describe('encodeFrame', () => {
  test('writes event, data and id in this order, and a blank line', () => {
    expect(encodeFrame({ event: 'values', data: '{}', id: '3' })).toBe('event: values\ndata: {}\nid: 3\n\n');
    expect(encodeFrame({ event: 'values', data: '{}' })).toBe('event: values\ndata: {}\n\n');
  });

  test('a stream cut at any byte gives the same events', () => {
    const bytes = new TextEncoder().encode(frames.map((frame) => encodeFrame(frame) + HEARTBEAT).join(''));
    const whole = parsed([bytes]);
    expect(whole.map(({ event, data }) => ({ event, data }))).toEqual(
      frames.map(({ event, data }) => ({ event, data })),
    );
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(parsed([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
  });

  test('a heartbeat between or before events adds no event', () => {
    const bytes = new TextEncoder().encode(
      HEARTBEAT + encodeFrame(frames[0]!) + HEARTBEAT + HEARTBEAT + encodeFrame(frames[1]!),
    );
    expect(parsed([bytes])).toHaveLength(2);
  });

  test.each([
    ['event', { event: 'a\nb', data: '1' }],
    ['event', { event: 'a\rdata: x', data: '1' }],
    ['id', { event: 'a', data: '1', id: '1\n' }],
    ['id', { event: 'a', data: '1', id: '1\0' }],
  ])('refuses a line break or NUL in %s', (_field, frame) => {
    expect(() => encodeFrame(frame)).toThrow(/line break/i);
  });

  test.each(['\n', '\r\n', '\r'])('a line break %j in data stays in data', (lineBreak) => {
    const bytes = new TextEncoder().encode(encodeFrame({ event: 'a', data: `one${lineBreak}id: two` }));
    expect(parsed([bytes])).toMatchObject([{ event: 'a', data: 'one\nid: two' }]);
  });
});
