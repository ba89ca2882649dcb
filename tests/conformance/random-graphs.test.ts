// Graphs made at random, by a seed. `CONFORMANCE_SEED` and `CONFORMANCE_GRAPHS` run others, and more.
import fc from 'fast-check';
import { test } from '@jest/globals';
import { compare, saver, thread, type Body, type Graph, type Trace } from './harness.js';
import type { Library } from './library.js';
import { normalize } from './normalize.js';

const SEED = Number(process.env.CONFORMANCE_SEED ?? 20_240_601);
const GRAPHS = Number(process.env.CONFORMANCE_GRAPHS ?? 50);
const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'echo', 'foxtrot'] as const;

type Name = (typeof NAMES)[number];

/** What one node does when it runs, by how often it ran before (the last entry repeats). */
type Deed =
  | { readonly kind: 'update' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'overwrite' }
  | { readonly kind: 'goto'; readonly to: readonly Name[] }
  | { readonly kind: 'send'; readonly to: readonly Name[] }
  | { readonly kind: 'ask' }
  | { readonly kind: 'ask twice' }
  | { readonly kind: 'conflict' };

interface Plan {
  readonly nodes: Readonly<Record<Name, readonly Deed[]>>;
  readonly first: readonly Name[];
  readonly edges: readonly (readonly [Name, Name])[];
  readonly barrier: readonly [readonly Name[], Name] | null;
  readonly routes: readonly { readonly from: Name; readonly to: readonly (readonly Name[])[] }[];
  readonly interruptBefore: readonly Name[];
  readonly interruptAfter: readonly Name[];
  readonly answers: readonly ('resume' | 'nothing' | 'input' | 'update')[];
}

const name = fc.constantFrom(...NAMES);
const some = (minLength: number, maxLength: number) => fc.uniqueArray(name, { minLength, maxLength });

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'update' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'nothing' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'overwrite' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'ask' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'ask twice' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'conflict' } as const) },
  { weight: 2, arbitrary: some(1, 2).map((to) => ({ kind: 'goto', to }) as const) },
  { weight: 2, arbitrary: fc.array(name, { minLength: 1, maxLength: 2 }).map((to) => ({ kind: 'send', to }) as const) },
);

const plan: fc.Arbitrary<Plan> = fc.record({
  nodes: fc.record(
    Object.fromEntries(NAMES.map((key) => [key, fc.array(deed, { minLength: 1, maxLength: 3 })])) as Record<
      Name,
      fc.Arbitrary<Deed[]>
    >,
  ),
  first: some(1, 2),
  edges: fc.uniqueArray(fc.tuple(name, name), { maxLength: 5, selector: (edge) => edge.join('>') }),
  barrier: fc.option(fc.tuple(some(2, 3), name)),
  routes: fc.uniqueArray(fc.record({ from: name, to: fc.array(some(0, 2), { minLength: 1, maxLength: 3 }) }), {
    maxLength: 3,
    selector: ({ from }) => from,
  }),
  interruptBefore: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(1, 2) }),
  interruptAfter: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(1, 2) }),
  answers: fc.array(fc.constantFrom('resume', 'nothing', 'input', 'update'), { minLength: 1, maxLength: 4 }),
});

function build(lg: Library, { nodes, first, edges, barrier, routes, interruptBefore, interruptAfter }: Plan) {
  const runs = new Map<string, number>();
  /** How often it was called; a call that asks counts when it was answered. */
  const turn = (of: string): number => runs.get(of) ?? 0;
  const state = lg.Annotation.Root({
    log: lg.Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
    last: lg.Annotation<string>(),
  });
  const builder = new lg.StateGraph(state);
  for (const key of NAMES) {
    const act = (got: { log?: string[]; last?: string }): unknown => {
      const deeds = nodes[key];
      const todo = deeds[Math.min(turn(key), deeds.length - 1)] as Deed;
      const update = { log: [`${key}/${got.log?.length ?? '-'}`] };
      const done = (result: unknown): unknown => {
        runs.set(key, turn(key) + 1);
        return result;
      };
      switch (todo.kind) {
        case 'update':
          return done(update);
        case 'nothing':
          return done(null);
        case 'overwrite':
          return done({ log: new lg.Overwrite([`only ${key}`]) });
        case 'conflict':
          return done({ ...update, last: key });
        case 'goto':
          return done(new lg.Command({ update, goto: [...todo.to] }));
        case 'send':
          return done(
            new lg.Command({ goto: todo.to.map((to, index) => new lg.Send(to, { log: [`sent ${index}`] })) }),
          );
        case 'ask':
          return done({ log: [`${key} was told ${String(lg.interrupt(`${key}?`))}`] });
        case 'ask twice':
          return done({ log: [`${key} was told ${String(lg.interrupt('1'))} and ${String(lg.interrupt('2'))}`] });
      }
    };
    builder.addNode(key, act as () => object, { ends: [...NAMES] as never });
  }
  const open = builder as unknown as {
    addEdge(from: string | string[], to: string): void;
    addConditionalEdges(from: string, path: (state: { log: string[] }) => unknown): void;
  };
  for (const to of first) open.addEdge(lg.START, to);
  for (const [from, to] of edges) open.addEdge(from, to);
  if (barrier) open.addEdge([...barrier[0]], barrier[1]);
  for (const { from, to } of routes) {
    open.addConditionalEdges(from, ({ log }) => {
      const names = to[log.length % to.length] ?? [];
      return names.length > 0 ? [...names] : lg.END;
    });
  }
  return builder.compile({
    checkpointer: saver(),
    interruptBefore: interruptBefore as never,
    interruptAfter: interruptAfter as never,
  });
}

/** Values in order; updates without their order, for it is no promise which of two parallel nodes ends first. */
async function watch(t: Trace, graph: Graph, input: unknown, config: object): Promise<void> {
  const values: unknown[] = [];
  const updates: string[] = [];
  try {
    const options = { ...config, recursionLimit: 5, streamMode: ['values', 'updates'] };
    for await (const chunk of (await graph.stream(input, options)) as AsyncIterable<[string, unknown]>) {
      if (chunk[0] === 'values') values.push(chunk[1]);
      else updates.push(JSON.stringify(normalize(chunk[1])));
    }
    t.note('ran', { values, updates: updates.sort() });
  } catch (error) {
    t.note('failed', error);
  }
}

const program =
  (made: Plan): Body =>
  async (lg, t) => {
    const graph = build(lg, made);
    await watch(t, graph, { log: ['in'] }, thread());
    await t.state(graph, thread());
    for (const answer of made.answers) {
      if (answer === 'update') await t.outcome('update', () => graph.updateState(thread(), { log: ['edited'] }));
      else if (answer === 'resume') await watch(t, graph, new lg.Command({ resume: 'yes' }), thread());
      else await watch(t, graph, answer === 'input' ? { log: ['more'] } : null, thread());
      await t.state(graph, thread());
    }
    await t.history(graph, thread());
  };

test(`${GRAPHS} random graphs behave alike (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(plan, (made) => compare(program(made))),
    { seed: SEED, numRuns: GRAPHS, endOnFailure: true },
  );
}, 300_000);
