import { describe, expect, test } from '@jest/globals';
import type { BaseMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  interrupt,
  MessagesAnnotation,
  START,
  StateGraph,
  type CompiledGraph,
  type RunInput,
  type SuperstepOutcome,
} from 'superstep';
import { FakeChatModel } from '../../fixtures/fake-chat-model.js';
import { input, StepwiseDriver } from './stepwise-driver.js';

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

const resume = (answer: unknown): RunInput => ({ kind: 'command', command: new Command({ resume: answer }) });

/** Counts the calls of each node. */
class Calls {
  readonly of: Record<string, number> = {};

  count(name: string): number {
    return (this.of[name] = (this.of[name] ?? 0) + 1);
  }
}

function child(calls: Calls, second: () => string, checkpointer?: true) {
  return new StateGraph(State)
    .addNode('one', () => {
      calls.count('one');
      return { log: ['one'] };
    })
    .addNode('two', () => {
      calls.count('two');
      return { log: [second()] };
    })
    .addEdge(START, 'one')
    .addEdge('one', 'two')
    .compile({ checkpointer });
}

const around = (graph: CompiledGraph): CompiledGraph =>
  new StateGraph(State)
    .addNode('child', graph as never)
    .addEdge(START, 'child')
    .compile();

const callingIt = (graph: ReturnType<typeof child>): CompiledGraph =>
  new StateGraph(State)
    .addNode('child', async () => ({ log: (await graph.invoke({ log: [] })).log }))
    .addEdge(START, 'child')
    .compile();

const forms = [
  ['a graph as a node', around as (graph: ReturnType<typeof child>) => CompiledGraph],
  ['a graph called in a node', callingIt],
] as const;

describe.each(forms)('%s', (_form, parentOf) => {
  test('goes on from its own last checkpoint after the process died', async () => {
    const calls = new Calls();
    const graph = child(calls, () => {
      if (calls.of['two'] === 1) throw new Error('The process dies here.');
      return 'two';
    });
    const driver = new StepwiseDriver(parentOf(graph));
    await expect(driver.run(input({ log: [] }))).rejects.toThrow('The process dies here.');
    const outcome = await driver.goOn();
    expect(calls.of).toEqual({ one: 1, two: 2 });
    expect(outcome.state.saved.checkpoint.channel_values).toMatchObject({ log: ['one', 'two'] });
  });

  test('asks through its parent, and gets the answer where it asked', async () => {
    const calls = new Calls();
    const driver = new StepwiseDriver(parentOf(child(calls, () => String(interrupt('Well?')))));
    const asked = await driver.run(input({ log: [] }));
    expect(asked).toMatchObject({ kind: 'interrupted', interrupts: [{ node: 'child', value: 'Well?' }] });
    const outcome = await driver.run(resume('yes'));
    expect(outcome.kind).toBe('done');
    expect(calls.of).toEqual({ one: 1, two: 2 });
    expect(outcome.state.saved.checkpoint.channel_values).toMatchObject({ log: ['one', 'yes'] });
  });

  test('gets the answer by the id of its question too', async () => {
    const calls = new Calls();
    const driver = new StepwiseDriver(parentOf(child(calls, () => String(interrupt('Well?')))));
    const asked = await driver.run(input({ log: [] }));
    const id = asked.kind === 'interrupted' ? asked.interrupts[0]?.id : undefined;
    const outcome = await driver.run(resume({ [String(id)]: 'by id' }));
    expect(outcome.state.saved.checkpoint.channel_values).toMatchObject({ log: ['one', 'by id'] });
  });

  test('streams under its namespace through the superstep around it', async () => {
    const driver = new StepwiseDriver(parentOf(child(new Calls(), () => 'two')));
    await driver.run(input({ log: [] }));
    const updates = driver.chunks.filter(({ mode }) => mode === 'updates');
    expect(updates.map(({ ns, payload }) => [ns.map((level) => level.split(':')[0]), payload])).toEqual([
      [['child'], { one: { log: ['one'] } }],
      [['child'], { two: { log: ['two'] } }],
      [[], { child: { log: ['one', 'two'] } }],
    ]);
  });
});

test('a second graph called in a task has a namespace of its own', async () => {
  const calls = new Calls();
  const graph = child(calls, () => 'two');
  const parent = new StateGraph(State)
    .addNode('both', async () => {
      const first = await graph.invoke({ log: [] });
      const second = await graph.invoke({ log: ['again'] });
      return { log: [...first.log, ...second.log] };
    })
    .addEdge(START, 'both')
    .compile() as unknown as CompiledGraph;
  const driver = new StepwiseDriver(parent);
  const outcome = await driver.run(input({ log: [] }));
  expect(outcome.state.saved.checkpoint.channel_values).toMatchObject({ log: ['one', 'two', 'again', 'one', 'two'] });
  const namespaces = Object.keys(driver.saver.storage['t'] ?? {}).map((ns) => ns.replace(/:[0-9a-f-]+/g, ''));
  expect(namespaces.sort()).toEqual(['', 'both', 'both|1']);
});

