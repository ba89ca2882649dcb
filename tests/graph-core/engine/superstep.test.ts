import { describe, expect, test } from '@jest/globals';
import { NO_WRITES } from '../../../graph-core/constants.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import type { RunState } from '../../../graph-core/engine/superstep-contract.js';
import { failedNodeOf, GraphBubbleUp } from '../../../graph-core/errors.js';
import { interrupt } from '../../../graph-core/interrupt.js';
import { Send } from '../../../graph-core/send.js';
import { Gate, graphOf, options, PlayedPorts, recovered, started, valuesOf } from './hand-built-graph.js';

interface State {
  readonly log: readonly string[];
}

describe('S1: tasks of a superstep see the same values', () => {
  test('a write is visible from the next superstep on', async () => {
    const seen: Record<string, readonly string[]> = {};
    const look = (name: string) => (state: State) => {
      seen[name] = state.log;
      return { log: [name] };
    };
    const graph = graphOf({ a: { run: look('a'), then: ['c'] }, b: { run: look('b') }, c: { run: look('c') } }, [
      'a',
      'b',
    ]);
    const first = await runSuperstep(graph, await started(graph, { log: ['in'] }), options(), new PlayedPorts());
    expect(first.kind).toBe('continue');
    await runSuperstep(graph, first.state, options(), new PlayedPorts());
    expect(seen).toEqual({ a: ['in'], b: ['in'], c: ['in', 'a', 'b'] });
  });
});

describe('S2: a finished task is saved at once and not run again', () => {
  test('its writes are saved while a sibling still runs', async () => {
    const gate = new Gate();
    const graph = graphOf({ quick: { run: () => ({ log: ['quick'] }) }, slow: { run: () => gate.wait() } }, [
      'quick',
      'slow',
    ]);
    const ports = new PlayedPorts();
    const running = runSuperstep(graph, await started(graph), options(), ports);
    await gate.reached;
    await new Promise((resolve) => setImmediate(resolve));
    expect(ports.saved.map(({ writes }) => writes)).toEqual([[['log', ['quick']]]]);
    gate.open();
    await running;
  });

  test('a retry runs only the task that had not finished, and comes to the same checkpoint', async () => {
    const calls: string[] = [];
    let broken = true;
    const graph = graphOf(
      {
        good: { run: () => (calls.push('good'), { log: ['good'] }) },
        bad: {
          run: async () => {
            calls.push('bad');
            await new Promise((resolve) => setImmediate(resolve));
            if (broken) throw new Error('The process dies here.');
            return { log: ['bad'] };
          },
        },
      },
      ['good', 'bad'],
    );
    const from = await started(graph);
    const dying = new PlayedPorts();
    await expect(runSuperstep(graph, from, options(), dying)).rejects.toThrow('The process dies here.');
    broken = false;
    const ports = new PlayedPorts();
    const outcome = await runSuperstep(graph, recovered(from, dying), options(), ports);
    expect(calls).toEqual(['bad', 'good', 'bad']);
    expect(valuesOf(outcome)).toMatchObject({ log: ['bad', 'good'] });
    expect(ports.chunks.filter(({ mode }) => mode === 'updates').map(({ payload }) => payload)).toEqual([
      { good: { log: ['good'] }, __metadata__: { cached: true } },
      { bad: { log: ['bad'] } },
    ]);
  });

  test('a task without writes is known to be finished too', async () => {
    const graph = graphOf({ silent: { run: () => null } }, ['silent']);
    const ports = new PlayedPorts();
    const from = await started(graph);
    await runSuperstep(graph, from, options(), ports);
    expect(ports.saved.map(({ writes }) => writes)).toEqual([[[NO_WRITES, null]]]);
    const again = new PlayedPorts();
    const outcome = await runSuperstep(graph, recovered(from, ports), options(), again);
    expect(outcome.kind).toBe('done');
    expect(again.saved).toEqual([]);
  });
});

