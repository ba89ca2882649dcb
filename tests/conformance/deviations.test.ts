// Where graph-core differs from LangGraph on purpose. Each test holds both: that the reference still behaves so, and what
// ours does instead. Each is a row of docs/reference/differences.md, which has the reasons.
import { AIMessage } from '@langchain/core/messages';
import { expect, test } from '@jest/globals';
import { saver, thread } from './harness.js';
import { ours, reference, type Library } from './library.js';
import { list } from './log-state.js';

/** Runs `scene` with both libraries. */
async function both<Result>(scene: (lg: Library) => Promise<Result>): Promise<{ theirs: Result; own: Result }> {
  return { theirs: await scene(reference), own: await scene(ours) };
}

async function chunksOf<Chunk>(stream: Promise<unknown>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of (await stream) as AsyncIterable<Chunk>) chunks.push(chunk);
  return chunks;
}

test('a node whose router failed is run again', async () => {
  const { theirs, own } = await both(async (lg) => {
    let fails = true;
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => ({ log: ['a'] }))
      .addNode('b', () => ({ log: ['b'] }))
      .addEdge(lg.START, 'a')
      .addConditionalEdges('a', () => {
        if (fails) throw new Error('no way');
        return 'b';
      })
      .compile({ checkpointer: saver() });
    await expect(graph.invoke({ log: [] }, thread())).rejects.toThrow('no way');
    fails = false;
    return (await graph.invoke(null, thread())).log;
  });
  expect(theirs).toEqual(['a']);
  expect(own).toEqual(['a', 'b']);
});

test('what a Send carries is data', async () => {
  const { theirs, own } = await both(async (lg) => {
    const args = { graph: { node: 'x', args: 1 } };
    return JSON.stringify(new lg.Send('a', args).args.graph);
  });
  expect(JSON.parse(theirs)).toMatchObject({ lg_name: 'Send' });
  expect(JSON.parse(own)).toEqual({ node: 'x', args: 1 });
});

test('a sibling that finishes although it was told to stop keeps its work', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('fails', () => {
        throw new Error('first');
      })
      .addNode('finishes', (_state, config) => {
        const { signal } = config;
        return new Promise<{ log: string[] }>((resolve) => {
          signal?.addEventListener('abort', () => resolve({ log: ['finished'] }));
        });
      })
      .addEdge(lg.START, 'fails')
      .addEdge(lg.START, 'finishes')
      .compile({ checkpointer: saver() });
    await expect(graph.invoke({ log: [] }, thread())).rejects.toThrow('first');
    return (await graph.getState(thread())).next;
  });
  expect(theirs).toEqual(['fails', 'finishes']);
  expect(own).toEqual(['fails']);
});

test('a task that asks in its router shows no state that is saved nowhere', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => ({ log: ['a'] }))
      .addNode('b', () => ({ log: ['b'] }))
      .addEdge(lg.START, 'a')
      .addConditionalEdges('a', () => lg.interrupt('where?') as 'b', ['b'])
      .compile({ checkpointer: saver() });
    const { log } = await graph.invoke({ log: [] }, thread());
    const { values } = await graph.getState(thread());
    return { returned: log, saved: (values as { log: string[] }).log };
  });
  expect(theirs).toEqual({ returned: ['a'], saved: [] });
  expect(own).toEqual({ returned: [], saved: [] });
});

test('getState and getStateHistory take the thread that is bound to the graph', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => ({ log: ['a'] }))
      .addEdge(lg.START, 'a')
      .compile({ checkpointer: saver() })
      .withConfig(thread());
    await graph.invoke({ log: [] });
    return (await graph.getState({})).values as unknown;
  });
  expect(theirs).toEqual({});
  expect(own).toEqual({ log: ['a'] });
});

test('a superstep runs all of its tasks with maxConcurrency 1', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('a', () => ({ log: ['a'] }))
      .addNode('b', () => ({ log: ['b'] }))
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .compile();
    return (await graph.invoke({ log: [] }, { maxConcurrency: 1 })).log;
  });
  expect(theirs).toEqual([]);
  expect(own).toEqual(['a', 'b']);
});

test('a task that never began because a sibling failed still has to run', async () => {
  const { theirs, own } = await both(async (lg) => {
    const memory = saver();
    const graph = new lg.StateGraph(list(lg))
      .addNode('b', () => {
        throw new Error('first');
      })
      .addNode('c', () => ({ log: ['late'] }))
      .addNode('a', (_state, { signal }) => {
        return new Promise<{ log: string[] }>((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        });
      })
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .addEdge(lg.START, 'c')
      .compile({ checkpointer: memory });
    const config = { ...thread(), maxConcurrency: 2 };
    await expect(graph.invoke({ log: [] }, config)).rejects.toThrow('first');
    return (await graph.getState(thread())).next;
  });
  expect(theirs).not.toContain('c');
  expect(own).toContain('c');
});