describe('a graph that keeps its state from call to call', () => {
  test('starts each run of the thread with new input on the state it had', async () => {
    const calls = new Calls();
    const driver = new StepwiseDriver(callingIt(child(calls, () => 'two', true)));
    await driver.run(input({ log: ['first run'] }));
    await driver.run(input({ log: ['second run'] }));
    expect(calls.of).toEqual({ one: 2, two: 2 });
    const kept = await driver.saver.getTuple({ configurable: { thread_id: 't', checkpoint_ns: 'child' } });
    expect(kept?.checkpoint.channel_values['log']).toEqual(['one', 'two', 'one', 'two']);
  });

  test('goes on within a run after the process died', async () => {
    const calls = new Calls();
    const graph = child(
      calls,
      () => {
        if (calls.of['two'] === 1) throw new Error('The process dies here.');
        return 'two';
      },
      true,
    );
    const driver = new StepwiseDriver(around(graph));
    await expect(driver.run(input({ log: [] }))).rejects.toThrow('The process dies here.');
    await driver.goOn();
    expect(calls.of).toEqual({ one: 1, two: 2 });
  });
});

test('a graph of graphs asks through all of them', async () => {
  const calls = new Calls();
  const driver = new StepwiseDriver(around(around(child(calls, () => String(interrupt('Deep?'))))));
  const asked = await driver.run(input({ log: [] }));
  expect(asked).toMatchObject({ kind: 'interrupted', interrupts: [{ value: 'Deep?' }] });
  const outcome = await driver.run(resume('down here'));
  expect(calls.of).toEqual({ one: 1, two: 2 });
  expect(outcome.state.saved.checkpoint.channel_values).toMatchObject({ log: ['one', 'down here'] });
});

test('a Command for the parent leaves the child and is carried out by the node around it', async () => {
  const inner = new StateGraph(State)
    .addNode('leave', () => new Command({ graph: Command.PARENT, update: { log: ['from below'] }, goto: 'next' }))
    .addEdge(START, 'leave')
    .compile();
  const outer = new StateGraph(State)
    .addNode('child', inner as never, { ends: ['next'] })
    .addNode('next', () => ({ log: ['next'] }))
    .addEdge(START, 'child')
    .compile() as unknown as CompiledGraph;
  const outcome = await new StepwiseDriver(outer).run(input({ log: [] }));
  expect(outcome.state.saved.checkpoint.channel_values).toMatchObject({ log: ['from below', 'next'] });
});

test('a message that a nested graph streamed before the process died is not streamed again', async () => {
  const speaking = new StateGraph(MessagesAnnotation)
    .addNode('speak', async ({ messages }, config) => ({
      messages: [await new FakeChatModel({ replies: ['Good morning'] }).invoke(messages, config)],
    }))
    .addEdge(START, 'speak')
    .compile();
  let deaths = 0;
  const parent = new StateGraph(MessagesAnnotation)
    .addNode('child', async (state) => {
      const { messages } = await speaking.invoke(state);
      if ((deaths += 1) === 1) throw new Error('The process dies here.');
      return { messages };
    })
    .addEdge(START, 'child')
    .compile();
  const driver = new StepwiseDriver(parent, { streamModes: ['messages'] });
  await expect(driver.run(input({ messages: [] }))).rejects.toThrow('The process dies here.');
  const streamed = driver.chunks.map(({ payload }) => (payload as [BaseMessage])[0].text);
  expect(streamed).toEqual(['Good ', 'morning']);
  await driver.goOn();
  expect(driver.chunks).toHaveLength(streamed.length);
});

test('in a time travel a graph that keeps its state starts from what it had then, however late the run comes to it', async () => {
  const keeps = new StateGraph(State)
    .addNode('count', ({ log }) => ({
      log: [`${log.filter((entry) => entry.startsWith('kept')).length}`].map((n) => `kept ${n}`),
    }))
    .addEdge(START, 'count')
    .compile({ checkpointer: true });
  const graph = new StateGraph(State)
    .addNode('first', () => ({ log: ['first'] }))
    .addNode('child', async () => ({ log: (await keeps.invoke({ log: [] })).log.slice(-1) }))
    .addNode('again', async () => ({ log: (await keeps.invoke({ log: [] })).log.slice(-1) }))
    .addEdge(START, 'first')
    .addEdge('first', 'child')
    .addEdge('child', 'again')
    .compile() as unknown as CompiledGraph;
  const driver = new StepwiseDriver(graph);
  const logOf = ({ state }: SuperstepOutcome): unknown => state.saved.checkpoint.channel_values['log'];
  await driver.run(input({ log: [] }));
  const heads: string[] = [];
  for await (const { checkpoint, metadata } of driver.saver.list({
    configurable: { thread_id: 't', checkpoint_ns: '' },
  })) {
    if (metadata?.step === 0) heads.push(checkpoint.id);
  }
  expect(logOf(await driver.run(input({ log: [] })))).toEqual([
    'first',
    'kept 0',
    'kept 0',
    'first',
    'kept 1',
    'kept 1',
  ]);
  expect(logOf(await driver.run({ kind: 'nothing' }, heads[0]))).toEqual(['first', 'kept 0', 'kept 0']);
  expect(logOf(await driver.run({ kind: 'nothing' }, heads[0]))).toEqual(['first', 'kept 0', 'kept 0']);
});
