// Where functional graphs differ from LangGraph's on purpose. Each test holds both.
import { expect, test } from '@jest/globals';
import { saver, thread } from './harness.js';
import { isAborted } from './normalize.js';
import { ours, reference, type Library } from './library.js';

/** Runs `scene` with both libraries. */
async function both<Result>(scene: (lg: Library) => Promise<Result>): Promise<{ theirs: Result; own: Result }> {
  return { theirs: await scene(reference), own: await scene(ours) };
}

const fast = { initialInterval: 1, jitter: false, logWarning: false };

test('the error of an entrypoint whose task failed is its own; in LangGraph it is that it was aborted', async () => {
  const { theirs, own } = await both(async (lg) => {
    const bad = lg.task('bad', () => {
      throw new Error('boom');
    });
    const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => bad());
    await expect(graph.invoke(1, thread())).rejects.toThrow('boom');
    return (await graph.getState(thread())).tasks[0]?.error;
  });
  expect(isAborted(theirs)).toBe(true);
  expect(own).toEqual({ name: 'Error', message: 'boom' });
});

test('a node that is retried finds the results of its tasks; in LangGraph they run again', async () => {
  const { theirs, own } = await both(async (lg) => {
    let runs = 0;
    let attempts = 0;
    const work = lg.task('work', async () => Promise.resolve(++runs));
    const State = lg.Annotation.Root({ value: lg.Annotation<number>() });
    const graph = new lg.StateGraph(State)
      .addNode(
        'node',
        async () => {
          const value = await work();
          attempts += 1;
          if (attempts < 3) throw new Error('again');
          return { value };
        },
        { retryPolicy: fast },
      )
      .addEdge(lg.START, 'node')
      .compile({ checkpointer: saver() });
    await graph.invoke({ value: 0 }, thread());
    return runs;
  });
  expect(theirs).toBe(3);
  expect(own).toBe(1);
});

test('a task beside one that fails is told, and waited for; LangGraph lets it go', async () => {
  const { theirs, own } = await both(async (lg) => {
    let finish: () => void = () => undefined;
    const finishing = new Promise<void>((resolve) => (finish = resolve));
    let finished = false;
    const bad = lg.task('bad', async () => {
      setImmediate(() => setImmediate(finish));
      return Promise.reject(new Error('boom'));
    });
    const slow = lg.task('slow', async () => {
      await finishing;
      finished = true;
    });
    const graph = lg.entrypoint({ name: 'g', checkpointer: saver() }, async () => Promise.all([slow(), bad()]));
    await expect(graph.invoke(1, thread())).rejects.toThrow();
    const before = finished;
    await finishing;
    return before;
  });
  expect(theirs).toBe(false);
  expect(own).toBe(true);
});

test('a task outside of a run says so; LangGraph reads a property of undefined', async () => {
  const { theirs, own } = await both(async (lg) => {
    const errors: string[] = [];
    for (const call of [() => lg.task('work', () => 1)(), () => lg.getPreviousState()]) {
      try {
        await call();
      } catch (error) {
        errors.push((error as Error).message);
      }
    }
    return errors;
  });
  expect(theirs).toEqual(Array(2).fill(expect.stringContaining('Cannot read properties of undefined')));
  expect(own).toEqual(Array(2).fill(expect.stringContaining('outside of a run')));
});

test('executionInfo names the run that is served; in LangGraph it never does', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = lg.entrypoint('g', (_input: unknown, config): unknown => config.executionInfo?.runId);
    return graph.invoke(1, { configurable: { run_id: 'run' } });
  });
  expect(theirs).toBeUndefined();
  expect(own).toBe('run');
});
