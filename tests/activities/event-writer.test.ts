import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import { describe, expect, jest, test, beforeEach, afterEach } from '@jest/globals';
import { EventWriter, engineModes, type EventWriterInput } from '../../activities/event-writer.js';
import { MAX_LOGGED_JSON_BYTES } from '../../activities/log-queue.js';
import type { Told } from '../../activities/told-journal.js';
import { decodeBatch, MAX_INLINE_BATCH_BYTES } from '../../events/batch-codec.js';
import type { Batch } from '../../events/batch.js';
import { ATTEMPT_STRIDE, LOG_START, type Entry } from '../../events/entry.js';
import type { LiveEntry } from '../../events/live-bus.js';
import { MemoryBus } from '../../events/memory-bus.js';
import type { StreamChunk } from '../../graph-core/index.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Scene {
  readonly bus = new MemoryBus();
  readonly live: LiveEntry[] = [];
  readonly deliveries: number[] = [];
  readonly flushed: Batch[] = [];
  readonly blobs = new Map<string, Uint8Array>();
  refuse = false;

  constructor() {
    this.bus.subscribe('run', (entries) => {
      this.live.push(...entries);
      this.deliveries.push(entries.length);
    });
  }

  writer(modes: readonly string[] = ['values', 'custom'], over: Partial<EventWriterInput> = {}): EventWriter {
    return new EventWriter({
      runId: 'run',
      kwargs: { stream_mode: modes, stream_subgraphs: false, stream_resumable: true },
      end: LOG_START,
      attempt: 1,
      bus: this.bus,
      flush: async (batch) => {
        if (this.refuse) throw new Error('refused');
        this.flushed.push(batch);
      },
      putBlob: async (content) => {
        const id = `blob-${this.blobs.size}`;
        this.blobs.set(id, Buffer.from(content));
        return id;
      },
      ...over,
    });
  }

  async entriesOf(batches: readonly Batch[]): Promise<Entry[]> {
    const all = await Promise.all(batches.map((batch) => decodeBatch(batch, async (id) => this.blobs.get(id)!)));
    return all.flat();
  }
}

const custom = (payload: unknown, ns: string[] = []): StreamChunk => ({ ns, mode: 'custom', payload });
const values = (payload: unknown, checkpointId = 'c1'): StreamChunk => ({
  ns: [],
  mode: 'values',
  payload,
  checkpointId,
});
const token = (content: string, id = 'm', metadata: object = { langgraph_node: 'a' }): StreamChunk => ({
  ns: [],
  mode: 'messages',
  payload: [new AIMessageChunk({ content, id }), metadata],
});
const taskStart = (name: string): StreamChunk => ({
  ns: [],
  mode: 'tasks',
  payload: { id: `id-${name}`, name, input: {}, triggers: [], interrupts: [] },
});
const taskEnd = (name: string, over: object = {}): StreamChunk => ({
  ns: [],
  mode: 'tasks',
  payload: { id: `id-${name}`, name, result: {}, error: null, interrupts: [], ...over },
});
const names = (entries: readonly Entry[]): string[] => entries.map(({ event }) => event);