describe('S3: writes are applied in task order', () => {
  const finishing = (order: readonly string[]) => {
    const gates = new Map(['a', 'b', 'c'].map((name) => [name, new Gate()]));
    const graph = graphOf(
      Object.fromEntries(
        [...gates].map(([name, gate]) => [name, { run: async () => (await gate.wait(), { log: [name] }) }]),
      ),
      ['a', 'b', 'c'],
    );
    return { graph, open: order.map((name) => gates.get(name) as Gate) };
  };

  test.each([[['a', 'b', 'c']], [['c', 'b', 'a']], [['b', 'c', 'a']]])('tasks that finish as %j', async (order) => {
    const { graph, open } = finishing(order);
    const ports = new PlayedPorts();
    const running = runSuperstep(graph, await started(graph), options(), ports);
    for (const gate of open) {
      await gate.reached;
      gate.open();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(valuesOf(await running)).toMatchObject({ log: ['a', 'b', 'c'] });
    const updates = ports.chunks
      .filter(({ mode }) => mode === 'updates')
      .map(({ payload }) => Object.keys(payload as object));
    expect(updates).toEqual(order.map((name) => [name]));
  });

  test('Sends come after all nodes that edges triggered, in the order they were sent', async () => {
    const graph = graphOf(
      {
        a: { run: () => ({ log: ['a'] }), then: () => [new Send('w', 2), new Send('w', 1)] },
        b: { run: () => ({ log: ['b'] }), then: ['z'] },
        w: { run: (n: number) => ({ log: [`w${n}`] }) },
        z: { run: () => ({ log: ['z'] }) },
      },
      ['a', 'b'],
    );
    const first = await runSuperstep(graph, await started(graph), options(), new PlayedPorts());
    const second = await runSuperstep(graph, first.state, options(), new PlayedPorts());
    expect(valuesOf(second)).toMatchObject({ log: ['a', 'b', 'z', 'w2', 'w1'] });
  });
});

describe('S4: an interrupted superstep leaves the checkpoint as it was', () => {
  const asking = graphOf(
    { ask: { run: () => ({ log: [interrupt('Which?')] }) }, other: { run: () => ({ log: ['other'] }) } },
    ['ask', 'other'],
  );

  test('the outcome has the question, the same checkpoint and the finished writes as pending', async () => {
    const from = await started(asking);
    const outcome = await runSuperstep(asking, from, options(), new PlayedPorts());
    expect(outcome).toMatchObject({
      kind: 'interrupted',
      interrupts: [{ node: 'ask', value: 'Which?', id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown as string }],
      next: [{ node: 'ask' }],
    });
    expect('commit' in outcome && outcome.commit).toBeFalsy();
    expect(outcome.state.saved.checkpoint).toBe(from.saved.checkpoint);
    expect(outcome.state.saved.pendingWrites.map(([, channel]) => channel).sort()).toEqual(['__interrupt__', 'log']);
  });

  test('its chunks show what the finished sibling wrote', async () => {
    const outcome = await runSuperstep(asking, await started(asking), options(), new PlayedPorts());
    expect(outcome.kind === 'interrupted' && outcome.chunks).toEqual([
      { ns: [], mode: 'values', payload: { log: ['other'] }, envelope: expect.objectContaining({ source: 'loop' }) },
    ]);
  });

  test('the same question has the same id each time it is asked', async () => {
    const from = await started(asking);
    const idsOf = async (state: RunState): Promise<unknown> => {
      const outcome = await runSuperstep(asking, state, options(), new PlayedPorts());
      return outcome.kind === 'interrupted' && outcome.interrupts.map(({ id }) => id);
    };
    expect(await idsOf(from)).toEqual(await idsOf(recovered(from, new PlayedPorts())));
  });

  test('a question that cannot be stored fails the node that asks', async () => {
    const ports = new PlayedPorts({
      checkWrite: (node, channel) => {
        if (channel === '__interrupt__') throw new Error(`${node} asks something that cannot be stored.`);
      },
    });
    const failing = runSuperstep(asking, await started(asking), options(), ports);
    await expect(failing).rejects.toThrow('ask asks something that cannot be stored.');
    expect(failedNodeOf(await failing.catch((error: unknown) => error))).toBe('ask');
  });
});

describe('breakpoints', () => {
  const two = { a: { run: () => ({ log: ['a'] }), then: ['b'] }, b: { run: () => ({ log: ['b'] }) } };

  test.each([
    ['before b', { interruptBefore: ['b'] }],
    ['after a', { interruptAfter: ['a'] }],
    ['before any', { interruptBefore: '*' as const }],
  ])('%s: the superstep is committed, and nothing is asked', async (_name, breakpoints) => {
    const graph = graphOf(two, ['a']);
    const run = options(breakpoints);
    const ports = new PlayedPorts();
    const outcome = await runSuperstep(graph, await started(graph), run, ports);
    expect(outcome).toMatchObject({ kind: 'interrupted', interrupts: [], next: [{ node: 'b' }] });
    expect('commit' in outcome && outcome.commit?.checkpoint.channel_values).toMatchObject({ log: ['a'] });
    expect(outcome.kind === 'interrupted' && outcome.chunks).toEqual([
      { ns: [], mode: 'updates', payload: { __interrupt__: [] } },
      { ns: [], mode: 'values', payload: { __interrupt__: [] } },
    ]);
  });
});

describe('the end', () => {
  test('a graph that has nothing more to do is done, with its last checkpoint to save', async () => {
    const graph = graphOf({ a: { run: () => ({ last: 1 }) } }, ['a']);
    const outcome = await runSuperstep(graph, await started(graph), options(), new PlayedPorts());
    expect(outcome).toMatchObject({ kind: 'done', commit: { metadata: { source: 'loop', step: 1, parents: {} } } });
    expect(await runSuperstep(graph, outcome.state, options(), new PlayedPorts())).toEqual({
      kind: 'done',
      state: outcome.state,
    });
  });

  test('a values chunk at the root says which checkpoint it shows', async () => {
    const graph = graphOf({ a: { run: () => ({ last: 1 }) } }, ['a']);
    const outcome = await runSuperstep(graph, await started(graph), options(), new PlayedPorts());
    const commit = outcome.kind === 'done' ? outcome.commit : undefined;
    expect(commit?.chunks).toEqual([
      {
        ns: [],
        mode: 'values',
        payload: { log: [], last: 1 },
        checkpointId: commit?.checkpoint.id,
        envelope: { id: commit?.checkpoint.id, parent_id: expect.any(String), source: 'loop', step: 1 },
      },
    ]);
  });

  test('the step after the last one allowed is refused, also when nothing is left to do', async () => {
    const graph = graphOf({ a: { run: () => ({ last: 1 }) } }, ['a']);
    const run = options({ config: { ...options().config, recursionLimit: 1 } });
    const outcome = await runSuperstep(graph, await started(graph, {}, new PlayedPorts(), run), run, new PlayedPorts());
    expect(outcome).toMatchObject({ kind: 'continue', next: [] });
    await expect(runSuperstep(graph, outcome.state, run, new PlayedPorts())).rejects.toMatchObject({
      name: 'GraphRecursionError',
      lc_error_code: 'GRAPH_RECURSION_LIMIT',
      message: expect.stringContaining('Recursion limit of 1 reached') as unknown as string,
    });
  });

  test('a wrong update names the channel and its values', async () => {
    const graph = graphOf({ a: { run: () => ({ last: 1 }) }, b: { run: () => ({ last: 2 }) } }, ['a', 'b']);
    await expect(runSuperstep(graph, await started(graph), options(), new PlayedPorts())).rejects.toMatchObject({
      name: 'InvalidUpdateError',
      lc_error_code: 'INVALID_CONCURRENT_GRAPH_UPDATE',
      message: expect.stringContaining('Invalid update for channel "last" with values [1,2]') as unknown as string,
    });
  });

  test('a Send to a node that is not there fails the task that sent it', async () => {
    const graph = graphOf({ a: { run: () => null, then: () => [new Send('nowhere', 1)] } }, ['a']);
    await expect(runSuperstep(graph, await started(graph), options(), new PlayedPorts())).rejects.toThrow(
      'Invalid node name "nowhere" in Send packet',
    );
  });

  test('what bubbles up is no failure of a node', () => {
    expect(failedNodeOf(new (class extends GraphBubbleUp {})())).toBeUndefined();
  });
});
