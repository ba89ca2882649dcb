import { describe, expect, jest, test } from '@jest/globals';
import { isNodeRetryRequest, type NodeRetryRequest } from '../../../graph-core/engine/retry.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import { failedNodeOf } from '../../../graph-core/errors.js';
import { Gate, graphOf, options, PlayedPorts, recovered, started, valuesOf } from './hand-built-graph.js';
import type { NodeConfig } from '../../../graph-core/engine/node-config.js';

const soon = { initialInterval: 1, jitter: false, logWarning: false };
const fail = (message: string) => (): never => {
  throw new Error(message);
};
const errorOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('a node that fails', () => {
  test('ends the superstep with its own error, which knows the node', async () => {
    const graph = graphOf({ a: { run: fail('broken') } }, ['a']);
    const ports = new PlayedPorts();
    const error = await errorOf(runSuperstep(graph, await started(graph), options(), ports));
    expect(error).toMatchObject({ name: 'Error', message: 'broken' });
    expect(failedNodeOf(error)).toBe('a');
    expect(ports.saved).toMatchObject([{ writes: [['__error__', { name: 'Error', message: 'broken' }]] }]);
  });

  test('aborts its siblings, which are waited for', async () => {
    let settled = false;
    const graph = graphOf(
      {
        a: { run: fail('broken') },
        b: {
          run: async (_state: never, { signal }: NodeConfig) => {
            await new Promise((resolve) => signal?.addEventListener('abort', resolve));
            await new Promise((resolve) => setImmediate(resolve));
            settled = true;
          },
        },
      },
      ['a', 'b'],
    );
    await expect(runSuperstep(graph, await started(graph), options(), new PlayedPorts())).rejects.toThrow('broken');
    expect(settled).toBe(true);
  });

  test('keeps nothing of what it wrote: it will run again', async () => {
    let broken = true;
    const graph = graphOf(
      {
        a: {
          run: () => ({ log: [broken ? 'first' : 'second'] }),
          then: () => {
            if (broken) throw new Error('The edge is broken.');
            return [];
          },
        },
      },
      ['a'],
    );
    const from = await started(graph);
    const dying = new PlayedPorts();
    await errorOf(runSuperstep(graph, from, options(), dying));
    broken = false;
    const outcome = await runSuperstep(graph, recovered(from, dying), options(), new PlayedPorts());
    expect(valuesOf(outcome)).toMatchObject({ log: ['second'] });
  });

  test('with another that failed before it could be aborted gives both errors', async () => {
    const graph = graphOf({ a: { run: fail('one') }, b: { run: fail('two') } }, ['a', 'b']);
    const error = await errorOf(runSuperstep(graph, await started(graph), options(), new PlayedPorts()));
    if (error instanceof AggregateError) expect(error.errors.map(String)).toEqual(['Error: one', 'Error: two']);
    else expect(error).toMatchObject({ message: 'one' });
  });
});

describe('retries inline', () => {
  test('call the node again within the superstep, with the number of the attempt', async () => {
    const attempts: unknown[] = [];
    const graph = graphOf(
      {
        a: {
          retryPolicy: soon,
          run: (_state: never, { executionInfo }: NodeConfig) => {
            attempts.push(executionInfo?.nodeAttempt);
            if (attempts.length < 3) throw new Error('not yet');
            return { log: ['done'] };
          },
        },
      },
      ['a'],
    );
    const outcome = await runSuperstep(graph, await started(graph), options(), new PlayedPorts());
    expect(attempts).toEqual([1, 2, 3]);
    expect(valuesOf(outcome)).toMatchObject({ log: ['done'] });
  });

  test('end with the last error after as many attempts as the policy has', async () => {
    const run = jest.fn(fail('always'));
    const graph = graphOf({ a: { run, retryPolicy: { ...soon, maxAttempts: 2 } } }, ['a']);
    await expect(runSuperstep(graph, await started(graph), options(), new PlayedPorts())).rejects.toThrow('always');
    expect(run).toHaveBeenCalledTimes(2);
  });

  test('stop waiting when the run is aborted', async () => {
    const abort = new AbortController();
    const graph = graphOf(
      {
        a: {
          retryPolicy: { ...soon, initialInterval: 3_600_000 },
          run: () => {
            setImmediate(() => abort.abort());
            throw new Error('again in an hour');
          },
        },
      },
      ['a'],
    );
    const from = await started(graph);
    await expect(runSuperstep(graph, from, options(), new PlayedPorts({ signal: abort.signal }))).rejects.toMatchObject(
      { name: 'AbortError' },
    );
  });
});

