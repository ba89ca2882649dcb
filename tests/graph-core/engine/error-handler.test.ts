import { describe, expect, test } from '@jest/globals';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { isNodeRetryRequest, type NodeRetryRequest } from '../../../graph-core/engine/retry.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import { Annotation, Command, interrupt, START, StateGraph } from '../../../graph-core/index.js';
import { Gate, options, PlayedPorts, recovered, started, valuesOf } from './hand-built-graph.js';

const State = Annotation.Root({
  log: Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
});
const thread = { configurable: { thread_id: 't' } };

/** One node that always fails, and its handler. */
const handled = (runs: string[], retries = 0) =>
  new StateGraph(State)
    .addNode(
      'fails',
      () => {
        runs.push('node');
        throw new RangeError('broken');
      },
      {
        ...(retries > 0 && { retryPolicy: { maxAttempts: retries + 1, initialInterval: 1, jitter: false } }),
        errorHandler: (_state, { node, error }) => {
          runs.push('handler');
          return { log: [`${node}: ${error.name} ${error.message}`] };
        },
      },
    )
    .addEdge(START, 'fails')
    .compile();

describe('a node with an error handler', () => {
  test('fails without failing the superstep, whose checkpoint has what the handler wrote', async () => {
    const graph = handled([]);
    const outcome = await runSuperstep(graph, await started(graph), options(), new PlayedPorts());
    expect(outcome.kind).toBe('done');
    expect(valuesOf(outcome)).toMatchObject({ log: ['fails: RangeError broken'] });
  });

  test('has its failure saved before the handler runs', async () => {
    const graph = handled([]);
    const ports = new PlayedPorts();
    await runSuperstep(graph, await started(graph), options(), ports);
    expect(ports.saved.map(({ writes }) => writes.map(([channel]) => channel))).toEqual([
      ['__error__', '__error_source_node__'],
      ['log'],
    ]);
  });

  test('does not run again when the process died before its handler finished', async () => {
    const runs: string[] = [];
    const graph = handled(runs);
    const from = await started(graph);
    const dying = new PlayedPorts();
    await runSuperstep(graph, from, options(), dying);
    dying.saved.pop();
    const outcome = await runSuperstep(graph, recovered(from, dying), options(), new PlayedPorts());
    expect(runs).toEqual(['node', 'handler', 'handler']);
    expect(valuesOf(outcome)).toMatchObject({ log: ['fails: RangeError broken'] });
  });

  test('nor does a handler that has finished', async () => {
    const runs: string[] = [];
    const graph = handled(runs);
    const from = await started(graph);
    const dying = new PlayedPorts();
    await runSuperstep(graph, from, options(), dying);
    const outcome = await runSuperstep(graph, recovered(from, dying), options(), new PlayedPorts());
    expect(runs).toEqual(['node', 'handler']);
    expect(valuesOf(outcome)).toMatchObject({ log: ['fails: RangeError broken'] });
  });

  test('is retried first, also where the caller waits out the back-off', async () => {
    const runs: string[] = [];
    const graph = handled(runs, 1);
    const from = await started(graph);
    const first = new PlayedPorts({ retries: 'caller' });
    const request = await runSuperstep(graph, from, options(), first).catch((error: unknown) => error);
    expect(isNodeRetryRequest(request)).toBe(true);
    expect(runs).toEqual(['node']);
    const { failedAttempts } = request as NodeRetryRequest;
    const second = new PlayedPorts({ retries: 'caller', failedAttempts });
    const outcome = await runSuperstep(graph, recovered(from, first), options(), second);
    expect(runs).toEqual(['node', 'node', 'handler']);
    expect(outcome.kind).toBe('done');
  });

  test('keeps a handled failure over an answer to a sibling', async () => {
    const runs: string[] = [];
    const graph = new StateGraph(State)
      .addNode('asks', () => ({ log: [String(interrupt('?'))] }))
      .addNode(
        'fails',
        () => {
          runs.push('node');
          throw new Error('broken');
        },
        {
          errorHandler: () => {
            runs.push('handler');
            return { log: ['handled'] };
          },
        },
      )
      .addEdge(START, 'asks')
      .addEdge(START, 'fails')
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ log: [] }, thread);
    expect(await graph.invoke(new Command({ resume: 'yes' }), thread)).toEqual({ log: ['yes', 'handled'] });
    expect(runs).toEqual(['node', 'handler']);
  });

  test('is not handled when the failure of a sibling aborts it, and runs again', async () => {
    const runs: string[] = [];
    const running = new Gate();
    let broken = true;
    const graph = new StateGraph(State)
      .addNode('fails', async () => {
        await running.wait();
        if (broken) throw new Error('broken');
        return {};
      })
      .addNode(
        'aborted',
        async (_state, { signal }) => {
          runs.push('node');
          if (!broken) return { log: ['node'] };
          const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve));
          running.open();
          await aborted;
          throw new Error('aborted');
        },
        {
          errorHandler: () => {
            runs.push('handler');
            return {};
          },
        },
      )
      .addEdge(START, 'fails')
      .addEdge(START, 'aborted')
      .compile({ checkpointer: new MemorySaver() });
    await expect(graph.invoke({ log: [] }, thread)).rejects.toThrow('broken');
    broken = false;
    expect(await graph.invoke(null, thread)).toEqual({ log: ['node'] });
    expect(runs).toEqual(['node', 'node']);
  });

  test('hands a Command to the graph around all the same', async () => {
    const child = new StateGraph(State)
      .addNode('up', () => new Command({ graph: Command.PARENT, update: { log: ['up'] } }), {
        errorHandler: () => ({ log: ['handled'] }),
      })
      .addEdge(START, 'up')
      .compile();
    const graph = new StateGraph(State).addNode('child', child).addEdge(START, 'child').compile();
    expect(await graph.invoke({ log: [] })).toEqual({ log: ['up'] });
  });
});
