// Policies of nodes where nothing is kept between supersteps but what the saver has.
import { expect, test } from '@jest/globals';
import { Annotation, Command, isNodeTimeoutError, Send, START, StateGraph } from '../../../graph-core/index.js';
import { StepwiseDriver } from './stepwise-driver.js';

const State = Annotation.Root({
  log: Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
});
const says = (name: string) => () => ({ log: [name] });
const input = { kind: 'input', value: { log: [] } } as const;

test('a deferred node waits over checkpoints that are read again', async () => {
  const graph = new StateGraph(State)
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addNode('join', says('join'), { defer: true })
    .addNode('both', says('both'), { defer: true })
    .addEdge(START, 'a')
    .addEdge(START, 'b')
    .addEdge('b', 'c')
    .addEdge('a', 'join')
    .addEdge('c', 'join')
    .addEdge(['a', 'join'], 'both')
    .compile();
  const outcome = await new StepwiseDriver(graph).run(input);
  expect(outcome.state.saved.checkpoint.channel_values['log']).toEqual(['a', 'b', 'c', 'join', 'both']);
});

test("a handler's Command leads on", async () => {
  const graph = new StateGraph(State)
    .addNode(
      'fails',
      () => {
        throw new Error('broken');
      },
      { errorHandler: (_state, { error }) => new Command({ update: { log: [error.message] }, goto: 'rescue' }) },
    )
    .addNode('rescue', says('rescue'))
    .addEdge(START, 'fails')
    .compile();
  const outcome = await new StepwiseDriver(graph).run(input);
  expect(outcome.state.saved.checkpoint.channel_values['log']).toEqual(['broken', 'rescue']);
});

test("a Send's timeout is kept with it", async () => {
  const graph = new StateGraph(State)
    .addNode('plan', says('plan'))
    .addNode('work', () => new Promise<object>(() => undefined))
    .addEdge(START, 'plan')
    .addConditionalEdges('plan', () => [new Send('work', {}, { timeout: 20 })])
    .compile();
  const error = await new StepwiseDriver(graph).run(input).catch((thrown: unknown) => thrown);
  expect(isNodeTimeoutError(error)).toBe(true);
});