describe('the event writer', () => {
  test('numbers a plain values stream 0, 1, 2 whatever else the log holds', async () => {
    const scene = new Scene();
    const writer = scene.writer(['values']);
    writer.metadata();
    writer.progress('run.started', { graph_id: 'g', assistant_id: 'a' });
    writer.chunk(taskStart('a'));
    writer.chunk(custom({ found: 1 }));
    writer.chunk(taskEnd('a'));
    writer.announceAfterCommit([values({ v: 1 }), values({ v: 2 })]);
    writer.progress('run.completed', {});
    const entries = await scene.entriesOf(await writer.close());
    expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(entries.flatMap((entry) => ('frame' in entry ? [[entry.event, entry.frame]] : []))).toEqual([
      ['metadata', 0],
      ['values', 1],
      ['values', 2],
    ]);
    expect(writer.end).toEqual({ seq: 7, frame: 2 });
  });

  test('shows entries at once, and what depends on the commit only after it', async () => {
    const scene = new Scene();
    const writer = scene.writer();
    writer.metadata();
    await turn();
    expect(scene.live.map(({ entry }) => entry.event)).toEqual(['metadata']);
    writer.announceAfterCommit([values({ v: 1 })]);
    const batches = await writer.close();
    await turn();
    expect(scene.live).toHaveLength(1);
    expect(names(await scene.entriesOf(batches))).toEqual(['metadata', 'values']);
    writer.committed();
    expect(scene.live.map(({ entry, previousSeq }) => [entry.seq, previousSeq])).toEqual([
      [0, -1],
      [1, 0],
    ]);
  });

  test('lets the bus forget what is committed', async () => {
    const scene = new Scene();
    const writer = scene.writer();
    writer.chunk(custom(1));
    writer.announceAfterCommit();
    await writer.close();
    writer.committed();
    expect(scene.bus.subscribe('run', () => undefined).tail).toEqual([]);
  });

  test('begins a later attempt above every number of the dead one, and says what went before', async () => {
    const scene = new Scene();
    const writer = scene.writer(['custom'], { end: { seq: 9, frame: 4 }, attempt: 3 });
    writer.metadata();
    await turn();
    expect(scene.live[0]).toMatchObject({
      previousSeq: 9,
      entry: { seq: 10 + 2 * ATTEMPT_STRIDE, frame: 5 + 2 * ATTEMPT_STRIDE, json: '{"run_id":"run","attempt":3}' },
    });
  });

  test('wakes readers once for all that happens in one turn', async () => {
    const scene = new Scene();
    const writer = scene.writer();
    for (let i = 0; i < 1_000; i += 1) writer.chunk(custom({ i }));
    await turn();
    expect(scene.deliveries).toEqual([2_000]);
  });

  test('puts references for large data into the log, and the data itself on the bus', async () => {
    const scene = new Scene();
    const writer = scene.writer();
    const large = 'x'.repeat(MAX_LOGGED_JSON_BYTES);
    writer.chunk(custom([large]));
    writer.announceAfterCommit([values({ large }, 'c7'), values({ v: 1 }, 'c7')]);
    const entries = await scene.entriesOf(await writer.close());
    writer.committed();
    expect(entries).toMatchObject([
      { ref: { kind: 'blob', blobId: 'blob-0', bytes: large.length + 4 } },
      { ref: { kind: 'checkpoint', checkpointId: 'c7' } },
      { json: '{"v":1}' },
    ]);
    expect(scene.live.every(({ entry }) => entry.json !== undefined && entry.ref === undefined)).toBe(true);
    expect(Buffer.from(scene.blobs.get('blob-0')!).toString()).toBe(JSON.stringify([large]));
  });

  test('a payload without a JSON form is an error at once and leaves no gap', () => {
    const writer = new Scene().writer();
    expect(() => writer.chunk(custom({ n: 1n }))).toThrow('"n" is a BigInt');
    writer.chunk(custom({ n: 1 }));
    expect(writer.end).toEqual({ seq: 1, frame: 0 });
  });

  test('what a chunk costs does not grow with their number', async () => {
    const costOf = async (chunks: number): Promise<number> => {
      const scene = new Scene();
      const writer = scene.writer();
      // Computing time, so that a busy machine does not count; and compared, so that a slow one does not.
      const started = process.cpuUsage();
      for (let i = 0; i < chunks; i += 1) {
        writer.chunk(custom({ i, text: `item ${i}`, score: i / 7 }));
        if (i % 100 === 0) await turn();
      }
      writer.announceAfterCommit();
      const batches = await writer.close();
      writer.committed();
      const { user, system } = process.cpuUsage(started);
      expect(await scene.entriesOf(batches)).toHaveLength(2 * chunks);
      expect(scene.live).toHaveLength(2 * chunks);
      const inline = batches.map(({ body }) => (body.kind === 'inline' ? body.deflated.length : 0));
      expect(inline.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(MAX_INLINE_BATCH_BYTES);
      return user + system;
    };
    await costOf(500);
    expect((await costOf(4_000)) / (await costOf(500))).toBeLessThan(3 * 8);
  });
});

describe('which entries a run gets', () => {
  const made = async (
    modes: readonly string[],
    chunks: readonly StreamChunk[],
    over: Partial<EventWriterInput> = {},
  ) => {
    const scene = new Scene();
    const writer = scene.writer(modes, over);
    for (const chunk of chunks) writer.chunk(chunk);
    return scene.entriesOf(await writer.close());
  };
  const text = (entry: Entry | undefined): unknown => JSON.parse(entry?.json ?? '');

  test('tokens as tuples, as partial messages, or as both', async () => {
    const chunks = [token('a'), token('b')];
    expect(names(await made(['messages-tuple'], chunks))).toEqual(['messages', 'messages']);
    expect(names(await made(['messages'], chunks))).toEqual([
      'messages/metadata',
      'messages/partial',
      'messages/partial',
    ]);
    const both = await made(['messages', 'messages-tuple'], chunks);
    expect(names(both)).toEqual(['messages', 'messages/metadata', 'messages/partial', 'messages', 'messages/partial']);
    expect(text(both[0])).toMatchObject([{ content: 'a', id: 'm', type: 'ai' }, { langgraph_node: 'a' }]);
    expect(text(both[1])).toEqual({ m: { metadata: { langgraph_node: 'a' } } });
    // The new part alone; the projection adds it to what came before.
    expect(text(both[4])).toMatchObject([{ content: 'b', id: 'm' }]);
    expect(await made(['values'], chunks)).toEqual([]);
  });

  test('a message is complete once, when it is in the state', async () => {
    const messages = [new HumanMessage({ content: 'q', id: 'h' }), new AIMessage({ content: 'ab', id: 'm' })];
    const chunks = [values({ messages: messages.slice(0, 1) }), values({ messages }), values({ messages })];
    const entries = await made(['messages'], chunks);
    expect(names(entries)).toEqual(['messages/complete', 'messages/complete']);
    expect(entries.map(text)).toMatchObject([[{ id: 'h' }], [{ id: 'm' }]]);
    expect(names(await made(['messages'], chunks, { knownMessageIds: ['h', 'm'] }))).toEqual([]);
    expect(names(await made(['values', 'messages'], chunks.slice(0, 1)))).toEqual(['values', 'messages/complete']);
  });

  test('a whole message that a node returned is a tuple, and not partial', async () => {
    const whole: StreamChunk = { ns: [], mode: 'messages', payload: [new AIMessage({ content: 'x', id: 's' }), {}] };
    expect(names(await made(['messages', 'messages-tuple'], [whole]))).toEqual(['messages']);
  });

  test('subgraphs only where they were asked for', async () => {
    const chunk: StreamChunk = { ns: ['sub:1'], mode: 'updates', payload: { n: 1 } };
    expect(await made(['updates'], [chunk])).toEqual([]);
    const kwargs = { stream_mode: ['updates'], stream_subgraphs: true, stream_resumable: true };
    expect(await made([], [chunk], { kwargs })).toMatchObject([{ event: 'updates', ns: ['sub:1'] }]);
  });

  test('what a node of a subgraph writes by hand is shown in any case, under its namespace where subgraphs are', async () => {
    const chunk = custom('from below', ['sub:1']);
    expect(await made(['custom'], [chunk])).toMatchObject([{ event: 'custom', ns: [] }, { event: 'node.progress' }]);
    const kwargs = { stream_mode: ['custom'], stream_subgraphs: true, stream_resumable: true };
    expect(await made([], [chunk], { kwargs })).toMatchObject([
      { event: 'custom', ns: ['sub:1'] },
      { event: 'node.progress' },
    ]);
  });

  test('nodes start and complete in progress views; one that asks or fails does not complete', async () => {
    const chunks = [taskStart('a'), taskEnd('a'), taskStart('b'), taskEnd('b', { interrupts: [{ id: 'i' }] })];
    const entries = await made([], [...chunks, taskStart('c'), taskEnd('c', { error: { message: 'no' } })]);
    expect(names(entries)).toEqual(['node.started', 'node.completed', 'node.started', 'node.started']);
    expect(text(entries[0])).toEqual({ node: 'a', task_id: 'id-a', attempt: 1 });
  });

  test('reports name their node where it can be told', async () => {
    const chunks = [taskStart('a'), custom('one'), custom('nested', ['b:7']), taskStart('b'), custom('which?')];
    const reports = (await made([], chunks)).filter(({ event }) => event === 'node.progress');
    expect(reports.map(text)).toEqual([
      { node: 'a', task_id: 'id-a', report: 'one' },
      { node: 'b', task_id: '7', report: 'nested' },
      { report: 'which?' },
    ]);
  });

  test('an error frame has the class and the message', async () => {
    const scene = new Scene();
    const writer = scene.writer();
    writer.error({ error: 'TypeError', message: 'no', node: 'a' });
    expect(text((await scene.entriesOf(await writer.close()))[0])).toEqual({ error: 'TypeError', message: 'no' });
  });

  test('the engine is run for what was asked and for progress', () => {
    expect(engineModes({ stream_mode: [] })).toEqual(['tasks', 'custom']);
    expect(engineModes({ stream_mode: ['messages', 'debug', 'events'] })).toEqual([
      'tasks',
      'custom',
      'messages',
      'values',
      'debug',
    ]);
    expect(engineModes({ stream_mode: ['messages-tuple', 'custom'] })).toEqual(['tasks', 'custom', 'messages']);
  });

  test('tokens of a run that is not resumable are for live readers alone', async () => {
    const scene = new Scene();
    const kwargs = { stream_mode: ['custom', 'updates'], stream_subgraphs: false, stream_resumable: false };
    const writer = scene.writer([], { kwargs });
    writer.chunk(custom({ a: 1 }));
    writer.chunk({ ns: [], mode: 'updates', payload: { n: 1 } });
    writer.chunk(custom({ a: 2 }));
    await turn();
    expect(scene.live).toHaveLength(5);
    const batches = await writer.close();
    expect(names(await scene.entriesOf(batches))).toEqual(['updates']);
    // The position covers what was only shown, so that no number comes again.
    expect(batches.at(-1)?.last).toEqual(writer.end);
    const polled = scene.writer([], { kwargs, bus: undefined });
    polled.chunk(custom({ a: 1 }));
    expect(names(await scene.entriesOf(await polled.close()))).toEqual(['custom', 'node.progress']);
  });
});

describe('flushing', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Until the deflate threads have answered. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await turn();
  }

  test('happens every half second for polling readers, every five where a bus serves the tail', async () => {
    for (const [bus, interval] of [
      [undefined, 500],
      [new MemoryBus(), 5_000],
    ] as const) {
      const scene = new Scene();
      const writer = scene.writer(['custom'], { bus });
      writer.chunk(custom(1));
      await jest.advanceTimersByTimeAsync(interval - 1);
      expect(scene.flushed).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      await until(() => scene.flushed.length === 1);
      expect(names(await scene.entriesOf(scene.flushed))).toEqual(['custom', 'node.progress']);
      expect(await writer.close()).toEqual([]);
    }
  });

  test('that is refused keeps its batch for the next, in order', async () => {
    const scene = new Scene();
    const writer = scene.writer(['custom'], { bus: undefined });
    scene.refuse = true;
    writer.chunk(custom(1));
    expect(await writer.drain()).toBe('kept');
    scene.refuse = false;
    writer.chunk(custom(2));
    expect(await writer.drain()).toBe('sent');
    const entries = await scene.entriesOf(scene.flushed);
    expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    expect(await writer.close()).toEqual([]);
  });

  test('lets the bus forget what the log now holds', async () => {
    const scene = new Scene();
    const writer = scene.writer();
    writer.chunk(custom(1));
    await writer.drain();
    writer.chunk(custom(2));
    await turn();
    expect(scene.bus.subscribe('run', () => undefined).tail.map(({ entry }) => entry.seq)).toEqual([2, 3]);
  });

  test('never includes what waits for the commit', async () => {
    const scene = new Scene();
    const writer = scene.writer();
    writer.chunk(custom(1));
    writer.announceAfterCommit([values({ v: 1 })]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await writer.drain()).toBe('kept');
    expect(scene.flushed).toEqual([]);
    expect(names(await scene.entriesOf(await writer.close()))).toEqual(['custom', 'node.progress', 'values']);
  });

  test('a blob that cannot be written fails the close and loses nothing', async () => {
    const scene = new Scene();
    let broken = true;
    const writer = scene.writer(['custom'], {
      putBlob: async () => {
        if (broken) throw new Error('database is away');
        return 'b';
      },
    });
    writer.chunk(custom('x'.repeat(MAX_LOGGED_JSON_BYTES)));
    await expect(writer.close()).rejects.toThrow('database is away');
    broken = false;
    expect(names(await scene.entriesOf(await writer.close()))).toEqual(['custom', 'node.progress']);
  });
});

