import { expect, test } from '@jest/globals';
import { AIMessage, type ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import {
  Command,
  interrupt,
  MessagesAnnotation,
  START,
  StateGraph,
  ToolNode,
  toolsCondition,
} from '../../../graph-core/index.js';

const asks = (...names: string[]) =>
  new AIMessage({ content: '', tool_calls: names.map((name) => ({ name, args: {}, id: `call-${name}` })) });
const none = z.object({});
const contents = (messages: unknown[]) => messages.slice(1).map((message) => (message as ToolMessage).content);

test('a dangerous tool asks first; the answer goes to the tool, and every call is answered once', async () => {
  let looked = 0;
  const remove = tool(() => `removal: ${interrupt<string, string>('really?')}`, {
    name: 'remove',
    description: 'd',
    schema: none,
  });
  const look = tool(() => `looked ${(looked += 1)} times`, { name: 'look', description: 'd', schema: none });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', new ToolNode([remove, look]))
    .addEdge(START, 'tools')
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: '1' } };
  const waiting = await graph.invoke({ messages: [asks('look', 'remove')] }, config);
  expect(waiting).toMatchObject({ __interrupt__: [{ value: 'really?' }] });
  const { messages } = await graph.invoke(new Command({ resume: 'approved' }), config);
  expect(contents(messages)).toEqual(['looked 2 times', 'removal: approved']);
});

test('a failing tool, and an unknown one, are answers to the model', async () => {
  const fails = tool(
    () => {
      throw new Error('disk full');
    },
    { name: 'fails', description: 'd', schema: none },
  );
  const { messages } = (await new ToolNode([fails]).invoke({ messages: [asks('fails', 'unknown')] })) as {
    messages: ToolMessage[];
  };
  expect(messages.map(({ status, content }) => [status, content])).toEqual([
    ['error', 'Error: disk full\n Please fix your mistakes.'],
    ['error', 'Error: Tool "unknown" not found.\n Please fix your mistakes.'],
  ]);
});

test('toolsCondition follows the last message', () => {
  expect(toolsCondition({ messages: [asks('x')] })).toBe('tools');
  expect(toolsCondition([asks('x'), new AIMessage('done')])).toBe('__end__');
});
