import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { Annotation, START, StateGraph, type CompiledGraph } from '../../graph-core/index.js';
import { checkRun } from '../../server/check-run.js';
import { runCreate } from '../../server/schemas/runs.js';
import type { RunKwargs } from '../../storage/records.js';

const State = Annotation.Root({ text: Annotation<string> });
const plain = new StateGraph(State)
  .addNode('write', () => ({}))
  .addEdge(START, 'write')
  .compile() as CompiledGraph;
const withContext = (schema: unknown) =>
  new StateGraph(State, schema as never)
    .addNode('write', () => ({}))
    .addEdge(START, 'write')
    .compile() as CompiledGraph;
const kwargs = (over: Partial<RunKwargs>): RunKwargs => ({
  config: { configurable: { thread_id: 't' } },
  stream_mode: ['values'],
  stream_subgraphs: false,
  stream_resumable: false,
  temporary: false,
  ...over,
});

test.each<[Partial<RunKwargs>, string]>([
  [{ interrupt_before: ['write', 'wirte'] }, 'interrupt_before names "wirte"'],
  [{ interrupt_after: ['other'] }, 'interrupt_after names "other"'],
  [{ command: { goto: 'other' } }, 'command.goto names "other"'],
  [{ interrupt_before: ['constructor'] }, 'interrupt_before names "constructor"'],
  [{ command: { goto: '__proto__' } }, 'command.goto names "__proto__"'],
  [{ command: { goto: ['write', { node: 'other', input: 1 }] } }, 'command.goto names "other"'],
])('a node that the graph does not have is refused: %j', async (given, message) => {
  await expect(checkRun(plain, kwargs(given))).rejects.toMatchObject({
    code: 'UNKNOWN_NODE',
    message: `${message}, which is no node of the graph. Nodes: write.`,
  });
});

test.each<[Partial<RunKwargs>]>([
  [{}],
  [{ interrupt_before: '*', interrupt_after: ['write'] }],
  [{ command: { goto: '__end__' } }],
  [{ command: { goto: [{ node: 'write', input: null }], resume: 1 } }],
  [{ context: 'whatever, without a schema' }],
])('what the graph has is accepted: %j', async (given) => {
  await checkRun(plain, kwargs(given));
});

test.each([
  ['zod 4', z.object({ user: z.string(), age: z.number().optional() })],
  ['zod 3', z3.object({ user: z3.string(), age: z3.number().optional() })],
])('a context that does not fit a schema of %s is refused with the field and what is wrong', async (_make, schema) => {
  const graph = withContext(schema);
  const context = { user: 'ada', age: 'old' };
  await expect(checkRun(graph, kwargs({ context }))).rejects.toMatchObject({
    code: 'INVALID_CONTEXT',
    field: 'context',
    message: expect.stringMatching(/^The graph does not take this context: age: .*expected number/i),
  });
  await checkRun(graph, kwargs({ context: { user: 'ada' } }));
  await checkRun(graph, kwargs({ config: { configurable: { user: 'ada' } } }));
  await expect(checkRun(graph, kwargs({}))).rejects.toMatchObject({ code: 'INVALID_CONTEXT' });
});

test.each(['recursionLimit', 'maxConcurrency'])('config.%s gets a hint at the name that HTTP has for it', (name) => {
  const { error } = runCreate.safeParse({ assistant_id: 'a', config: { [name]: 5 } });
  expect(error?.issues).toMatchObject([{ path: ['config', name], message: expect.stringContaining('written') }]);
});
