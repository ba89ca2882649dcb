// The graphs of the bench, written once and built with either library: what is compared is the service, not the graph.
import { appendFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type * as Superstep from 'superstep';

type Library = Pick<typeof Superstep, 'Annotation' | 'StateGraph' | 'START' | 'END' | 'interrupt'>;

/** Wall clock in milliseconds with fractions; the same in every process of one machine. */
const now = () => performance.timeOrigin + performance.now();

export function buildGraphs({ Annotation, StateGraph, START, END, interrupt }: Library) {
  const State = Annotation.Root({ count: Annotation<number>(), filler: Annotation<string>() });

  /** One node that does next to nothing. */
  const one = new StateGraph(State)
    .addNode('only', ({ count }) => ({ count: (count ?? 0) + 1 }))
    .addEdge(START, 'only')
    .addEdge('only', END)
    .compile();

  /** Ten nodes in a row; every one rewrites `filler`, so that the whole state is stored at each step. */
  const names = Array.from({ length: 10 }, (_, n) => `step${n}`);
  const step = ({ count, filler }: typeof State.State) => ({
    count: (count ?? 0) + 1,
    filler: `${(count ?? 0) % 10}${(filler ?? '').slice(1)}`,
  });
  const chain = new StateGraph(State).addSequence(names.map((name) => [name, step] as const));
  const chain10 = chain
    .addEdge(START, names[0] as 'step0')
    .addEdge(names[9] as 'step9', END)
    .compile();

  /** `count` custom events, `perSecond` of them a second (0: as fast as it can), each with the time it was made. */
  const Events = Annotation.Root({ count: Annotation<number>(), perSecond: Annotation<number>() });
  const events = new StateGraph(Events)
    .addNode('emit', async ({ count, perSecond }, config) => {
      const start = now();
      for (let n = 0; n < count; n += 1) {
        config.writer?.({ n, at: now() });
        if (perSecond > 0) {
          const dueIn = start + ((n + 1) * 1_000) / perSecond - now();
          if (dueIn > 1) await delay(dueIn);
        }
      }
      return {};
    })
    .addEdge(START, 'emit')
    .addEdge('emit', END)
    .compile();

  /** Runs until it is aborted, and writes the moment it saw that to `file`. */
  const Cancel = Annotation.Root({ file: Annotation<string>() });
  const cancel = new StateGraph(Cancel)
    .addNode('hang', async ({ file }, config) => {
      await appendFile(file, 'started\n');
      await new Promise<void>((resolve) => config.signal?.addEventListener('abort', () => resolve(), { once: true }));
      await appendFile(file, `${now()}\n`);
      config.signal?.throwIfAborted();
      return {};
    })
    .addEdge(START, 'hang')
    .addEdge('hang', END)
    .compile();

  /** Waits for a person. */
  const ask = new StateGraph(Annotation.Root({ answer: Annotation<string>() }))
    .addNode('ask', () => ({ answer: interrupt<string, string>('q') }))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile();

  return { one, chain10, events, cancel, ask };
}
