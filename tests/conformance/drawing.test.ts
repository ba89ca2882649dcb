// getGraph and drawMermaid.
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { program } from './harness.js';
import type { Library } from './library.js';

const state = (lg: Library) => lg.Annotation.Root({ text: lg.Annotation<string>() });
const noop = () => ({});

const routed = (lg: Library) =>
  new lg.StateGraph(state(lg))
    .addNode('a', noop, { metadata: { of: 'a' } })
    .addNode('b', noop)
    .addNode('c', () => new lg.Command({ goto: 'b' }), { ends: ['b', lg.END] as never })
    .addNode('subgraph', noop)
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => 'yes', { yes: 'b', no: 'c', sub: 'subgraph' })
    .addConditionalEdges('b', () => lg.END)
    .addEdge('subgraph', 'c');

interface Drawn {
  readonly nodes: Record<string, { id: string; name: string; metadata?: unknown }>;
  readonly edges: unknown[];
  drawMermaid(): string;
}

const draw = (t: { note(label: string, value: unknown): void }, graph: Drawn) => {
  t.note(
    'nodes',
    Object.values(graph.nodes).map(({ id, name, metadata }) => ({ id, name, metadata })),
  );
  t.note('edges', graph.edges);
  t.note('mermaid', graph.drawMermaid());
};

program('edges, routers and Commands', async (lg, t) => {
  draw(t, routed(lg).compile().getGraph());
  draw(
    t,
    await routed(lg)
      .compile({ interruptBefore: ['a', 'b'], interruptAfter: ['b'] })
      .getGraphAsync(),
  );
});

program('a graph that ends by itself, barriers, and tools', (lg, t) => {
  const node = new lg.ToolNode([tool(() => 'x', { name: 'look', description: 'd', schema: z.object({}) })], {
    name: 'tools',
  });
  const graph = new lg.StateGraph(lg.MessagesAnnotation)
    .addNode('a', noop)
    .addNode('b', noop)
    .addNode('tools', node)
    .addEdge(lg.START, 'a')
    .addEdge(lg.START, 'b')
    .addEdge(['a', 'b'], 'tools')
    .compile();
  draw(t, graph.getGraph());
});

program('graphs within nodes', (lg, t) => {
  const inner = routed(lg).compile();
  const middle = new lg.StateGraph(state(lg))
    .addNode('inner', inner)
    .addEdge(lg.START, 'inner')
    .addEdge('inner', lg.END)
    .compile();
  const outer = new lg.StateGraph(state(lg))
    .addNode('first', noop)
    .addNode('middle', middle)
    .addEdge(lg.START, 'first')
    .addEdge('first', 'middle')
    .compile();
  for (const xray of [false, true, 1, 2]) draw(t, outer.getGraph({ xray }));
});
