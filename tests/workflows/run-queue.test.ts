import { describe, expect, test } from '@jest/globals';
import type { MultitaskStrategy, RunRef } from '../../workflows/messages.js';
import { RunQueue } from '../../workflows/run-queue.js';

const ref = (runId: string, strategy: MultitaskStrategy = 'enqueue'): RunRef => ({
  runId,
  strategy,
  assistantId: 'assistant',
  graphId: 'graph',
});
const NOW = 1_000;
const later = (runId: string, notBefore: number): RunRef => ({ ...ref(runId), notBefore });
const queueOf = (...waiting: readonly RunRef[]) => new RunQueue({ run: ref('current'), queue: waiting, recent: [] });
const ids = (queue: RunQueue) => queue.waiting.map(({ runId }) => runId);

describe('a new run', () => {
  test.each(['enqueue', 'reject'] as const)('with %s waits behind the others and displaces nobody', (strategy) => {
    const queue = queueOf(ref('a'));
    expect(queue.submit(ref('b', strategy), 'running')).toEqual({ dismissed: [] });
    expect(ids(queue)).toEqual(['a', 'b']);
  });

  test.each(['interrupt', 'rollback'] as const)(
    'with %s stops the present run and displaces all that wait',
    (strategy) => {
      const queue = queueOf(ref('a'), ref('b'));
      const decision = queue.submit(ref('c', strategy), 'running');
      expect(decision.stop).toBe(strategy);
      expect(decision.dismissed.map(({ run, action }) => [run.runId, action])).toEqual([
        ['a', strategy],
        ['b', strategy],
      ]);
      expect(ids(queue)).toEqual(['c']);
    },
  );

  test.each(['waiting', 'settling', 'settled'] as const)('does not stop a run that is %s', (state) => {
    expect(queueOf().submit(ref('a', 'interrupt'), state).stop).toBeUndefined();
  });

  test('stops one that waits for its time', () => {
    expect(queueOf().submit(ref('a', 'interrupt'), 'delayed').stop).toBe('interrupt');
  });

  test('is taken in once: as the present one, in the queue, or among the recent ones', () => {
    const queue = queueOf(ref('a'));
    expect(queue.submit(ref('current', 'interrupt'), 'running')).toEqual({ dismissed: [] });
    expect(queue.submit(ref('a', 'interrupt'), 'running')).toEqual({ dismissed: [] });
    expect(queue.shift(NOW)?.runId).toBe('a');
    queue.submit(ref('b'), 'running');
    queue.shift(NOW);
    expect(queue.submit(ref('b', 'interrupt'), 'running')).toEqual({ dismissed: [] });
    expect(ids(queue)).toEqual([]);
  });
});

describe('a cancel', () => {
  test('of the present run stops it', () => {
    expect(queueOf().cancel({ runId: 'current', action: 'rollback' })).toEqual({ stop: 'rollback', dismissed: [] });
  });

  test('of a queued run strikes it from the queue', () => {
    const queue = queueOf(ref('a'), ref('b'));
    const { dismissed, stop } = queue.cancel({ runId: 'a', action: 'interrupt' });
    expect(stop).toBeUndefined();
    expect(dismissed).toEqual([{ run: ref('a'), action: 'interrupt' }]);
    expect(ids(queue)).toEqual(['b']);
  });

  test('that comes before its run strikes when the run comes, also in a later execution', () => {
    const queue = queueOf();
    queue.cancel({ runId: 'a', action: 'interrupt' });
    const later = new RunQueue({
      run: ref('next'),
      queue: [],
      recent: queue.carried.recent,
      carried: { resumes: [], cancels: queue.carried.cancels },
    });
    expect(later.submit(ref('a'), 'running').dismissed).toEqual([{ run: ref('a'), action: 'interrupt' }]);
    expect(later.waiting).toEqual([]);
    expect(later.carried.cancels).toEqual([]);
  });

  test('of a run that has ended is forgotten', () => {
    const queue = new RunQueue({ run: ref('current'), queue: [], recent: ['old'] });
    queue.cancel({ runId: 'old', action: 'interrupt' });
    expect(queue.carried.cancels).toEqual([]);
  });
});

describe('a run that starts later', () => {
  test('lets those that are due go first, in their order', () => {
    const queue = queueOf(later('at 3', 3_000), ref('a'), later('at 2', 2_000), ref('b'), later('past', 500));
    const order = Array.from({ length: 6 }, () => queue.shift(NOW)?.runId);
    expect(order).toEqual(['a', 'b', 'past', 'at 2', 'at 3', undefined]);
  });

  test('is overtaken by what is due earlier, and keeps its place', () => {
    const run = later('current', 3_000);
    const queue = new RunQueue({ run, queue: [later('at 3', 3_000)], recent: [] });
    expect(queue.overtakes).toBe(false);
    queue.submit(later('at 2', 2_000), 'delayed');
    expect(queue.overtakes).toBe(true);
    expect(queue.defer(NOW).runId).toBe('at 2');
    expect(ids(queue)).toEqual(['current', 'at 3']);
  });

  test('goes on waiting when what was due earlier is gone again', () => {
    const queue = new RunQueue({ run: later('current', 3_000), queue: [], recent: [] });
    expect(queue.defer(NOW).runId).toBe('current');
    expect(ids(queue)).toEqual([]);
  });
});
