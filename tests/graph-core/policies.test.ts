// Policies that are none are refused where they are given, with what is wrong with them.
import { describe, expect, test } from '@jest/globals';
import { Annotation, entrypoint, START, StateGraph, task } from '../../graph-core/index.js';

const State = Annotation.Root({ text: Annotation<string>() });
const builder = () => new StateGraph(State);
const graphWith = (options: object) =>
  builder()
    .addNode('node', () => ({ text: 'done' }), options)
    .addEdge(START, 'node')
    .compile();

const WRONG: readonly [reason: string, policies: object][] = [
  ['retryPolicy.maxAttempts must be a number, got NaN', { retryPolicy: { maxAttempts: Number.NaN } }],
  ['retryPolicy.maxAttempts must be a number, got many', { retryPolicy: { maxAttempts: 'many' } }],
  ['retryPolicy.initialInterval must be a number', { retryPolicy: { initialInterval: {} } }],
  ['retryPolicy.backoffFactor must be a number', { retryPolicy: { backoffFactor: 'twice' } }],
  ['retryPolicy.maxInterval must be a number', { retryPolicy: { maxInterval: '1 s' } }],
  ['retryPolicy.retryOn must be a function', { retryPolicy: { retryOn: [TypeError] } }],
  ['retryPolicy must be an object, got true', { retryPolicy: true }],
  ['cachePolicy must be a boolean or an object, got 60', { cachePolicy: 60 }],
  ['cachePolicy.ttl must be a number of seconds, got an hour', { cachePolicy: { ttl: 'an hour' } }],
  ['cachePolicy.keyFunc must be a function', { cachePolicy: { keyFunc: 'text' } }],
  ['timeout must be a number of milliseconds or an object, got "5 s"', { timeout: '5 s' }],
];

describe.each(WRONG)('%s', (reason, policies) => {
  test('of a node', () => {
    expect(() => builder().addNode('node', () => ({}), policies)).toThrow(reason);
  });

  test('by default', () => {
    expect(() => builder().setNodeDefaults(policies)).toThrow(reason);
  });

  test('of a task', () => {
    const { retryPolicy: retry, ...others } = policies as { retryPolicy?: object };
    expect(() => task({ name: 'task', ...(retry === undefined ? {} : { retry }), ...others }, () => 1)).toThrow(reason);
  });
});

test('null is no policy, and a number may be a text', async () => {
  const none = { retryPolicy: null, cachePolicy: null, timeout: null };
  for (const policies of [none, { retryPolicy: { maxAttempts: '2' } }]) {
    expect(await graphWith(policies).invoke({ text: '' })).toEqual({ text: 'done' });
  }
});

test.each([Infinity, 2 ** 31, 2 ** 53])(
  'a limit of %s ms is none, not the shortest that a timer has',
  async (limit) => {
    const outlastsShortTimers = () =>
      new Promise<object>((resolve) => {
        setTimeout(() => resolve({ text: 'done' }), 5);
      });
    for (const timeout of [limit, { idleTimeout: limit }]) {
      const graph = builder().addNode('node', outlastsShortTimers, { timeout }).addEdge(START, 'node').compile();
      graph.stepTimeout = limit;
      expect(await graph.invoke({ text: '' })).toEqual({ text: 'done' });
    }
  },
);

test.each([-1, Number.NaN])('a step timeout of %s is refused', async (limit) => {
  const graph = graphWith({});
  graph.stepTimeout = limit;
  await expect(graph.invoke({ text: '' })).rejects.toThrow('stepTimeout must be greater than 0');
});

test('the timeout of an entrypoint is checked too', () => {
  const flow = () => entrypoint({ name: 'flow', timeout: '5' as unknown as number }, async () => Promise.resolve(1));
  expect(flow).toThrow('timeout must be a number of milliseconds');
});
