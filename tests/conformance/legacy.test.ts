// The oldest names: `Graph`, `ToolExecutor` and the agents made with it.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { program, saver, thread, type Graph as AnyGraph } from './harness.js';
import { ours, reference, type Library } from './library.js';

const chain = ({ Graph, START, END }: Library) =>
  new Graph()
    .addNode('add', (value: number) => value + 1)
    .addNode('double', (value: number) => value * 2)
    .addEdge(START, 'add')
    .addEdge('add', 'double')
    .addEdge('double', END);

program('Graph: each node takes what the one before it gave', async (lg, trace) => {
  const graph = chain(lg).compile() as unknown as AnyGraph;
  await trace.invoke(graph, 1);
  for (const streamMode of ['values', 'updates', 'tasks', undefined]) await trace.stream(graph, 7, { streamMode });
  await trace.stream(graph, 7, { streamMode: ['values', 'updates'], outputKeys: '__end__' });
});

program('Graph: with a checkpointer and breakpoints', async (lg, trace) => {
  const memory = saver();
  const graph = chain(lg).compile({ checkpointer: memory, interruptBefore: ['double'] }) as unknown as AnyGraph;
  await trace.invoke(graph, 1, thread());
  await trace.state(graph, thread());
  await trace.invoke(graph, null, thread());
  await trace.history(graph, thread());
});

program('Graph: nodes in other forms, and the old names of first and last', async ({ Graph }, trace) => {
  const graph = new Graph()
    .addNode([
      ['a', RunnableLambda.from((text: string) => `${text}a`)],
      ['b', (text: string) => `${text}b`],
    ])
    .setEntryPoint('a')
    .addEdge('a', 'b')
    .setFinishPoint('b')
    .compile({ name: 'letters' }) as unknown as AnyGraph & { name: string };
  trace.note('name', graph.name);
  await trace.invoke(graph, '');
});

program('Graph: what does not fit', async ({ Graph, START, END }, trace) => {
  const node = (value: unknown) => value;
  await trace.outcome('two ways', () => new Graph().addNode('a', node).addEdge('a', END).addEdge('a', END));
  await trace.outcome('no node', () => new Graph().addNode({}));
  await trace.outcome('taken', () => new Graph().addNode('a', node).addNode('a', node));
  await trace.outcome('reserved', () => new Graph().addNode('__end__', node));
  await trace.outcome('character', () => new Graph().addNode('a:b', node));
  await trace.outcome('from the end', () => new Graph().addEdge(END, END));
  await trace.outcome('to the start', () => new Graph().addEdge(START, START));
  await trace.outcome('unreachable', () => new Graph().addNode('a', node).addEdge('a', END).compile());
  await trace.outcome('unknown', () => new Graph().addEdge(START, 'x' as never).compile());
  await trace.outcome('breakpoint', () => chainless(Graph, node).compile({ interruptBefore: ['x'] as never }));
});

const chainless = (Graph: Library['Graph'], node: (value: unknown) => unknown) =>
  new Graph().addNode('a', node).addEdge('__start__', 'a').addEdge('a', '__end__');

program('Graph: drawn', (lg, trace) => {
  trace.note('drawing', chain(lg).compile().getGraph().drawMermaid());
});

test('Graph: conditional edges lead on; in LangGraph 1.7.3 they lead nowhere', async () => {
  const routed = ({ Graph, START, END }: Library) =>
    new Graph()
      .addNode('a', (value: number) => value + 1)
      .addNode('small', (value: number) => `${value} is small`)
      .addNode('large', (value: number) => `${value} is large`)
      .addEdge(START, 'a')
      .addConditionalEdges('a', (value: number) => (value > 5 ? 'large' : 'small'), ['small', 'large'])
      .addEdge('small', END)
      .addEdge('large', END)
      .compile();
  expect(await routed(ours).invoke(1)).toBe('2 is small');
  expect(await routed(ours).invoke(7)).toBe('8 is large');
  expect(await routed(reference).invoke(7)).toBeUndefined();
});

const shout = tool(async (text: string) => text.toUpperCase(), {
  name: 'shout',
  description: 'Louder',
  schema: z.string(),
});
const fail = tool(
  () => {
    throw new Error('broken');
  },
  { name: 'fail', description: 'Fails', schema: z.string() },
);

program('ToolExecutor: calls the tool that is named', async ({ ToolExecutor }, trace) => {
  const executor = new ToolExecutor({ tools: [shout, fail] });
  await trace.outcome('known', () => executor.invoke({ tool: 'shout', toolInput: 'hey' }));
  await trace.outcome('unknown', () => executor.invoke({ tool: 'whisper', toolInput: 'hey' }));
  await trace.outcome('fails', () => executor.invoke({ tool: 'fail', toolInput: 'hey' }));
  const own = new ToolExecutor({ tools: [], invalidToolMsgTemplate: 'no {requestedToolName}' });
  await trace.outcome('own text', () => own.invoke({ tool: 'shout', toolInput: 'hey' }));
});

program('createAgentExecutor: acts until it finishes', async ({ createAgentExecutor, ToolExecutor }, trace) => {
  const agentRunnable = RunnableLambda.from(({ input, steps }: { input: string; steps: { observation: unknown }[] }) =>
    steps.length < 2
      ? { tool: steps.length === 0 ? 'shout' : 'none', toolInput: input, log: '' }
      : { returnValues: { seen: steps.map(({ observation }) => observation) }, log: '' },
  );
  for (const tools of [[shout], new ToolExecutor({ tools: [shout] })]) {
    const graph = createAgentExecutor({ agentRunnable, tools: tools as never }) as unknown as AnyGraph;
    await trace.invoke(graph, { input: 'hey' });
    await trace.stream(graph, { input: 'hey' }, { streamMode: ['updates', 'values', 'tasks'] });
  }
});

program('createFunctionCallingExecutor: calls until the model does not', async (lg, trace) => {
  const bound: unknown[] = [];
  const model = {
    bind: (options: unknown) => {
      bound.push(options);
      return RunnableLambda.from((messages: unknown[]) =>
        messages.length < 3
          ? new AIMessage({
              id: `ai-${messages.length}`,
              content: '',
              additional_kwargs: { function_call: { name: 'shout', arguments: 'hey' } },
            })
          : new AIMessage({ id: 'ai-last', content: 'done' }),
      );
    },
  };
  const graph = lg.createFunctionCallingExecutor({ model, tools: [shout] }) as unknown as AnyGraph;
  const input = { messages: [new HumanMessage({ id: 'h', content: 'hi' })] };
  await trace.invoke(graph, input);
  await trace.stream(graph, input, { streamMode: ['updates', 'values'] });
  trace.note('bound', bound);
  await trace.outcome('no bind', () => lg.createFunctionCallingExecutor({ model: {}, tools: [shout] }));
});