test('a graph in a node that is retried goes on from its own checkpoint', async () => {
  const { theirs, own } = await both(async (lg) => {
    const ran: string[] = [];
    const child = new lg.StateGraph(list(lg))
      .addNode('first', () => {
        ran.push('first');
        return { log: ['first'] };
      })
      .addNode('second', () => {
        ran.push('second');
        if (ran.length === 2) throw new Error('once');
        return { log: ['second'] };
      })
      .addEdge(lg.START, 'first')
      .addEdge('first', 'second')
      .compile();
    const retryPolicy = { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false };
    const graph = new lg.StateGraph(list(lg))
      .addNode('child', child, { retryPolicy })
      .addEdge(lg.START, 'child')
      .compile({ checkpointer: saver() });
    await graph.invoke({ log: [] }, thread());
    return ran;
  });
  expect(theirs).toEqual(['first', 'second', 'first', 'second']);
  expect(own).toEqual(['first', 'second', 'second']);
});

test('anything may be thrown', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('fails', () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- the case
        throw 'a text';
      })
      .addEdge(lg.START, 'fails')
      .compile();
    return graph.invoke({ log: [] }).catch((error: unknown) => (error instanceof Error ? error.name : error));
  });
  expect(theirs).toBe('TypeError');
  expect(own).toBe('a text');
});

test('a question beside a Command to the parent is asked, whichever came first', async () => {
  const { theirs, own } = await both(async (lg) => {
    let asked = (): void => undefined;
    const question = new Promise<void>((resolve) => (asked = resolve));
    const child = new lg.StateGraph(list(lg))
      .addNode('asks', () => {
        setImmediate(asked);
        return { log: [String(lg.interrupt('?'))] };
      })
      .addNode('leaves', async () => {
        await question;
        return new lg.Command({ graph: lg.Command.PARENT, update: { log: ['left'] } });
      })
      .addEdge(lg.START, 'asks')
      .addEdge(lg.START, 'leaves')
      .compile();
    const graph = new lg.StateGraph(list(lg))
      .addNode('child', child)
      .addEdge(lg.START, 'child')
      .compile({ checkpointer: saver() });
    return lg.isInterrupted(await graph.invoke({ log: [] }, thread()));
  });
  expect(theirs).toBe(false);
  expect(own).toBe(true);
});

test('in exit durability the update of a Command is applied once', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('asks', () => ({ log: [String(lg.interrupt('?'))] }))
      .addNode('other', () => ({ log: ['other'] }), { ends: ['asks'] })
      .addEdge(lg.START, 'other')
      .compile({ checkpointer: saver() });
    const config = { ...thread(), durability: 'exit' as const };
    await graph.invoke({ log: [] }, config);
    await graph.invoke(new lg.Command({ goto: 'asks', update: { log: ['jumped'] } }), config);
    return ((await graph.getState(thread())).values as { log: string[] }).log;
  });
  expect(theirs).toEqual(['other', 'jumped', 'jumped']);
  expect(own).toEqual(['other', 'jumped']);
});

test('a stream that fails delivers what came before', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('works', () => ({ log: ['works'] }))
      .addNode('fails', () => {
        throw new Error('broken');
      })
      .addEdge(lg.START, 'works')
      .addEdge('works', 'fails')
      .compile();
    const chunks: unknown[] = [];
    const stream = await graph.stream({ log: [] }, { streamMode: 'updates' });
    // Nobody reads until the run is over.
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    try {
      for await (const chunk of stream) chunks.push(chunk);
    } catch {
      chunks.push('failed');
    }
    return chunks;
  });
  expect(theirs).toEqual(['failed']);
  expect(own).toEqual([{ works: { log: ['works'] } }, 'failed']);
});

test('the state of a thread can be read after writes that do not fit together', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(lg.Annotation.Root({ last: lg.Annotation<string>() }))
      .addNode('a', () => ({ last: 'a' }))
      .addNode('b', () => ({ last: 'b' }))
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .compile({ checkpointer: saver() });
    await expect(graph.invoke({ last: 'in' }, thread())).rejects.toMatchObject({ name: 'InvalidUpdateError' });
    return graph.getState(thread()).then(
      ({ next, values }) => ({ next, values: values as unknown }),
      (error: Error) => error.name,
    );
  });
  expect(theirs).toBe('InvalidUpdateError');
  expect(own).toEqual({ next: ['a', 'b'], values: { last: 'in' } });
});

