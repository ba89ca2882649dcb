import { describe, expect, test } from '@jest/globals';
import { taskContextOf } from '../../../graph-core/engine/task-context.js';
import { isNodeRetryRequest } from '../../../graph-core/engine/retry.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import { Annotation, isNodeTimeoutError, START, StateGraph } from '../../../graph-core/index.js';
import { Gate, options, PlayedPorts, started } from './hand-built-graph.js';

const State = Annotation.Root({
  log: Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
});
const SHORT_MS = 20;
const retryPolicy = { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false };
const never = (): Promise<object> => new Promise(() => undefined);

describe('a node whose time is over', () => {
  test('asks for a retry as after any failure', async () => {
    const graph = new StateGraph(State)
      .addNode('slow', never, { timeout: SHORT_MS, retryPolicy })
      .addEdge(START, 'slow')
      .compile();
    const ports = new PlayedPorts({ retries: 'caller' });
    const request = await runSuperstep(graph, await started(graph), options(), ports).catch((error: unknown) => error);
    expect(isNodeRetryRequest(request)).toBe(true);
    expect(isNodeTimeoutError((request as Error).cause)).toBe(true);
  });

  test('writes nothing any more, not even into the attempt after', async () => {
    const late = new Gate();
    let attempts = 0;
    const graph = new StateGraph(State)
      .addNode(
        'slow',
        async (_state, config) => {
          attempts += 1;
          if (attempts === 2) {
            late.open();
            await new Promise((resolve) => setImmediate(resolve));
            return { log: ['second'] };
          }
          await late.wait();
          taskContextOf(config)?.write('log', 'of the first attempt');
          return { log: ['first'] };
        },
        { timeout: 200, retryPolicy },
      )
      .addEdge(START, 'slow')
      .compile();
    expect(await graph.invoke({ log: [] })).toEqual({ log: ['second'] });
  });
});

test('the clock of a superstep is stopped when it ends', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const graph = new StateGraph(State)
    .addNode('quick', () => ({ log: [`${timers()}`] }))
    .addEdge(START, 'quick')
    .compile();
  const before = timers();
  graph.stepTimeout = 2 ** 30;
  expect(await graph.invoke({ log: [] })).toEqual({ log: [`${before + 1}`] });
  expect(timers()).toBe(before);
});
