// Calls of tasks as a driver of supersteps sees them: what is saved, when, and what is found again.
import { describe, expect, test } from '@jest/globals';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Command, entrypoint, getConfig, getPreviousState, interrupt, task } from '../../../graph-core/index.js';
import { beginRun } from '../../../graph-core/engine/begin-run.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import type {
  RunOptions,
  SavedWritesInfo,
  SuperstepOutcome,
  SuperstepPorts,
} from '../../../graph-core/engine/superstep-contract.js';
import { input, StepwiseDriver } from './stepwise-driver.js';

const thread = { configurable: { thread_id: 't' } };

const fast = { initialInterval: 1, jitter: false, logWarning: false };

interface Saved extends SavedWritesInfo {
  readonly channels: readonly string[];
}

/** Runs an entrypoint's superstep and tells what it saved, in order. */
async function superstepOf(
  graph: ReturnType<typeof entrypoint<unknown, unknown>>,
  ports: Partial<SuperstepPorts> = {},
): Promise<{ readonly outcome: SuperstepOutcome; readonly saved: readonly Saved[] }> {
  const options: RunOptions = {
    config: { configurable: { thread_id: 't', checkpoint_ns: '' } },
    streamModes: [],
    streamSubgraphs: false,
  };
  const saver = new MemorySaver();
  const saved: Saved[] = [];
  const { state } = beginRun(graph, undefined, input('in'), options, { saver });
  const outcome = await runSuperstep(graph, state, options, {
    saver,
    saveWrites: (_taskId, writes, info) => void saved.push({ ...info, channels: writes.map(([channel]) => channel) }),
    emit: () => undefined,
    signal: new AbortController().signal,
    retries: 'caller',
    ...ports,
  });
  return { outcome, saved };
}

describe('what a call leaves behind', () => {
  test('is saved by itself, also where its caller is the only task of the superstep', async () => {
    const one = task('one', async () => Promise.resolve(1));
    const { outcome, saved } = await superstepOf(entrypoint('g', async () => one()));
    expect(outcome.kind).toBe('done');
    expect(saved).toEqual([
      { channels: ['__return__'], kind: 'call', siblings: 2, finished: true, taskPath: expect.any(String) },
      {
        channels: ['__end__', '__previous__'],
        kind: 'planned',
        siblings: 2,
        finished: true,
        taskPath: expect.any(String),
      },
    ]);
  });

  test('is saved before its caller goes on', async () => {
    const order: string[] = [];
    const one = task('one', async () => Promise.resolve(1));
    const graph = entrypoint('g', async () => {
      await one();
      order.push('caller goes on');
    });
    await superstepOf(graph, {
      saveWrites: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('saved');
      },
    });
    expect(order).toEqual(['saved', 'caller goes on', 'saved']);
  });

  test('is a question that is asked once, by its caller', async () => {
    const ask = task('ask', async () => Promise.resolve(interrupt<string, string>('q')));
    const { outcome, saved } = await superstepOf(entrypoint('g', async () => ask()));
    expect(outcome).toMatchObject({
      kind: 'interrupted',
      interrupts: [{ value: 'q', node: 'g' }],
      next: [{ node: 'g' }],
    });
    expect(saved.map(({ kind, channels }) => [kind, channels])).toEqual([
      ['call', ['__interrupt__']],
      ['planned', ['__interrupt__']],
    ]);
  });

  test('is asked for itself where the caller makes nothing of it', async () => {
    const ask = task('ask', async () => Promise.resolve(interrupt<string, string>('q')));
    const graph = entrypoint('g', async () => ask().catch(() => 'caught'));
    const { outcome } = await superstepOf(graph);
    expect(outcome).toMatchObject({ kind: 'interrupted', interrupts: [{ value: 'q', node: 'ask' }] });
  });
});

