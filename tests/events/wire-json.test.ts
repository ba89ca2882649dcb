import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, test } from '@jest/globals';
import { toWireJson, WireJsonError } from '../../events/wire-json.js';
import { Command, Send } from '../../graph-core/index.js';

const wire = (value: unknown): unknown => JSON.parse(toWireJson(value));

describe('values on the wire', () => {
  test('messages are flat and keep their type, wherever they are', () => {
    expect(wire({ messages: [new HumanMessage({ content: 'hi', id: 'h' })] })).toEqual({
      messages: [{ type: 'human', content: 'hi', id: 'h', additional_kwargs: {}, response_metadata: {} }],
    });
    expect(wire([new AIMessageChunk({ content: 'a', id: 'x' }), new AIMessage('b')])).toMatchObject([
      { type: 'ai', content: 'a', id: 'x', tool_call_chunks: [] },
      { type: 'ai', content: 'b', tool_calls: [] },
    ]);
    expect(wire(new ToolMessage({ content: '42', tool_call_id: 't' }))).toMatchObject({
      type: 'tool',
      tool_call_id: 't',
    });
  });

  test('dates, maps, sets, bytes and errors have a form', () => {
    expect(
      wire({
        at: new Date(0),
        map: new Map([['a', new Set([1, 2])]]),
        bytes: new Uint8Array([1, 2, 3]),
        buffer: Buffer.from('hi'),
        error: new TypeError('no'),
      }),
    ).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      map: { a: [1, 2] },
      bytes: 'AQID',
      buffer: 'aGk=',
      error: { error: 'TypeError', message: 'no' },
    });
  });

  test('sends and commands read as data', () => {
    expect(wire(new Send('node', { a: new AIMessage('x') }))).toMatchObject({
      node: 'node',
      args: { a: { type: 'ai' } },
    });
    expect(wire(new Command({ resume: 0 }))).toMatchObject({ resume: 0 });
  });

  test('nothing at all reads null', () => {
    expect(toWireJson(undefined)).toBe('null');
  });

  test('text stays on one line', () => {
    expect(toWireJson({ text: 'a\nb\tc\r' })).not.toMatch(/[\n\r\t]/);
  });
});

describe('what JSON cannot hold is named by its place', () => {
  const cycle: { a: { b?: unknown } } = { a: {} };
  cycle.a.b = cycle;
  test.each([
    [{ plan: { steps: [1, 10n] } }, '"plan.steps[1]" is a BigInt (10n)'],
    [{ run: () => 1 }, '"run" is a function'],
    [{ tag: Symbol('x') }, '"tag" is a symbol'],
    [new Map([['k', 10n]]), '"k" is a BigInt'],
    [cycle, '"a.b" is part of a cycle'],
    [10n, 'The value is a BigInt'],
  ])('%#', (value, message) => {
    expect(() => toWireJson(value)).toThrow(WireJsonError);
    expect(() => toWireJson(value)).toThrow(message);
  });

  test('a value seen twice is no cycle', () => {
    const shared = { a: 1 };
    expect(wire([shared, shared])).toEqual([shared, shared]);
  });
});
