import { expect, test } from '@jest/globals';
import { AIMessage, AIMessageChunk, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { messagesStateReducer, REMOVE_ALL_MESSAGES } from '../../../graph-core/index.js';

const old = [new HumanMessage({ id: '1', content: 'one' }), new AIMessage({ id: '2', content: 'two' })];
const ids = (update: Parameters<typeof messagesStateReducer>[1]) =>
  messagesStateReducer(old, update).map(({ id }) => id);

test('the same id replaces in place, another is appended', () => {
  expect(ids([new AIMessage({ id: '1', content: 'new' }), new AIMessage({ id: '3', content: 'three' })])).toEqual([
    '1',
    '2',
    '3',
  ]);
});

test('a message without an id gets one, which serialisation keeps', () => {
  const [, , added] = messagesStateReducer(old, 'text');
  expect(added?.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(added?.toJSON()).toMatchObject({ kwargs: { id: added?.id } });
});

test('a RemoveMessage deletes, and an unknown id is an error', () => {
  expect(ids([new RemoveMessage({ id: '1' })])).toEqual(['2']);
  expect(() => ids([new RemoveMessage({ id: 'unknown' })])).toThrow("an ID that doesn't exist ('unknown')");
});

test('REMOVE_ALL_MESSAGES keeps only what follows it', () => {
  expect(
    ids([
      new AIMessage({ id: '3', content: '' }),
      new RemoveMessage({ id: REMOVE_ALL_MESSAGES }),
      new AIMessage({ id: '4', content: '' }),
    ]),
  ).toEqual(['4']);
});

test('a chunk becomes a whole message with its tool calls', () => {
  const chunk = new AIMessageChunk({
    id: 'c',
    content: '',
    tool_call_chunks: [{ name: 'f', args: '{"a":1}', id: 'x', index: 0, type: 'tool_call_chunk' }],
  });
  const message = messagesStateReducer([], [chunk])[0] as AIMessage;
  expect(message).toBeInstanceOf(AIMessage);
  expect(AIMessageChunk.isInstance(message)).toBe(false);
  expect(message.tool_calls).toMatchObject([{ name: 'f', args: { a: 1 }, id: 'x' }]);
});