describe('a superstep that runs again', () => {
  test('finds the results of the calls that had finished', async () => {
    const runs: string[] = [];
    let dies = true;
    const step = task('step', async (name: string) => {
      runs.push(name);
      return Promise.resolve(name);
    });
    const driver = new StepwiseDriver(
      entrypoint('g', async () => {
        const results = [await step('a'), ...(await Promise.all([step('b'), step('c')]))];
        if (dies) throw new Error('died');
        return [...results, await step('d')];
      }),
    );
    await expect(driver.run(input('in'))).rejects.toThrow('died');
    dies = false;
    const outcome = await driver.goOn();
    expect(outcome.state.saved.checkpoint.channel_values['__end__']).toEqual(['a', 'b', 'c', 'd']);
    expect(runs).toEqual(['a', 'b', 'c', 'd']);
  });

  test('asks again, and each question has its own answer', async () => {
    const ask = task('ask', async (question: string) => Promise.resolve(interrupt<string, string>(question)));
    const driver = new StepwiseDriver(entrypoint('g', async () => [await ask('a?'), await ask('b?')]));
    expect(await driver.run(input('in'))).toMatchObject({ interrupts: [{ value: 'a?' }] });
    const answer = (resume: string) => driver.run({ kind: 'command', command: new Command({ resume }) });
    expect(await answer('A')).toMatchObject({ interrupts: [{ value: 'b?' }] });
    expect((await answer('B')).state.saved.checkpoint.channel_values['__end__']).toEqual(['A', 'B']);
  });

  test('within one process: a caller that is retried gets the results of its attempt before', async () => {
    let runs = 0;
    let attempts = 0;
    const one = task('one', async () => Promise.resolve(++runs));
    const graph = entrypoint({ name: 'g', checkpointer: new MemorySaver() }, async () => {
      const result = await one();
      attempts += 1;
      if (attempts < 3) throw new Error('again');
      return result;
    });
    Object.assign(graph, { retryPolicy: fast });
    expect(await graph.invoke('in', thread)).toBe(1);
    expect({ runs, attempts }).toEqual({ runs: 1, attempts: 3 });
  });
});

describe('a call that fails', () => {
  test('is retried within the superstep, also where nodes are left to the caller of the superstep', async () => {
    let attempts = 0;
    const flaky = task({ name: 'flaky', retry: fast }, () => {
      attempts += 1;
      if (attempts < 3) throw new Error('again');
      return attempts;
    });
    const { outcome } = await superstepOf(entrypoint('g', async () => flaky()));
    expect(outcome.state.saved.checkpoint.channel_values['__end__']).toBe(3);
  });

  test('fails the run, also where its caller catches the error, which then is no result', async () => {
    const bad = task('bad', () => {
      throw new Error('boom');
    });
    const graph = entrypoint({ name: 'g', checkpointer: new MemorySaver() }, async () => bad().catch(() => 'caught'));
    await expect(graph.invoke('in', thread)).rejects.toThrow('boom');
    const state = await graph.getState(thread);
    expect(state).toMatchObject({ next: ['g'], tasks: [{ name: 'g', error: { message: 'boom', name: 'Error' } }] });
  });

  test('fails the run where nobody waits for it, and is no unhandled rejection', async () => {
    const bad = task('bad', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('boom');
    });
    const graph = entrypoint('g', () => {
      void bad();
      return 'early';
    });
    await expect(graph.invoke('in')).rejects.toThrow('boom');
  });

  test('aborts the others, which are waited for; what they finish is kept', async () => {
    const told: unknown[] = [];
    const bad = task('bad', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('boom');
    });
    const finishes = task('finishes', async () => {
      const { signal } = getConfig();
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      told.push(signal?.aborted);
      return 'finished';
    });
    const saver = new MemorySaver();
    const graph = entrypoint({ name: 'g', checkpointer: saver }, async () => Promise.all([finishes(), bad()]));
    await expect(graph.invoke('in', thread)).rejects.toThrow('boom');
    expect(told).toEqual([true]);
    const writes = (await saver.getTuple({ configurable: { thread_id: 't', checkpoint_ns: '' } }))?.pendingWrites ?? [];
    expect(writes.filter(([, channel]) => channel === '__return__').map(([, , value]) => value)).toContain('finished');
  });

  test('lets its caller call no further tasks', async () => {
    let runs = 0;
    const bad = task('bad', () => {
      throw new Error('boom');
    });
    const next = task('next', () => (runs += 1));
    const graph = entrypoint('g', async () => {
      await bad().catch(() => undefined);
      return next();
    });
    await expect(graph.invoke('in')).rejects.toThrow('boom');
    expect(runs).toBe(0);
  });
});

test('a task that is called when its run is over rejects', async () => {
  let later: Promise<unknown> | undefined;
  let start = (): void => undefined;
  const one = task('one', () => 1);
  const graph = entrypoint('g', () => {
    later = new Promise<void>((resolve) => (start = resolve)).then(() => one());
    return 'done';
  });
  await graph.invoke('in');
  start();
  await expect(later).rejects.toThrow('Task "one" was called when the superstep of its caller had failed or ended.');
});

test('outside of a run there are no tasks and no previous state', () => {
  expect(() => task('one', () => 1)()).toThrow(/^Task "one" was called outside of a run/);
  expect(() => getPreviousState()).toThrow(/^getPreviousState\(\) was called outside of a run/);
});
