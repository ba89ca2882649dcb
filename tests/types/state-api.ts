// What callers of a compiled graph are told of its threads, and what Commands and Sends carry.
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  Annotation,
  Command,
  END,
  entrypoint,
  isInterrupted,
  MemorySaver,
  Send,
  START,
  StateGraph,
  type Interrupt,
  type StateSnapshot,
} from 'superstep';
import { z } from 'zod';
import { expectType } from './expect-type.js';

const State = Annotation.Root({ text: Annotation<string>(), count: Annotation<number>() });
const thread = { configurable: { thread_id: '1' } };
const graph = new StateGraph({ state: State, output: Annotation.Root({ text: Annotation<string>() }) })
  .addNode('a', () => ({ text: 'x' }))
  .addEdge(START, 'a')
  .compile({ checkpointer: new MemorySaver() });

// Snapshots have the whole state, not only what callers get.
const snapshot = await graph.getState(thread);
expectType<string>()(snapshot.values.text);
expectType<number>()(snapshot.values.count);
expectType<readonly string[]>()(snapshot.next);
expectType<RunnableConfig | undefined>()(snapshot.parentConfig);
expectType<readonly Interrupt[] | undefined>()(snapshot.tasks[0]?.interrupts);
for await (const past of graph.getStateHistory(thread, { limit: 2, filter: { source: 'loop' } })) {
  expectType<number>()(past.values.count);
  expectType<number | undefined>()(past.metadata?.step);
}
const anyones: StateSnapshot = snapshot;
expectType<unknown>()(anyones.values);

// @ts-expect-error -- no such key
void snapshot.values.other;

const forked: RunnableConfig = await graph.updateState(snapshot.config, { text: 'y' }, 'a');
void graph.bulkUpdateState(forked, [{ updates: [{ values: { text: 'z' }, asNode: START }] }]);

// A graph of a function: its result, its input.
const doubled = entrypoint('double', async (input: { n: number }) => input.n * 2);
expectType<number>()(await doubled.invoke({ n: 1 }));
// @ts-expect-error -- another input
void doubled.invoke({ n: 'x' });

// Commands and Sends say which nodes they go to, and what they carry.
const command = new Command<boolean, { text: string }, 'a' | 'b'>({ goto: ['a', new Send('b', 1)], resume: true });
expectType<boolean | undefined>()(command.resume);
expectType<{ text: string } | undefined>()(command.update);
// @ts-expect-error -- a node that is not there
new Command<boolean, { text: string }, 'a'>({ goto: 'b' });
// @ts-expect-error -- an update of another type
new Command<boolean, { text: string }, 'a'>({ update: { text: 1 } });
expectType<Send<'a', { item: number }>>()(new Send('a', { item: 1 }));
// @ts-expect-error -- a timeout is a number or a policy
new Send('a', 1, { timeout: 'soon' });

// Whether a result is a question.
const result: unknown = await graph.invoke({ text: 'x' }, thread);
if (isInterrupted<{ question: string }>(result)) {
  expectType<string | undefined>()(result.__interrupt__[0]?.value?.question);
}

// Context of a call, as its schema has it.
const ofContext = new StateGraph(State, z.object({ user: z.string(), level: z.number().optional() }))
  .addNode('a', (_state, { context }) => {
    expectType<string | undefined>()(context?.user);
    expectType<number | undefined>()(context?.level);
    return {};
  })
  .addEdge(START, 'a')
  .addConditionalEdges('a', (_state, { context }) => (context?.user === 'x' ? END : 'a'))
  .compile();
void ofContext.invoke({ text: 'x' }, { context: { user: 'ada', level: 2 } });
// @ts-expect-error -- the user is required
void ofContext.stream({ text: 'x' }, { context: { level: 1 } });
