// When checkpoints and writes are saved, and what becomes of a run whose saver fails.
import type { RunnableConfig } from '@langchain/core/runnables';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { collect, program, thread, type Trace } from './harness.js';
import type { Library } from './library.js';
import { list } from './log-state.js';

const MODES = ['sync', 'async', 'exit'] as const;

interface Faults {
  /** Fails the nth put, 1-based. */
  readonly put?: number;
  readonly putWrites?: number;
  readonly getTuple?: boolean;
  readonly list?: boolean;
}

/** Notes what it is asked to save and when that ends; each save takes some turns of the event loop. */
class WatchedSaver extends MemorySaver {
  readonly seen: string[] = [];
  #puts = 0;
  #writes = 0;

  constructor(private readonly faults: Faults = {}) {
    super();
  }

  override async put(...args: Parameters<MemorySaver['put']>): Promise<RunnableConfig> {
    const number = (this.#puts += 1);
    const [config, , { source, step }] = args;
    const at = `${String(config.configurable?.checkpoint_ns).replace(/:[^|]*/g, '')}/${source} ${step}`;
    this.seen.push(`put ${at}`);
    await turns(3);
    if (number === this.faults.put) throw new Error(`put ${number} failed`);
    const stored = await super.put(...args);
    this.seen.push(`has put ${at}`);
    return stored;
  }

  override async putWrites(...args: Parameters<MemorySaver['putWrites']>): Promise<void> {
    const number = (this.#writes += 1);
    const channels = args[1].map(([channel]) => channel).join();
    this.seen.push(`write ${channels}`);
    await turns(3);
    if (number === this.faults.putWrites) throw new Error(`putWrites ${number} failed`);
    await super.putWrites(...args);
    this.seen.push(`has written ${channels}`);
  }

  override async getTuple(config: RunnableConfig): ReturnType<MemorySaver['getTuple']> {
    if (this.faults.getTuple) throw new Error('getTuple failed');
    return super.getTuple(config);
  }

  override async *list(...args: Parameters<MemorySaver['list']>): ReturnType<MemorySaver['list']> {
    if (this.faults.list) throw new Error('list failed');
    yield* super.list(...args);
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const says =
  (name: string, seen: string[] = []) =>
  async () => {
    seen.push(`${name} runs`);
    await turns(1);
    return { log: [name] };
  };

/** a → b and c → d */
const diamond = (lg: Library, checkpointer: WatchedSaver) =>
  new lg.StateGraph(list(lg))
    .addNode('a', says('a', checkpointer.seen))
    .addNode('b', says('b', checkpointer.seen))
    .addNode('c', says('c', checkpointer.seen))
    .addNode('d', says('d', checkpointer.seen))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('a', 'c')
    .addEdge(['b', 'c'], 'd')
    .compile({ checkpointer });

async function saved(t: Trace, saver: MemorySaver, config: RunnableConfig = thread()): Promise<void> {
  t.note('saved', await collect(saver.list(config)));
}

program('sync: nothing runs before what it stands on is saved', async (lg, t) => {
  const saver = new WatchedSaver();
  await t.invoke(diamond(lg, saver), { log: [] }, { ...thread(), durability: 'sync' });
  const runs = saver.seen.filter((entry) => entry.endsWith('runs'));
  t.note('runs', runs);
  for (const [node, step] of [
    ['a', 0],
    ['b', 1],
    ['c', 1],
    ['d', 2],
  ] as const) {
    const before = saver.seen.slice(0, saver.seen.indexOf(`${node} runs`));
    t.note(`before ${node}`, { put: before.includes(`has put /loop ${step}`) });
  }
  const last = saver.seen.slice(0, saver.seen.indexOf('d runs'));
  t.note('task writes before d', last.filter((entry) => entry.startsWith('has written')).length);
});

program('each mode saves the same in the end, and has saved it when the run ends', async (lg, t) => {
  for (const durability of MODES) {
    const saver = new WatchedSaver();
    t.note('durability', durability);
    await t.invoke(diamond(lg, saver), { log: ['in'] }, { ...thread(), durability });
    const begun = saver.seen.filter((entry) => entry.startsWith('put ') || entry.startsWith('write ')).length;
    const ended = saver.seen.filter((entry) => entry.startsWith('has ')).length;
    t.note('saves', { begun, ended });
    t.note(
      'puts',
      saver.seen.filter((entry) => entry.startsWith('put ')),
    );
    await saved(t, saver);
  }
});

program('a put that fails, first, in the middle and last', async (lg, t) => {
  for (const durability of MODES) {
    for (const put of [1, 2, 3, 4, 5]) {
      const saver = new WatchedSaver({ put });
      t.note('fails', { durability, put });
      await t.invoke(diamond(lg, saver), { log: ['in'] }, { ...thread(), durability });
      t.note(
        'ran',
        saver.seen.filter((entry) => entry.endsWith('runs')),
      );
      t.note('stored', (await collect(saver.list(thread()))).length);
    }
  }
});

program('task writes that fail to be saved', async (lg, t) => {
  for (const durability of MODES) {
    for (const putWrites of [1, 2, 4]) {
      const saver = new WatchedSaver({ putWrites });
      t.note('fails', { durability, putWrites });
      await t.invoke(diamond(lg, saver), { log: ['in'] }, { ...thread(), durability });
      t.note(
        'ran',
        saver.seen.filter((entry) => entry.endsWith('runs')),
      );
    }
  }
});

program('a put and a node fail: the node is told of', async (lg, t) => {
  for (const durability of MODES) {
    const saver = new WatchedSaver({ put: 2 });
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', async () => {
        await turns(8);
        throw new RangeError('node');
      })
      .addEdge(lg.START, 'a')
      .compile({ checkpointer: saver });
    t.note('durability', durability);
    await t.invoke(graph, { log: [] }, { ...thread(), durability });
  }
});

program('a put fails and the graph asks', async (lg, t) => {
  for (const durability of MODES) {
    const saver = new WatchedSaver({ put: 2 });
    const graph = new lg.StateGraph(list(lg))
      .addNode('ask', async () => {
        await turns(8);
        return { log: [String(lg.interrupt('?'))] };
      })
      .addEdge(lg.START, 'ask')
      .compile({ checkpointer: saver });
    t.note('durability', durability);
    await t.invoke(graph, { log: [] }, { ...thread(), durability });
  }
});

program('a saver that cannot be read', async (lg, t) => {
  const saver = new WatchedSaver({ getTuple: true, list: true });
  const graph = diamond(lg, saver);
  await t.invoke(graph, { log: [] }, thread());
  await t.stream(graph, null, { ...thread(), streamMode: 'values' });
  await t.state(graph, thread());
  await t.history(graph, thread());
  await t.outcome('update', () => graph.updateState(thread(), { log: ['x'] }, 'a'));
  t.note('asked to save', saver.seen);
});

program('a saver that cannot be read below', async (lg, t) => {
  const saver = new WatchedSaver();
  const failing = new WatchedSaver({ getTuple: true });
  const inner = new lg.StateGraph(list(lg))
    .addNode('x', says('x'))
    .addEdge(lg.START, 'x')
    .compile({ checkpointer: failing });
  const graph = new lg.StateGraph(list(lg))
    .addNode('inner', inner)
    .addEdge(lg.START, 'inner')
    .compile({ checkpointer: saver });
  // Within another graph its own saver is not asked.
  await t.invoke(graph, { log: [] }, thread());
  await t.invoke(inner, { log: [] }, thread());
});

program('aborted while it saves: what is under way is saved', async (lg, t) => {
  for (const durability of MODES) {
    const saver = new WatchedSaver();
    const stop = new AbortController();
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', says('a'))
      .addNode('b', async () => {
        stop.abort(new Error('stopped from outside'));
        await turns(5);
        return { log: ['b'] };
      })
      .addEdge(lg.START, 'a')
      .addEdge('a', 'b')
      .compile({ checkpointer: saver });
    t.note('durability', durability);
    await t.outcome('run', async () => {
      try {
        await graph.invoke({ log: ['in'] }, { ...thread(), durability, signal: stop.signal });
      } catch {
        return 'aborted';
      }
      return 'went on';
    });
    await turns(20);
    const stored = await collect(saver.list(thread()));
    t.note(
      'stored',
      stored.map(({ metadata }) => metadata),
    );
    await t.state(graph, thread());
    await t.invoke(graph, null, thread());
  }
});

program('exit: over several runs, and when a run has nothing to do', async (lg, t) => {
  const saver = new WatchedSaver();
  const graph = diamond(lg, saver);
  for (const log of ['1', '2']) await t.invoke(graph, { log: [log] }, { ...thread(), durability: 'exit' });
  await t.invoke(graph, null, { ...thread(), durability: 'exit' });
  await saved(t, saver);
  await t.history(graph, thread());
});

program('exit: a failure keeps what its siblings wrote, and the run goes on from there', async (lg, t) => {
  let fails = true;
  const saver = new WatchedSaver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('good', says('good', saver.seen))
    .addNode('bad', async () => {
      await turns(6);
      if (fails) throw new Error('bad');
      return { log: ['bad'] };
    })
    .addEdge(lg.START, 'a')
    .addEdge('a', 'good')
    .addEdge('a', 'bad')
    .compile({ checkpointer: saver });
  await t.invoke(graph, { log: [] }, { ...thread(), durability: 'exit' });
  await saved(t, saver);
  await t.state(graph, thread());
  fails = false;
  await t.invoke(graph, null, { ...thread(), durability: 'exit' });
  t.note(
    'ran',
    saver.seen.filter((entry) => entry.endsWith('runs')),
  );
  await saved(t, saver);
});

program('exit: the recursion limit, a breakpoint, and a failure in the first node', async (lg, t) => {
  const limited = new WatchedSaver();
  await t.invoke(diamond(lg, limited), { log: [] }, { ...thread(), durability: 'exit', recursionLimit: 2 });
  await saved(t, limited);
  const stopped = new WatchedSaver();
  const graph = diamond(lg, stopped);
  await t.invoke(graph, { log: [] }, { ...thread(), durability: 'exit', interruptBefore: ['d'] });
  await saved(t, stopped);
  await t.invoke(graph, null, { ...thread(), durability: 'exit' });
  await saved(t, stopped);
  const broken = new WatchedSaver();
  const fails = new lg.StateGraph(list(lg))
    .addNode('a', () => {
      throw new Error('at once');
    })
    .addEdge(lg.START, 'a')
    .compile({ checkpointer: broken });
  await t.invoke(fails, { log: ['in'] }, { ...thread(), durability: 'exit' });
  await saved(t, broken);
  await t.state(fails, thread());
});

program('exit: several questions, one after the other and side by side', async (lg, t) => {
  const saver = new WatchedSaver();
  const graph = new lg.StateGraph(list(lg))
    .addNode('twice', () => ({ log: [`${String(lg.interrupt('1?'))} ${String(lg.interrupt('2?'))}`] }))
    .addNode('once', () => ({ log: [String(lg.interrupt('once?'))] }))
    .addNode('done', says('done', saver.seen))
    .addEdge(lg.START, 'twice')
    .addEdge(lg.START, 'once')
    .addEdge(lg.START, 'done')
    .compile({ checkpointer: saver });
  const config = { ...thread(), durability: 'exit' as const };
  await t.invoke(graph, { log: [] }, config);
  await saved(t, saver);
  await t.invoke(graph, new lg.Command({ resume: 'A' }), config);
  await saved(t, saver);
  await t.state(graph, thread());
  await t.invoke(graph, new lg.Command({ resume: 'B' }), config);
  await saved(t, saver);
  t.note(
    'ran',
    saver.seen.filter((entry) => entry.endsWith('runs')),
  );
});

for (const checkpointer of [undefined, true, false] as const) {
  program(`each mode with a graph within (checkpointer: ${String(checkpointer)}): done, asks, fails`, async (lg, t) => {
    for (const durability of MODES) {
      for (const ending of ['done', 'asks', 'fails'] as const) {
        if (checkpointer === false && ending === 'asks') continue;
        let first = true;
        const saver = new WatchedSaver();
        const inner = new lg.StateGraph(list(lg))
          .addNode('x', says('x'))
          .addNode('y', () => {
            if (ending === 'asks') return { log: [String(lg.interrupt('y?'))] };
            if (ending === 'fails' && first) throw new Error('y fails');
            return { log: ['y'] };
          })
          .addEdge(lg.START, 'x')
          .addEdge('x', 'y')
          .compile({ checkpointer });
        const graph = new lg.StateGraph(list(lg))
          .addNode('before', says('before'))
          .addNode('inner', inner)
          .addEdge(lg.START, 'before')
          .addEdge('before', 'inner')
          .compile({ checkpointer: saver });
        t.note('case', { durability, ending });
        await t.invoke(graph, { log: [] }, { ...thread(), durability });
        await saved(t, saver);
        await t.state(graph, thread(), { subgraphs: true });
        first = false;
        const on = ending === 'asks' ? new lg.Command({ resume: 'yes' }) : null;
        await t.invoke(graph, on, { ...thread(), durability });
        await saved(t, saver);
      }
    }
  });
}

program('durability and its older name in streams, and a wrong pair', async (lg, t) => {
  for (const config of [
    { durability: 'sync', checkpointDuring: false },
    { checkpointDuring: false },
    { checkpointDuring: true },
  ] as const) {
    const saver = new WatchedSaver();
    const graph = diamond(lg, saver);
    await t.stream(graph, { log: [] }, { ...thread(), ...config, streamMode: 'values' });
    await t.outcome('batch', () => graph.batch([{ log: ['1'] }, { log: ['2'] }], { ...thread('batch'), ...config }));
    t.note('stored', (await collect(saver.list(thread()))).length);
  }
});

program('a saver wants a thread', async (lg, t) => {
  const graph = diamond(lg, new WatchedSaver());
  for (const config of [
    {},
    { configurable: {} },
    { configurable: { thread_id: undefined } },
    { configurable: { checkpoint_id: 'x' } },
  ]) {
    for (const durability of MODES) await t.invoke(graph, { log: [] }, { ...config, durability });
    await t.stream(graph, { log: [] }, { ...config, streamMode: 'values' });
    await t.state(graph, config);
    await t.history(graph, config);
    await t.outcome('update', () => graph.updateState(config, { log: ['x'] }, 'a'));
  }
});
