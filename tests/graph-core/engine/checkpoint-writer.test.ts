import { describe, expect, test } from '@jest/globals';
import { MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { Annotation, Command, interrupt, START, StateGraph, type Durability } from 'superstep';

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

const graphWith = (checkpointer: BaseCheckpointSaver, second: () => string = () => 'two') =>
  new StateGraph(State)
    .addNode('one', () => ({ log: ['one'] }))
    .addNode('two', () => ({ log: [second()] }))
    .addEdge(START, 'one')
    .addEdge('one', 'two')
    .compile({ checkpointer });

const thread = { configurable: { thread_id: 't' } };

async function stepsOf(saver: MemorySaver): Promise<readonly (number | undefined)[]> {
  const steps: (number | undefined)[] = [];
  for await (const { metadata } of saver.list(thread)) steps.push(metadata?.step);
  return steps;
}

/** Puts wait until the test lets them; what was asked for, in order, is in `asked`. */
class SlowSaver extends MemorySaver {
  readonly asked: (number | undefined)[] = [];
  private readonly waiting: (() => void)[] = [];
  private letAll = false;

  override async put(...args: Parameters<MemorySaver['put']>): ReturnType<MemorySaver['put']> {
    this.asked.push(args[2].step);
    if (!this.letAll) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return super.put(...args);
  }

  release(): void {
    this.letAll = true;
    this.waiting.splice(0).forEach((resolve) => resolve());
  }
}

describe('durability', () => {
  test.each(['async', 'sync'] as const)('%s keeps a checkpoint of every superstep', async (durability) => {
    const saver = new MemorySaver();
    await graphWith(saver).invoke({ log: [] }, { ...thread, durability });
    expect(await stepsOf(saver)).toEqual([2, 1, 0, -1]);
  });

  test('exit keeps one, with the number of the last step and the state of the end', async () => {
    const saver = new MemorySaver();
    await graphWith(saver).invoke({ log: [] }, { ...thread, durability: 'exit' });
    expect(await stepsOf(saver)).toEqual([2]);
    const tuple = await saver.getTuple(thread);
    expect(tuple?.parentConfig).toBeUndefined();
    expect(tuple?.checkpoint.channel_values).toMatchObject({ log: ['one', 'two'] });
  });

  test('exit keeps what is needed to answer a question', async () => {
    const saver = new MemorySaver();
    const graph = graphWith(saver, () => String(interrupt('Well?')));
    const exit = { ...thread, durability: 'exit' as const };
    expect(await graph.invoke({ log: [] }, exit)).toMatchObject({ __interrupt__: [{ value: 'Well?' }] });
    expect(await stepsOf(saver)).toEqual([1]);
    expect(await graph.invoke(new Command({ resume: 'yes' }), exit)).toMatchObject({ log: ['one', 'yes'] });
  });

  test('with async, nodes run while a checkpoint is still being saved; the run ends when all are', async () => {
    const saver = new SlowSaver();
    let reached: () => void = () => undefined;
    const second = new Promise<void>((resolve) => (reached = resolve));
    let ended = false;
    const run = graphWith(saver, () => (reached(), 'two'))
      .invoke({ log: [] }, { ...thread, durability: 'async' })
      .then(() => (ended = true));
    await second;
    expect(saver.asked).toEqual([-1]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    saver.release();
    await run;
    expect(await stepsOf(saver)).toEqual([2, 1, 0, -1]);
  });

  test('with sync, no node runs before the step before it is saved', async () => {
    const saver = new SlowSaver();
    let ran = false;
    const run = graphWith(saver, () => ((ran = true), 'two')).invoke({ log: [] }, { ...thread, durability: 'sync' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran).toBe(false);
    saver.release();
    await run;
    expect(ran).toBe(true);
  });

  test.each<Durability>(['async', 'sync', 'exit'])('%s: a save that fails, fails the run', async (durability) => {
    class BrokenSaver extends MemorySaver {
      override async put(): Promise<never> {
        throw new Error('The disk is full.');
      }
    }
    const run = graphWith(new BrokenSaver()).invoke({ log: [] }, { ...thread, durability });
    await expect(run).rejects.toThrow('The disk is full.');
  });

  test('what failed the run is told before what failed to be saved', async () => {
    class BrokenSaver extends MemorySaver {
      override async putWrites(): Promise<never> {
        throw new Error('The disk is full.');
      }
    }
    const graph = graphWith(new BrokenSaver(), () => {
      throw new Error('The node is broken.');
    });
    await expect(graph.invoke({ log: [] }, thread)).rejects.toThrow('The node is broken.');
  });

  test('cannot be given in its old form and its new one at once', async () => {
    const both = { ...thread, durability: 'sync' as const, checkpointDuring: false };
    await expect(graphWith(new MemorySaver()).invoke({ log: [] }, both)).rejects.toThrow(
      'Cannot use both `durability` and `checkpointDuring` at the same time.',
    );
  });
});
