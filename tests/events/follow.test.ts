import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cursor } from '../../events/batch.js';
import type { Entry } from '../../events/entry.js';
import { follow, LogExpiredError, RunMissingError, type FollowOptions } from '../../events/follow.js';
import { MemoryBus } from '../../events/memory-bus.js';
import { collect, FakeRun, RUN } from './fixtures.js';

const START: Cursor = { kind: 'seq', after: -1 };
const seqsOf = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function reading(run: FakeRun, over: Partial<FollowOptions> = {}): AsyncGenerator<Entry, void, void> {
  return follow({
    log: run,
    bus: run.bus,
    runId: RUN,
    after: START,
    signal: new AbortController().signal,
    until: 'end',
    pollMs: 1,
    silenceMs: 5,
    maxBufferedEntries: 4,
    ...over,
  });
}

describe('following a run', () => {
  test('that is over reads its log and ends, without the bus', async () => {
    const run = new FakeRun(new MemoryBus());
    for (let i = 0; i < 7; i += 1) run.emit();
    run.settle();
    expect(seqsOf(await collect(reading(run)))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(seqsOf(await collect(reading(run, { after: { kind: 'frame', after: 4 } })))).toEqual([5, 6, 7]);
    expect(seqsOf(await collect(reading(run, { after: { kind: 'seq', after: 7 } })))).toEqual([]);
  });

  test('joined in the middle of a step takes the log, then the bus, with no seam', async () => {
    const run = new FakeRun(new MemoryBus());
    run.emit();
    run.emit();
    run.flush();
    run.emit();
    const entries = reading(run, { pollMs: 10_000, silenceMs: 10_000 });
    expect((await entries.next()).value).toMatchObject({ seq: 0 });
    run.emit();
    const rest = collect(entries);
    await turn();
    run.settle();
    expect(seqsOf(await rest)).toEqual([1, 2, 3, 4]);
    expect(run.reads).toBe(1);
  });

  test('without a bus polls the log', async () => {
    const run = new FakeRun(new MemoryBus());
    const all = collect(reading(run, { bus: undefined }));
    for (let i = 0; i < 5; i += 1) {
      run.emit();
      if (i % 2 === 0) run.flush();
      await turn();
    }
    run.settle();
    expect(seqsOf(await all)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('finds by the log what a silent bus never brought', async () => {
    const run = new FakeRun(new MemoryBus());
    const all = collect(reading(run));
    run.emit('custom', 'lost');
    run.emit('run.completed', 'lost');
    run.flush();
    expect(seqsOf(await all)).toEqual([0, 1]);
  });

  test('a reader who does not keep up holds a bounded number of entries and misses none', async () => {
    const run = new FakeRun(new MemoryBus({ entriesPerRun: 10 }), 100);
    const entries = reading(run, { maxBufferedEntries: 4 });
    run.emit();
    const got = [(await entries.next()).value as Entry];
    for (let i = 0; i < 500; i += 1) run.emit();
    run.settle();
    got.push(...(await collect(entries)));
    expect(seqsOf(got)).toEqual(seqsOf(run.made));
  });

  test('a new attempt is not taken up before what the dead one had logged', async () => {
    const run = new FakeRun(new MemoryBus());
    const entries = reading(run, { pollMs: 10_000, silenceMs: 10_000 });
    run.emit();
    const got = [(await entries.next()).value as Entry];
    run.emit('custom', 'lost');
    run.flush();
    run.crash();
    run.emit();
    const rest = collect(entries);
    await turn();
    run.settle();
    got.push(...(await rest));
    expect(seqsOf(got)).toEqual(seqsOf(run.made));
  });

  test('ends quietly when its signal is aborted', async () => {
    const run = new FakeRun(new MemoryBus());
    const abort = new AbortController();
    const all = collect(reading(run, { signal: abort.signal, silenceMs: 10_000 }));
    run.emit();
    await turn();
    abort.abort();
    expect(seqsOf(await all)).toEqual([0]);
    expect((run.bus as MemoryBus).runs).toBe(1);
    run.flush();
    expect((run.bus as MemoryBus).runs).toBe(0);
  });

  test('a run that is gone and a log that has expired are errors of their own', async () => {
    const run = new FakeRun(new MemoryBus());
    run.state = 'missing';
    await expect(collect(reading(run))).rejects.toThrow(RunMissingError);
    run.state = 'expired';
    await expect(collect(reading(run))).rejects.toThrow(LogExpiredError);
    expect((run.bus as MemoryBus).runs).toBe(0);
  });
});

describe('at a pause', () => {
  const paused = (run: FakeRun): void => {
    run.emit('run.paused');
    run.commitStep();
    run.state = 'paused';
  };
  const resumed = (run: FakeRun): void => {
    run.state = 'open';
    run.emit('run.resumed');
  };

  test('a Platform reader ends, live and late alike', async () => {
    const run = new FakeRun(new MemoryBus());
    const live = collect(reading(run, { until: 'pause', silenceMs: 10_000 }));
    await turn();
    run.emit();
    paused(run);
    expect(seqsOf(await live)).toEqual([0, 1]);
    expect(seqsOf(await collect(reading(run, { until: 'pause' })))).toEqual([0, 1]);
  });

  test('that has been answered a Platform reader goes on to the next', async () => {
    const run = new FakeRun(new MemoryBus());
    paused(run);
    resumed(run);
    const all = collect(reading(run, { until: 'pause' }));
    run.emit();
    await turn();
    paused(run);
    expect(seqsOf(await all)).toEqual(seqsOf(run.made));
  });

  test('a progress reader stays', async () => {
    const run = new FakeRun(new MemoryBus());
    const all = collect(reading(run));
    await turn();
    paused(run);
    await turn();
    resumed(run);
    run.settle();
    expect(seqsOf(await all)).toEqual([0, 1, 2]);
  });
});

describe('whatever happens in between', () => {
  type Act = 'emit' | 'lose' | 'progress' | 'flush' | 'commit' | 'crash' | 'turn';
  const acts = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Act>('emit') },
      { weight: 2, arbitrary: fc.constant<Act>('turn') },
      { weight: 1, arbitrary: fc.constantFrom<Act>('lose', 'progress', 'flush', 'commit', 'crash') },
    ),
    { maxLength: 60 },
  );

  async function perform(run: FakeRun, list: readonly Act[]): Promise<void> {
    for (const act of list) {
      if (act === 'emit') run.emit();
      if (act === 'lose') run.emit('custom', 'lost');
      if (act === 'progress') run.emit('node.started');
      if (act === 'flush') run.flush();
      if (act === 'commit') run.commitStep();
      if (act === 'crash') run.crash();
      if (act === 'turn') await turn();
    }
    run.settle();
  }

  /** Reads until `cut` entries have come, then the rest on a second connection from the last id seen. */
  async function readInTwo(run: FakeRun, cut: number, kind: Cursor['kind']): Promise<Entry[]> {
    const got: Entry[] = [];
    for await (const entry of reading(run)) {
      if (kind === 'frame' && !('frame' in entry)) continue;
      got.push(entry);
      if (got.length > cut) break;
    }
    const last = got.at(-1);
    if (last === undefined) return got;
    const after: Cursor =
      kind === 'frame' ? { kind, after: 'frame' in last ? last.frame : -1 } : { kind, after: last.seq };
    for await (const entry of reading(run, { after })) {
      if (kind === 'seq' || 'frame' in entry) got.push(entry);
    }
    return got;
  }

  test('the part before a cut and the part after it are the uncut sequence', async () => {
    await fc.assert(
      fc.asyncProperty(
        acts,
        fc.nat(30),
        fc.constantFrom<Cursor['kind']>('seq', 'frame'),
        fc.integer({ min: 1, max: 20 }),
        async (list, cut, kind, entriesPerRun) => {
          const run = new FakeRun(new MemoryBus({ entriesPerRun }));
          const read = readInTwo(run, cut, kind);
          await perform(run, list);
          const got = seqsOf(await read);
          expect(got).toEqual([...got].sort((a, b) => a - b));
          expect(new Set(got).size).toBe(got.length);
          const due = run.logged.filter((entry) => kind === 'seq' || 'frame' in entry);
          // All that the log holds, and nothing that was never made; entries of a dead attempt may have been seen live.
          expect(got).toEqual(expect.arrayContaining(seqsOf(due)));
          expect(seqsOf(run.made)).toEqual(expect.arrayContaining(got));
          if (!list.includes('crash')) expect(got).toEqual(seqsOf(due));
        },
      ),
      { numRuns: 300 },
    );
  });
});