describe('what tasks have told', () => {
  const result = (n: number) => ({ ns: [], mode: 'updates', payload: { a: { n } } }) as const;

  /** A writer whose journal says when it has written. */
  function journaled(scene: Scene, modes: readonly string[] = ['updates', 'custom', 'messages-tuple']) {
    const rows: Told[] = [];
    let refuse = false;
    let release: (() => void) | undefined;
    const write = async (told: Told): Promise<void> => {
      await new Promise<void>((resolve) => (release = resolve));
      if (refuse) throw new Error('database is away');
      rows.push(told);
    };
    const writer = scene.writer(modes, { journal: { write, tasks: () => ({ started: [], finished: [] }) } });
    const answer = async (how: 'written' | 'refused'): Promise<void> => {
      refuse = how === 'refused';
      while (release === undefined) await turn();
      release();
      release = undefined;
      await turn();
    };
    return { writer, rows, answer };
  }
  const shown = (scene: Scene) => scene.bus.subscribe('run', () => undefined).tail.map(({ entry }) => entry.event);

  test('a result, and what comes after it, is seen when it is in the journal', async () => {
    const scene = new Scene();
    const { writer, rows, answer } = journaled(scene);
    writer.chunk(custom(1));
    writer.chunk(result(1));
    writer.chunk(custom(2));
    await turn();
    expect(shown(scene)).toEqual(['custom', 'node.progress']);
    await answer('written');
    expect(shown(scene)).toEqual(['custom', 'node.progress', 'updates', 'custom', 'node.progress']);
    expect(names(await scene.entriesOf(rows.flatMap(({ batches }) => batches)))).toEqual(shown(scene));
    expect(writer.journaled).toBe(true);
  });

  test('one that could not be kept is told by the next attempt, and by this one to nobody', async () => {
    const scene = new Scene();
    const { writer, rows, answer } = journaled(scene);
    writer.chunk(custom(1));
    writer.chunk(result(1));
    const drained = writer.drain();
    await answer('refused');
    expect(await drained).toBe('kept');
    expect(rows).toEqual([]);
    expect(names(await scene.entriesOf(scene.flushed))).toEqual(['custom', 'node.progress']);
  });

  test('the result of a task on its own waits for the commit', async () => {
    const scene = new Scene();
    const { writer, rows } = journaled(scene);
    writer.leaveToCommit();
    writer.chunk(result(1));
    await turn();
    expect(shown(scene)).toEqual([]);
    writer.announceAfterCommit();
    expect(names(await scene.entriesOf(await writer.close()))).toEqual(['updates']);
    writer.committed();
    expect(rows).toEqual([]);
    expect(writer.journaled).toBe(false);
  });

  test('what a task said on its way is kept before what it made is saved', async () => {
    const scene = new Scene();
    const { writer, rows, answer } = journaled(scene);
    await writer.reportsKept();
    writer.chunk(token('one '));
    const kept = writer.reportsKept();
    await answer('written');
    await kept;
    expect(rows).toHaveLength(1);
    await writer.reportsKept();
  });

  test('what a dead attempt told goes into the log under its own numbers, before anything else', async () => {
    const dead = new Scene();
    const { writer: first, rows, answer } = journaled(dead);
    first.chunk(custom(1));
    first.chunk(result(1));
    await answer('written');
    const entries = await dead.entriesOf(rows.flatMap(({ batches }) => batches));

    const scene = new Scene();
    const recovered = { entries: entries.slice(1), after: { seq: 0, frame: 0 } };
    const writer = scene.writer(['updates'], { attempt: 2, recovered });
    writer.chunk(result(2));
    writer.announceAfterCommit();
    const logged = await scene.entriesOf(await writer.close());
    expect(logged.map(({ seq }) => seq)).toEqual([1, 2, ATTEMPT_STRIDE]);
  });
});
