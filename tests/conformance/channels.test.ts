// Channels by themselves: what they take, hold and store.
import { MemorySaver, emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import * as theirs from '@langchain/langgraph/channels';
import * as ourChannels from '../../graph-core/entries/channels.js';
import { compare, type Trace } from './harness.js';
import { reference } from './library.js';
import { test } from '@jest/globals';

type Channels = typeof theirs;

const ours = ourChannels as unknown as Channels;

/** A program over the channels of either library. */
function program(name: string, body: (channels: Channels, trace: Trace) => void | Promise<void>): void {
  test(name, () => compare((lg, trace) => body(lg === reference ? theirs : ours, trace)));
}

interface AnyChannel {
  readonly lc_graph_name: string;
  fromCheckpoint(stored?: unknown): AnyChannel;
  update(values: unknown[]): boolean;
  get(): unknown;
  checkpoint(): unknown;
  consume(): boolean;
  finish(): boolean;
  isAvailable(): boolean;
  equals(other: unknown): boolean;
}

async function observe(t: Trace, channel: AnyChannel): Promise<void> {
  t.note('available', channel.isAvailable());
  await t.outcome('value', () => copied(channel.get()));
  t.note('stored', copied(stored(channel)));
}

/** Some channels hand out lists that they change later. */
const copied = (value: unknown): unknown => (Array.isArray(value) ? value.map(copied) : value);

/** LangGraph throws where there is nothing to store; by the contract here there is `undefined`. */
function stored(channel: AnyChannel): unknown {
  try {
    return channel.checkpoint();
  } catch (error) {
    if ((error as Error).name === 'EmptyChannelError') return undefined;
    throw error;
  }
}

/** Supersteps upon a channel; `consume` and `finish` as such. */
async function drive(
  t: Trace,
  pattern: unknown,
  steps: readonly (readonly unknown[] | 'consume' | 'finish' | 'reload')[],
): Promise<void> {
  let channel = (pattern as AnyChannel).fromCheckpoint();
  t.note('kind', channel.lc_graph_name);
  await observe(t, channel);
  for (const step of steps) {
    if (step === 'reload') channel = channel.fromCheckpoint(stored(channel));
    else if (step === 'consume' || step === 'finish') t.note(step, channel[step]());
    else await t.outcome('update', () => channel.update([...step]));
    await observe(t, channel);
  }
}

program('LastValue and LastValueAfterFinish', async (c, t) => {
  await drive(t, new c.LastValue(), [[], [1], [], [undefined], 'reload', [1, 2], 'consume', 'finish']);
  await drive(t, new c.LastValue(() => 'default'), [[], ['x'], 'reload']);
  await drive(t, new c.LastValueAfterFinish(), [
    [1],
    'finish',
    'finish',
    'consume',
    [2],
    'reload',
    'finish',
    'reload',
    [3, 4],
  ]);
});

program('AnyValue and EphemeralValue', async (c, t) => {
  await drive(t, new c.AnyValue(), [[1], [1, 2], 'reload', [], [], [3]]);
  await drive(t, new c.EphemeralValue(), [[1], 'reload', [], [], [1, 2], [3]]);
  await drive(t, new c.EphemeralValue(false), [[1, 2], 'reload', []]);
});

program('BinaryOperatorAggregate', async (c, t) => {
  const add = (a: number, b: number): number => a + b;
  await drive(t, new c.BinaryOperatorAggregate(add), [
    [1],
    [2, 3],
    'reload',
    [],
    [{ __overwrite__: 9 }, 1],
    [1, { __overwrite__: 5 }],
  ]);
  await drive(t, new c.BinaryOperatorAggregate(add, () => 100), [
    [1],
    'reload',
    [{ __overwrite__: 1 }, { __overwrite__: 2 }],
  ]);
});

program('Topic in its forms', async (c, t) => {
  for (const options of [
    undefined,
    {},
    { unique: true },
    { accumulate: true },
    { unique: true, accumulate: true },
    { unique: false, accumulate: false },
  ]) {
    await drive(t, new c.Topic(options), [[1], [2, [3, 2]], 'reload', [2], [], [], [[1], [1, 5]], 'reload', [5]]);
  }
  const old = [['seen'], ['kept']];
  for (const options of [{}, { unique: true }, { accumulate: true }]) {
    const topic = new c.Topic(options).fromCheckpoint(old) as unknown as AnyChannel;
    await observe(t, topic);
    t.note('update', topic.update(['seen', 'new']));
    await observe(t, topic);
  }
});

program('barriers of names that are known', async (c, t) => {
  const names = new Set(['a', 'b']);
  const steps = [['a'], ['a'], 'reload', ['b'], 'consume', ['a', 'b'], 'finish', 'reload', 'consume'] as const;
  await drive(t, new c.NamedBarrierValue(names), steps);
  await drive(t, new c.NamedBarrierValueAfterFinish(names), steps);
});

program('barriers of names that come later', async (c, t) => {
  const names = { __names: ['a', 'b'] };
  await drive(t, new c.DynamicBarrierValue(), [
    ['a'],
    [names],
    ['a', 'x'],
    'reload',
    ['a'],
    ['b'],
    'consume',
    ['b'],
    [names, names],
    [names, 'a'],
    ['b'],
    [],
    'finish',
    'consume',
  ]);
});

program('UntrackedValueChannel', async (c, t) => {
  await drive(t, new c.UntrackedValueChannel(), [[1], [], 'reload', [1, 2], [undefined]]);
  await drive(t, new c.UntrackedValueChannel({ guard: false }), [[1, 2], [], 'reload']);
  await drive(t, new c.UntrackedValueChannel({ initialValueFactory: () => 'first' }), [['x'], 'reload']);
});

program('DeltaChannel', async (c, t) => {
  const concat = (list: unknown[], writes: unknown[]): unknown[] => [...list, ...writes];
  await drive(t, new c.DeltaChannel(concat as never), [
    [1],
    [2, 3],
    [],
    [{ __overwrite__: ['x'] }, 4],
    [{ __overwrite__: null }],
  ]);
  await drive(t, new c.DeltaChannel(concat as never, { initialValueFactory: () => ['first'] }), [
    [1],
    [{ __overwrite__: [1] }, { __overwrite__: [2] }],
    'reload',
  ]);
  const channel = new c.DeltaChannel(concat as never).fromCheckpoint(['seed'] as never);
  channel.replayWrites([]);
  channel.replayWrites([
    ['t', 'k', 1],
    ['t', 'k', 2],
  ]);
  await observe(t, channel);
  channel.replayWrites([
    ['t', 'k', 3],
    ['t', 'k', { __overwrite__: ['all'] }],
    ['t', 'k', 4],
  ]);
  await observe(t, channel);
  t.note('is delta', [
    c.isDeltaChannel(channel),
    c.isDeltaChannel(new c.LastValue()),
    c.isDeltaChannel(undefined as never),
  ]);
});

program('channels that are alike', (c, t) => {
  const add = (a: number, b: number): number => a + b;
  const fold = (list: unknown[]): unknown[] => list;
  const make = (): unknown[] => [
    new c.BinaryOperatorAggregate(add),
    new c.BinaryOperatorAggregate((a: number) => a),
    new c.DeltaChannel(fold as never),
    new c.DeltaChannel(fold as never, { snapshotFrequency: 2 }),
    new c.UntrackedValueChannel(),
    new c.Topic(),
    new c.DynamicBarrierValue(),
  ];
  const others = make() as AnyChannel[];
  for (const one of make() as AnyChannel[])
    t.note(
      'equals',
      others.map((other) => one.equals(other)),
    );
});

program('checkpoints of channels', async (c, t) => {
  const specs = {
    last: new c.LastValue<string>(),
    sum: new c.BinaryOperatorAggregate(
      (a: number, b: number) => a + b,
      () => 0,
    ),
    gone: new c.UntrackedValueChannel<number>(),
    list: new c.DeltaChannel<string[], string>((list, writes) => [...list, ...writes]),
  } as never as Record<string, InstanceType<Channels['BaseChannel']>>;
  const channels = c.empty(specs, emptyCheckpoint());
  channels.last?.update(['x']);
  channels.sum?.update([2]);
  channels.gone?.update([1]);
  channels.list?.update(['a']);
  const from = { ...emptyCheckpoint(), channel_versions: { last: 1, list: 3 } };
  const bare = c.createCheckpoint(from, channels, 4, { id: 'the id' });
  const whole = c.createCheckpoint(from, channels, 4, {
    channelsToSnapshot: new Set(['list']),
    storedVersions: { list: 3 },
    getNextVersion: (version) => Number(version ?? 0) + 1,
  });
  for (const checkpoint of [bare, whole, c.createCheckpoint(bare, undefined, 5)]) {
    t.note('checkpoint', { ...checkpoint, id: '', ts: '' });
    await t.outcome('channels', async () => {
      const again = await c.channelsFromCheckpoint(specs, checkpoint);
      return Object.entries(again).map(([name, channel]) => [name, channel.isAvailable() && channel.get()]);
    });
  }
});

program('channels of a saved thread, replayed', async (c, t) => {
  const specs = {
    list: new c.DeltaChannel<string[], string>((list, writes) => [...list, ...writes]),
  } as never as Record<string, InstanceType<Channels['BaseChannel']>>;
  const memory = new MemorySaver();
  let config: { configurable: Record<string, unknown> } = { configurable: { thread_id: '1', checkpoint_ns: '' } };
  for (const [step, item] of ['a', 'b', 'c'].entries()) {
    const checkpoint = {
      ...emptyCheckpoint(),
      id: `1ef0000${step}-0000-6000-8000-000000000000`,
      channel_versions: { list: step + 1 },
    };
    config = (await memory.put(config as never, checkpoint, { source: 'loop', step, parents: {} })) as never;
    await memory.putWrites(config as never, [['list', item]], `0000000${step}-0000-0000-0000-000000000000`);
  }
  const tuple = await memory.getTuple(config as never);
  const channels = await c.channelsFromCheckpoint(specs, tuple?.checkpoint as never, {
    saver: memory,
    config: config as never,
  });
  t.note('value', channels.list?.get());
});

program('which delta channels are stored whole', (c, t) => {
  const channels = {
    full: new c.DeltaChannel((list: string[]) => list, { snapshotFrequency: 2 }).fromCheckpoint(['x']),
    none: new c.DeltaChannel((list: string[]) => list, { snapshotFrequency: 2 }),
    other: new c.LastValue(),
  } as never as Record<string, InstanceType<Channels['BaseChannel']>>;
  for (const counters of [
    {},
    { full: [1, 1] },
    { full: [2, 1], none: [9, 9], other: [9, 9] },
    { full: [0, 5000] },
    { full: [0, 4999] },
  ]) {
    for (const versions of [undefined, {}, { full: 1, none: 1 }] as (Record<string, number> | undefined)[]) {
      t.note('whole', [...c.deltaChannelsToSnapshot(channels, counters as never, versions)]);
    }
  }
  t.note('pending', [
    ...c.deltaChannelsWithPendingWrites(channels, [
      ['t', 'full', 1],
      ['t', 'other', 1],
      ['t', 'unknown', 1],
    ]),
    ...c.deltaChannelsWithPendingWrites(channels, undefined),
  ]);
});

program('ids of writes that are kept until the end of a run', async (c, t) => {
  const id = '12345678-ABCD-4000-8000-123456789abc';
  for (const step of [0, 7, 70000]) t.note('ids', [c.exitDeltaTaskId(step, id), c.exitDeltaLateTaskId(step, id)]);
  t.note('nil', c.exitDeltaTaskId(0, '00000000-0000-0000-0000-000000000000'));
  await t.outcome('bad', () => c.exitDeltaTaskId(0, 'no uuid'));
  await t.outcome('bad', () => c.exitDeltaLateTaskId(0, 'no uuid'));
});
