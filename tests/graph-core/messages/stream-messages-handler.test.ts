import { expect, test } from '@jest/globals';
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { StreamMessagesHandler, type MessageMetadata } from '../../../graph-core/messages/stream-messages-handler.js';

const none = { lc: 1, type: 'not_implemented', id: [] } as const;
const inNode = (more: object = {}) => ({
  langgraph_node: 'node',
  langgraph_path: ['__pregel_pull', 'node'],
  langgraph_checkpoint_ns: 'node:task',
  ...more,
});

function listening(scope?: { subgraphs: boolean; parentNs: string }) {
  const emitted: { ns: readonly string[]; id?: string; text: string; metadata: MessageMetadata }[] = [];
  const handler = new StreamMessagesHandler(
    (ns, [message, metadata]) => {
      emitted.push({ ns, id: message.id, text: message.text, metadata });
    },
    scope && { kind: 'graphs', ...scope },
  );
  const model = (run: string, metadata: object = inNode(), tags: string[] = []): void =>
    handler.handleChatModelStart({ ...none, id: [] }, [[]], run, undefined, {}, tags, { ...metadata }, 'Model');
  const token = (run: string, text: string, id?: string): void => {
    const message = new AIMessageChunk({ content: text, id });
    handler.handleLLMNewToken(text, undefined, run, undefined, undefined, {
      chunk: new ChatGenerationChunk({ message, text }),
    });
  };
  const node = (run: string, input: object, metadata: object = inNode(), tags: string[] = []): void =>
    handler.handleChainStart({ ...none, id: [] }, input, run, undefined, tags, { ...metadata }, undefined, 'node');
  return { handler, emitted, model, token, node };
}

test('chunks of one model run carry the run id until the provider names another', () => {
  const { emitted, model, token } = listening();
  model('1');
  token('1', 'a');
  token('1', 'b');
  model('2');
  token('2', 'c', 'from-provider');
  token('2', 'd');
  expect(emitted.map(({ id }) => id)).toEqual(['run-1', 'run-1', 'from-provider', 'from-provider']);
});

test('metadata tells of the task, and the namespace is that of its graph', () => {
  const { emitted, model, token } = listening();
  model('1', inNode({ langgraph_checkpoint_ns: 'outer:1|node:2' }), ['mine']);
  token('1', 'x');
  expect(emitted[0]).toMatchObject({
    ns: ['outer:1'],
    metadata: { langgraph_node: 'node', tags: ['mine'], name: 'Model' },
  });
});

test.each(['nostream', 'langsmith:nostream'])('a model with the tag %s is silent', (tag) => {
  const { emitted, model, token } = listening();
  model('1', inNode(), [tag]);
  token('1', 'x');
  expect(emitted).toEqual([]);
});

test('a model that did not stream is emitted when it ends', () => {
  const { handler, emitted, model } = listening();
  model('1');
  handler.handleLLMEnd({ generations: [[{ text: 'whole', message: new AIMessage('whole') } as never]] }, '1');
  expect(emitted).toMatchObject([{ id: 'run-1', text: 'whole' }]);
});

test('a node emits new messages once, and neither its input nor what its model streamed', () => {
  const { handler, emitted, model, token, node } = listening();
  const given = new HumanMessage({ id: 'given', content: 'hi' });
  node('n', { messages: [given] });
  model('m');
  token('m', 'streamed');
  handler.handleChainEnd(
    {
      messages: [
        given,
        new AIMessage({ id: 'run-m', content: 'streamed' }),
        new AIMessage({ id: 'new', content: 'new' }),
      ],
    },
    'n',
  );
  expect(emitted.map(({ id }) => id)).toEqual(['run-m', 'new']);
});

test('messages without an id get one of their place in the output', () => {
  const { handler, emitted, node } = listening();
  node('n', {});
  const answer = new AIMessage('answer');
  handler.handleChainEnd({ messages: [answer, new ToolMessage({ content: 'r', tool_call_id: 'c' })] }, 'n');
  expect(emitted.map(({ id }) => id)).toEqual(['run-n-out-0', 'run-n-tool-c']);
  expect(answer.id).toBe('run-n-out-0');
});

test('what runs inside a node, and hidden nodes, are not taken for nodes', () => {
  const { handler, emitted, node } = listening();
  handler.handleChainStart({ ...none, id: [] }, {}, 'inner', undefined, [], inNode(), undefined, 'RunnableLambda');
  node('hidden', {}, inNode(), ['langsmith:hidden']);
  for (const run of ['inner', 'hidden']) handler.handleChainEnd({ messages: [new AIMessage('x')] }, run);
  expect(emitted).toEqual([]);
});

test('without subgraphs only the streaming graph is heard, wherever it is nested', () => {
  const { emitted, model, token } = listening({ subgraphs: false, parentNs: 'outer:1' });
  model('own', inNode({ langgraph_checkpoint_ns: 'outer:1|node:2' }));
  model('below', inNode({ langgraph_checkpoint_ns: 'outer:1|child:2|node:3' }));
  token('own', 'heard');
  token('below', 'unheard');
  expect(emitted.map(({ text }) => text)).toEqual(['heard']);
});