test('in exit durability writes that do not fit together leave the checkpoint as it was', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(lg.Annotation.Root({ ...list(lg).spec, last: lg.Annotation<string>() }))
      .addNode('a', () => ({ log: ['a'], last: 'a' }))
      .addNode('b', () => ({ log: ['b'], last: 'b' }))
      .addEdge(lg.START, 'a')
      .addEdge(lg.START, 'b')
      .compile({ checkpointer: saver() });
    const config = { ...thread(), durability: 'exit' as const };
    await expect(graph.invoke({ log: ['in'] }, config)).rejects.toMatchObject({ name: 'InvalidUpdateError' });
    const { next, values } = await graph.getState(thread());
    return { next, log: (values as { log: string[] }).log };
  });
  expect(theirs).toEqual({ next: [], log: ['in', 'a', 'b'] });
  expect(own).toEqual({ next: ['a', 'b'], log: ['in'] });
});

test('a graph in a node that is resumed does not stream its earlier messages again', async () => {
  const { theirs, own } = await both(async (lg) => {
    const inner = new lg.StateGraph(lg.MessagesAnnotation)
      .addNode('speaks', () => ({ messages: [new AIMessage({ id: 'spoken', content: 'before' })] }))
      .addEdge(lg.START, 'speaks')
      .compile({ interruptAfter: ['speaks'] });
    const graph = new lg.StateGraph(lg.MessagesAnnotation)
      .addNode('inner', inner)
      .addEdge(lg.START, 'inner')
      .compile({ checkpointer: saver() });
    const ids = async (input: { messages: [] } | null) => {
      const options = { ...thread(), streamMode: 'messages' as const, subgraphs: true };
      const chunks = await chunksOf<[string[], [AIMessage]]>(graph.stream(input, options));
      return chunks.map(([, [message]]) => message.id);
    };
    return [await ids({ messages: [] }), await ids(null)];
  });
  expect(theirs).toEqual([['spoken'], ['spoken']]);
  expect(own).toEqual([['spoken'], []]);
});

test('in exit durability an answer is gone once a question has taken it', async () => {
  const { theirs, own } = await both(async (lg) => {
    let quickHasEnded: () => void;
    const quickEnds = new Promise<void>((resolve) => (quickHasEnded = resolve));
    const graph = new lg.StateGraph(list(lg))
      .addNode('quick', () => ({ log: ['quick'] }))
      .addNode('asks', async () => {
        await quickEnds;
        return { log: [lg.interrupt<string, string>('one?'), lg.interrupt<string, string>('two?')] };
      })
      .addEdge(lg.START, 'quick')
      .addEdge(lg.START, 'asks')
      .compile({ checkpointer: saver(), interruptBefore: ['asks'] });
    const config = { ...thread(), durability: 'exit' as const };
    await graph.invoke({ log: [] }, config);
    for await (const chunk of await graph.stream(new lg.Command({ resume: 'yes' }), {
      ...config,
      streamMode: 'updates',
    }))
      if ('quick' in chunk) quickHasEnded!();
    return (await graph.invoke(null, config)).log;
  });
  expect(theirs).toEqual(['yes', 'yes', 'quick']);
  expect(own).toEqual(['quick']);
});

test('an edit by the state of a graph that has not begun is made as that graph', async () => {
  const { theirs, own } = await both(async (lg) => {
    const inner = new lg.StateGraph(list(lg))
      .addNode('first', () => ({ log: ['first'] }))
      .addNode('second', () => ({ log: ['second'] }))
      .addEdge(lg.START, 'first')
      .addEdge('first', 'second')
      .compile();
    const graph = new lg.StateGraph(list(lg))
      .addNode('inner', inner)
      .addEdge(lg.START, 'inner')
      .compile({ checkpointer: saver(), interruptBefore: ['inner'] });
    const waiting = async () => {
      const { tasks } = await graph.getState(thread(), { subgraphs: true });
      return tasks[0]?.state as { next: string[]; config: ReturnType<typeof thread> };
    };
    await graph.invoke({ log: ['in'] }, thread());
    await graph.updateState((await waiting()).config, { log: ['edited'] });
    return (await waiting()).next;
  });
  expect(theirs).toEqual([]);
  expect(own).toEqual(['first']);
});

test('a Send that carries nothing runs its node, with a checkpointer too', async () => {
  const { theirs, own } = await both(async (lg) => {
    const graph = new lg.StateGraph(list(lg))
      .addNode('sends', () => ({ log: ['sends'] }))
      .addNode('takes', (carried: unknown) => ({ log: [typeof carried] }))
      .addEdge(lg.START, 'sends')
      .addConditionalEdges('sends', () => [new lg.Send('takes', undefined)], ['takes'])
      .compile({ checkpointer: saver() });
    return (await graph.invoke({ log: [] }, thread())).log;
  });
  expect(theirs).toEqual(['sends']);
  expect(own).toEqual(['sends', 'undefined']);
});
