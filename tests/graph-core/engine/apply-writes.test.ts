import { describe, expect, test } from '@jest/globals';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import {
  BinaryOperatorAggregate,
  EphemeralValue,
  LastValue,
  NamedBarrierValue,
  Topic,
  type Channel,
} from '../../../graph-core/channels/index.js';
import { applyOwnWrites, applyWrites, pathKey, type TaskWrites } from '../../../graph-core/engine/apply-writes.js';
import { countUp } from '../../../graph-core/engine/checkpoints.js';
import { LayeredMap } from '../../../graph-core/engine/layered-map.js';
import { readChannels, stateUnder, type LiveState } from '../../../graph-core/engine/live-state.js';

const state = (more: Record<string, Channel> = {}): LiveState =>
  stateUnder(emptyCheckpoint(), {
    channels: LayeredMap.of<Channel>(
      Object.entries({
        log: new BinaryOperatorAggregate(
          (a: string[], b: string[]) => [...a, ...b],
          () => [],
        ),
        one: new LastValue(),
        go: new EphemeralValue(false).fromCheckpoint('now'),
        both: new NamedBarrierValue(new Set(['a', 'b'])).fromCheckpoint(['a', 'b']),
        __pregel_tasks: new Topic(),
        ...more,
      }),
    ),
    versions: LayeredMap.of([['go', 1]]),
    seen: LayeredMap.of(),
    newest: 1,
    passing: new Set(['go']),
  });

const task = (name: string, writes: TaskWrites['writes'], more: Partial<TaskWrites> = {}): TaskWrites => ({
  name,
  path: ['__pregel_pull', name],
  triggers: ['go'],
  writes,
  ...more,
});

const none = new Map<string, readonly string[]>();

describe('applying writes', () => {
  test('goes by path: triggered nodes by name, then Sends by their place', () => {
    const tasks = [
      task('w', [['log', ['second send']]], { path: ['__pregel_push', 10, false], triggers: ['__pregel_push'] }),
      task('w', [['log', ['first send']]], { path: ['__pregel_push', 9, false], triggers: ['__pregel_push'] }),
      task('b', [['log', ['b']]]),
      task('a', [['log', ['a']]]),
    ];
    const { channels } = applyWrites(state(), tasks, countUp, none).state;
    expect(channels.get('log')?.get()).toEqual(['a', 'b', 'first send', 'second send']);
  });

  test('leaves the state it starts from as it was', () => {
    const before = state();
    const copy = JSON.stringify(before.checkpoint);
    applyWrites(
      before,
      [
        task(
          'a',
          [
            ['log', ['a']],
            ['one', 1],
          ],
          { triggers: ['go', 'both'] },
        ),
      ],
      countUp,
      none,
    );
    expect(JSON.stringify(before.checkpoint)).toBe(copy);
    expect(readChannels(before.channels, ['log', 'one', 'go'])).toEqual({ log: [], go: 'now' });
    expect(before.channels.get('both')?.isAvailable()).toBe(true);
  });

  test('marks what its tasks have seen, at the versions they saw', () => {
    const { checkpoint } = applyWrites(state(), [task('a', [])], countUp, none).state;
    expect(checkpoint.versions_seen).toEqual({ a: { go: 1 } });
  });

  test('empties what nobody wrote to and lasts one superstep only, and gives that a version', () => {
    const { checkpoint, channels } = applyWrites(state(), [task('a', [['one', 1]])], countUp, none).state;
    expect(channels.get('go')?.isAvailable()).toBe(false);
    expect(checkpoint.channel_versions).toEqual({ go: 2, one: 2 });
  });

  test('gives what was consumed a version below what was written', () => {
    const tasks = [task('a', [['one', 1]], { triggers: ['both'] })];
    const { checkpoint } = applyWrites(state(), tasks, countUp, none).state;
    expect(checkpoint.channel_versions).toEqual({ both: 2, one: 3, go: 3 });
  });

  test('names the channels that changed and have a value', () => {
    const { updated } = applyWrites(
      state(),
      [
        task('a', [
          ['one', 1],
          ['unknown', 2],
          ['__error__', 3],
        ]),
      ],
      countUp,
      none,
    );
    expect([...updated]).toEqual(['one']);
  });

  test('by no task empties nothing: input and Commands come between supersteps', () => {
    const input: TaskWrites = { name: '__input__', triggers: [], writes: [['one', 1]] };
    const { channels } = applyWrites(state(), [input], countUp, none).state;
    expect(channels.get('go')?.isAvailable()).toBe(true);
  });

  test('tells deferred channels that the run would end only when nothing follows', () => {
    class Deferred extends LastValue<number> {
      finished = 0;
      override finish(): boolean {
        this.finished += 1;
        return true;
      }
    }
    const deferred = state({ late: new Deferred() });
    const finishedAfter = (triggered: ReadonlyMap<string, readonly string[]>): unknown => {
      const { channels } = applyWrites(deferred, [task('a', [['one', 1]])], countUp, triggered).state;
      return (channels.get('late') as unknown as Deferred).finished;
    };
    expect(finishedAfter(new Map([['one', ['next']]]))).toBe(0);
    expect(finishedAfter(none)).toBe(1);
  });
});

test('a task sees its own writes on the channels it asks for, and changes nothing', () => {
  const { channels } = state();
  const fresh = applyOwnWrites(
    channels,
    ['log'],
    [
      ['log', ['mine']],
      ['one', 1],
    ],
  );
  expect(readChannels(fresh, ['log', 'one'])).toEqual({ log: ['mine'] });
  expect(readChannels(channels, ['log'])).toEqual({ log: [] });
});

test.each([
  [['__pregel_pull', 'node'], '~__pregel_pull, node'],
  [['__pregel_push', 3, false], '~__pregel_push, 0000000003, 0000000000'],
  [
    ['__pregel_push', ['__pregel_pull', 'node'], 1, true],
    '~__pregel_push, ~__pregel_pull, node, 0000000001, 0000000001',
  ],
  [undefined, '~'],
])('the path %j is stored as %s', (path, stored) => {
  expect(pathKey(path)).toBe(stored);
});