describe('retries by the caller', () => {
  test('are asked for when the siblings are saved, and the next attempt runs the failed task alone', async () => {
    const calls: string[] = [];
    let broken = true;
    const graph = graphOf(
      {
        flaky: {
          retryPolicy: { ...soon, initialInterval: 250 },
          run: () => {
            calls.push('flaky');
            if (broken) throw new Error('busy');
            return { log: ['flaky'] };
          },
        },
        slow: {
          run: async () => {
            await new Promise((resolve) => setImmediate(resolve));
            calls.push('slow');
            return { log: ['slow'] };
          },
        },
      },
      ['flaky', 'slow'],
    );
    const from = await started(graph);
    const first = new PlayedPorts({ retries: 'caller' });
    const request = await errorOf(runSuperstep(graph, from, options(), first));
    expect(isNodeRetryRequest(request)).toBe(true);
    expect(request).toMatchObject({ node: 'flaky', failures: 1, delayMs: 250, cause: { message: 'busy' } });
    expect(first.saved.map(({ writes }) => writes)).toEqual([[['log', ['slow']]]]);

    broken = false;
    const { failedAttempts } = request as NodeRetryRequest;
    const second = new PlayedPorts({ retries: 'caller', failedAttempts });
    const outcome = await runSuperstep(graph, recovered(from, first), options(), second);
    expect(calls).toEqual(['flaky', 'slow', 'flaky']);
    expect(valuesOf(outcome)).toMatchObject({ log: ['flaky', 'slow'] });
  });

  test('count the failures of earlier attempts', async () => {
    const graph = graphOf({ a: { run: fail('always'), retryPolicy: { ...soon, maxAttempts: 2 } } }, ['a']);
    const from = await started(graph);
    const request = (await errorOf(
      runSuperstep(graph, from, options(), new PlayedPorts({ retries: 'caller' })),
    )) as NodeRetryRequest;
    const { failedAttempts } = request;
    await expect(
      runSuperstep(graph, from, options(), new PlayedPorts({ retries: 'caller', failedAttempts })),
    ).rejects.toThrow(/^always$/);
  });

  test('give way to a failure that no policy covers', async () => {
    const graph = graphOf({ a: { run: fail('flaky'), retryPolicy: soon }, b: { run: fail('broken') } }, ['a', 'b']);
    await expect(
      runSuperstep(graph, await started(graph), options(), new PlayedPorts({ retries: 'caller' })),
    ).rejects.toThrow(/^broken$/);
  });
});

describe('an abort from outside', () => {
  test('reaches the node as its signal and ends the superstep at once, with its reason', async () => {
    const abort = new AbortController();
    const gate = new Gate();
    let signal: AbortSignal | undefined;
    const graph = graphOf(
      { a: { run: (_state: never, config: NodeConfig) => ((signal = config.signal), gate.wait()) } },
      ['a'],
    );
    const ports = new PlayedPorts({ signal: abort.signal });
    const running = runSuperstep(graph, await started(graph), options(), ports);
    await gate.reached;
    abort.abort(new Error('cancelled by the client'));
    await expect(running).rejects.toThrow('cancelled by the client');
    expect(signal?.aborted).toBe(true);
    gate.open();
  });

  test('before the superstep starts no node', async () => {
    const run = jest.fn(() => null);
    const graph = graphOf({ a: { run } }, ['a']);
    const ports = new PlayedPorts({ signal: AbortSignal.abort() });
    await expect(runSuperstep(graph, await started(graph), options(), ports)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(run).not.toHaveBeenCalled();
  });
});

test('a write that the driver refuses fails its node', async () => {
  const graph = graphOf({ a: { run: () => ({ last: () => 1 }) } }, ['a']);
  const ports = new PlayedPorts({
    checkWrite: (node, channel, value) => {
      if (typeof value === 'function') throw new Error(`${node}: "${channel}" cannot be stored`);
    },
  });
  const error = await errorOf(runSuperstep(graph, await started(graph), options(), ports));
  expect(error).toMatchObject({ message: 'a: "last" cannot be stored' });
  expect(failedNodeOf(error)).toBe('a');
});

test('no more tasks run at a time than maxConcurrency, and they start in task order', async () => {
  const log: string[] = [];
  const node = (name: string) => ({
    run: async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
    },
  });
  const graph = graphOf({ a: node('a'), b: node('b'), c: node('c') }, ['a', 'b', 'c']);
  const run = options({ config: { ...options().config, maxConcurrency: 1 } });
  await runSuperstep(graph, await started(graph), run, new PlayedPorts());
  expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});
