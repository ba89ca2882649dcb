// getGraph and drawMermaid.
import { RunnableLambda, RunnableSequence } from '@langchain/core/runnables';
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
  drawMermaid(options?: { withStyles?: boolean; curveStyle?: string; wrapLabelNWords?: number }): string;
  toJSON(): unknown;
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

program('labels, ends that are a record, barriers from START, and words of Mermaid', (lg, t) => {
  const graph = new lg.StateGraph(state(lg))
    .addNode('end', noop)
    .addNode('graph', noop)
    .addNode('with space', noop)
    .addNode('subgraph', () => new lg.Command({ goto: 'end' }), { ends: ['end', 'with space'] as never })
    .addEdge(lg.START, 'graph')
    .addConditionalEdges('graph', () => 'END' as const, { END: lg.END, again: 'graph', 'to sub': 'subgraph' })
    .addConditionalEdges('with space', () => ['end'], ['end', 'graph'])
    .addEdge('end', lg.END)
    .compile();
  draw(t, graph.getGraph());
  t.note('plain', graph.getGraph().drawMermaid({ withStyles: false }));
  t.note('curves', graph.getGraph().drawMermaid({ curveStyle: 'basis', wrapLabelNWords: 1 }));
});

program('breakpoints everywhere, and within a graph within', (lg, t) => {
  const inner = routed(lg).compile({ interruptBefore: ['a'], interruptAfter: ['b'] });
  const outer = (options: object) =>
    new lg.StateGraph(state(lg)).addNode('inner', inner).addEdge(lg.START, 'inner').compile(options);
  for (const options of [{}, { interruptBefore: '*' }, { interruptAfter: ['inner'] }]) {
    for (const xray of [false, true, 0, -1]) draw(t, outer(options).getGraph({ xray }));
  }
});

program('sequences and functions as nodes, looked into', async (lg, t) => {
  const step = (name: string) => RunnableLambda.from((input: object) => input).withConfig({ runName: name });
  const inner = new lg.StateGraph(state(lg)).addNode('deep', noop).addNode('two', noop).addEdge(lg.START, 'deep');
  const graph = new lg.StateGraph(state(lg))
    .addNode('sequence', RunnableSequence.from([step('one'), step('two'), step('three')]) as never)
    .addNode('lambda', step('alone') as never)
    .addNode(
      'ends in a graph',
      RunnableSequence.from([step('one'), inner.addEdge('deep', 'two').compile() as never]) as never,
    )
    .addEdge(lg.START, 'sequence')
    .addEdge('sequence', 'lambda')
    .addEdge('lambda', 'ends in a graph')
    .compile();
  for (const xray of [false, true, 1]) {
    await t.outcome('drawn', () => draw(t, graph.getGraph({ xray })));
    await t.outcome('drawn later', async () => draw(t, await graph.getGraphAsync({ xray })));
  }
});

program('graphs that share a name, three levels, and a loop within', (lg, t) => {
  const loop = new lg.StateGraph(state(lg))
    .addNode('a', noop)
    .addNode('b', noop)
    .addEdge(lg.START, 'a')
    .addConditionalEdges('a', () => 'b', ['b', lg.END])
    .addEdge('b', 'a')
    .compile();
  const around = (inner: object, node: string) =>
    new lg.StateGraph(state(lg))
      .addNode('a', noop)
      .addNode(node, inner as typeof loop)
      .addNode('b', noop)
      .addEdge(lg.START, 'a')
      .addEdge('a', node as 'a')
      .addEdge(node as 'a', 'b')
      .compile();
  const graph = around(around(loop, 'x'), 'x');
  for (const xray of [true, 1, 2, 3]) draw(t, graph.getGraph({ xray }));
});

program('the drawing of a bound graph, and of one whose builder went on', (lg, t) => {
  const builder = routed(lg);
  const graph = builder.compile();
  draw(t, graph.withConfig({ tags: ['x'] }).getGraph());
  const { nodes } = graph.getGraph();
  t.note('kept', Object.keys(nodes));
});

program('a drawing as data', (lg, t) => {
  const { nodes, edges } = (routed(lg).compile().getGraph() as unknown as Drawn).toJSON() as {
    nodes: { data: { id?: unknown } }[];
    edges: unknown;
  };
  // Which class a node's runnable is of is each library's own.
  for (const { data } of nodes) delete data.id;
  t.note('data', { nodes, edges });
});
