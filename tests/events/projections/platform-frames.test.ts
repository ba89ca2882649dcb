import { AIMessageChunk } from '@langchain/core/messages';
import { describe, expect, test } from '@jest/globals';
import type { Entry } from '../../../events/entry.js';
import { platformFrames, readFrom, type PlatformFramesOptions } from '../../../events/projections/platform-frames.js';
import { toWireJson } from '../../../events/wire-json.js';
import { collect, each, frame } from '../fixtures.js';

const frames = (entries: readonly Entry[], over: Partial<PlatformFramesOptions> = {}) =>
  collect(platformFrames(each(entries), { after: -1, resolve: async () => '"resolved"', ...over }));

const partial = (seq: number, chunk: AIMessageChunk): Entry =>
  frame(seq, seq, { event: 'messages/partial', json: `[${toWireJson(chunk)}]` });

describe('Platform frames', () => {
  test('carry the event with its namespace, the text as it was made, and the frame number', async () => {
    const entries = [
      frame(0, 0, { event: 'metadata', json: '{"run_id":"r","attempt":1}' }),
      { seq: 1, at: 0, event: 'node.started', json: '{}' } as Entry,
      frame(2, 1, { event: 'updates', ns: ['sub:1', 'deep:2'], json: '{"a": 1}' }),
    ];
    expect(await frames(entries)).toEqual([
      { event: 'metadata', data: '{"run_id":"r","attempt":1}', id: 0 },
      { event: 'updates|sub:1|deep:2', data: '{"a": 1}', id: 1 },
    ]);
  });

  test('begin after the cursor', async () => {
    expect(
      await frames(
        [0, 1, 2, 3].map((n) => frame(n, n)),
        { after: 1 },
      ),
    ).toMatchObject([{ id: 2 }, { id: 3 }]);
  });

  test('resolve what the log only refers to, and only when it is shown', async () => {
    const asked: unknown[] = [];
    const resolve = async (ref: unknown): Promise<string> => `${asked.push(ref)}`;
    const { json: _json, ...bare } = frame(0, 0, { event: 'values' });
    const entries = [0, 1].map((n) => ({
      ...bare,
      seq: n,
      frame: n,
      ref: { kind: 'checkpoint', checkpointId: `c${n}` },
    })) as Entry[];
    expect(await frames(entries, { after: 0, resolve })).toEqual([{ event: 'values', data: '1', id: 1 }]);
    expect(asked).toEqual([{ kind: 'checkpoint', checkpointId: 'c1' }]);
  });

  test('of a joining client are those of the modes it asks for, and metadata and errors', async () => {
    const events = [
      'metadata',
      'values',
      'messages',
      'messages/partial',
      'messages/complete',
      'custom',
      'error',
    ] as const;
    const json = `[${toWireJson(new AIMessageChunk({ content: '', id: 'x' }))}]`;
    const entries = events.map((event, n) => frame(n, n, { event, json }));
    const shown = async (...streamModes: string[]) =>
      (await frames(entries, { streamModes })).map(({ event }) => event);
    expect(await shown('messages-tuple')).toEqual(['metadata', 'messages', 'error']);
    expect(await shown('messages')).toEqual(['metadata', 'messages/partial', 'messages/complete', 'error']);
    expect(await shown('values', 'custom')).toEqual(['metadata', 'values', 'custom', 'error']);
  });
});

describe('messages/partial frames', () => {
  const tool = (args: string, over: object = {}) =>
    new AIMessageChunk({
      content: '',
      id: 'm',
      tool_call_chunks: [{ args, index: 0, type: 'tool_call_chunk', ...over }],
    });
  const chunks = [
    new AIMessageChunk({
      content: 'Let ',
      id: 'm',
      usage_metadata: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
    }),
    new AIMessageChunk({
      content: 'me',
      id: 'm',
      usage_metadata: { input_tokens: 0, output_tokens: 1, total_tokens: 1 },
    }),
    tool('{"q":', { name: 'search', id: 'call' }),
    tool('"x"}'),
  ];
  const entries = chunks.map((chunk, n) => partial(n, chunk));
  const whole = chunks.reduce((all, chunk) => all.concat(chunk));

  test('hold the message so far, put together as LangChain does', async () => {
    const shown = await frames(entries);
    expect(shown.map(({ data }) => (JSON.parse(data) as [{ content: string }])[0].content)).toEqual([
      'Let ',
      'Let me',
      'Let me',
      'Let me',
    ]);
    expect(JSON.parse(shown.at(-1)!.data)).toEqual([JSON.parse(toWireJson(whole))]);
    expect(JSON.parse(shown.at(-1)!.data)).toMatchObject([{ tool_calls: [{ name: 'search', args: { q: 'x' } }] }]);
  });

  test('are the same after a cut at every place', async () => {
    const uncut = await frames(entries);
    for (let after = -1; after < entries.length; after += 1) {
      expect(await frames(entries, { after })).toEqual(uncut.slice(after + 1));
    }
  });

  test('keep messages apart by id', async () => {
    const other = new AIMessageChunk({ content: 'B', id: 'n' });
    const shown = await frames([partial(0, chunks[0]!), partial(1, other), partial(2, chunks[1]!)]);
    expect(shown.map(({ data }) => (JSON.parse(data) as [{ content: string }])[0].content)).toEqual([
      'Let ',
      'B',
      'Let me',
    ]);
  });

  test('are read from the start of the log, others from the cursor', () => {
    const cursor = { kind: 'frame', after: 7 } as const;
    expect(readFrom({ stream_mode: ['messages', 'values'] }, cursor)).toEqual({ kind: 'frame', after: -1 });
    expect(readFrom({ stream_mode: ['messages', 'values'] }, cursor, ['values'])).toBe(cursor);
    expect(readFrom({ stream_mode: ['messages-tuple'] }, cursor)).toBe(cursor);
  });
});
