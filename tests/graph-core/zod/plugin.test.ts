// The conformance programs cannot reach this: of two libraries in one process, the first installs the plugin.
import { expect, test } from '@jest/globals';
import { z } from 'zod/v3';
import { START, StateGraph } from '../../../graph-core/index.js';
import { schemaMetaRegistry } from '../../../graph-core/zod/index.js';
import { getStateTypeSchema, getUpdateTypeSchema } from '../../../graph-core/zod/schema.js';

const state = z.object({
  list: z
    .array(z.string())
    .default(() => ['first'])
    .langgraph.reducer((list, entry: string) => [...list, entry], z.string()),
  sum: z.number().langgraph.reducer((a, b) => a + b),
  text: z.string().langgraph.metadata({ langgraph_nodes: ['node'] }),
});

test('a reducer of a zod 3 schema folds writes, from the schema’s default on', async () => {
  const graph = new StateGraph(state)
    .addNode('node', () => ({ list: 'second', sum: 2 }))
    .addEdge(START, 'node')
    .compile();
  expect(await graph.invoke({ sum: 1, text: 'x' })).toEqual({ list: ['first', 'second'], sum: 3, text: 'x' });
  await expect(graph.invoke({ list: ['no text'] as never })).rejects.toThrow('Expected string');
});

test('metadata is kept, and shows in JSON schemas', () => {
  expect(schemaMetaRegistry.get(state.shape.text)).toEqual({ jsonSchemaExtra: { langgraph_nodes: ['node'] } });
  const graph = new StateGraph(state)
    .addNode('node', () => ({}))
    .addEdge(START, 'node')
    .compile();
  expect(getStateTypeSchema(graph)).toMatchObject({ properties: { text: { langgraph_nodes: ['node'] } } });
  expect(getUpdateTypeSchema(graph)).toMatchObject({ properties: { list: { type: 'string' } } });
});
