// Plans made at random; each shrinks towards one node that updates its log.
import fc from 'fast-check';
import {
  KEYS,
  NAMES,
  type Answer,
  type Deed,
  type GraphPlan,
  type Key,
  type NodePlan,
  type Plan,
  type RoutePlan,
  type Step,
  type Watching,
} from './plan.js';
import { tame } from './tame-plan.js';

const ALL_MODES = ['values', 'updates', 'custom', 'messages', 'tasks', 'checkpoints', 'debug'];

const keys = (minLength: number): fc.Arbitrary<Key[]> =>
  fc.uniqueArray(fc.constantFrom(...KEYS), { minLength, maxLength: 4 });

/** Any of them, but mostly the first. */
const mostly = <Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 3 * others.length, arbitrary: fc.constant(usual) },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  );

function deed(names: readonly string[], level: number, deepest: boolean): fc.Arbitrary<Deed> {
  const some = (minLength: number, maxLength: number) =>
    fc.uniqueArray(fc.constantFrom(...names), { minLength, maxLength });
  const above = NAMES[level - 1] as readonly string[] | undefined;
  const option = (weight: number, arbitrary: fc.Arbitrary<Deed>) => ({ weight, arbitrary });
  return fc.oneof(
    option(8, fc.record({ do: fc.constant('update'), keys: keys(1) })),
    option(1, fc.record({ do: fc.constant('nothing'), as: fc.constantFrom('null', 'undefined', 'empty') })),
    option(1, fc.record({ do: fc.constant('overwrite'), form: fc.constantFrom('class', 'field', 'type') })),
    option(3, fc.record({ do: fc.constant('ask'), times: mostly(1, 2, 3) })),
    option(2, fc.record({ do: fc.constant('goto'), to: some(0, 2), updates: keys(0) })),
    option(3, fc.record({ do: fc.constant('send'), to: fc.array(fc.constantFrom(...names), { maxLength: 3 }) })),
    option(1, fc.record({ do: fc.constant('several'), goto: some(0, 2), keys: keys(1) })),
    option(1, fc.record({ do: fc.constant('write'), chunks: fc.integer({ min: 1, max: 3 }) })),
    option(
      2,
      fc.record({
        do: fc.constant('fail'),
        times: mostly(1, 2),
        with: mostly<(Deed & { do: 'fail' })['with']>('Error', 'TypeError', 'object', 'GraphValueError'),
      }),
    ),
    ...(above
      ? [
          option(
            1,
            fc.record({
              do: fc.constant('leave'),
              goto: fc.uniqueArray(fc.constantFrom(...above), { maxLength: 2 }),
              updates: keys(0),
            }),
          ),
        ]
      : []),
    ...(deepest
      ? []
      : [
          option(
            2,
            fc.record({ do: fc.constant('call'), times: mostly(1, 2), config: fc.constantFrom('given', 'ambient') }),
          ),
        ]),
  );
}

const node = (name: string, names: readonly string[], level: number, deepest: boolean): fc.Arbitrary<NodePlan> =>
  fc.record({
    name: fc.constant(name),
    deeds: fc.array(deed(names, level, deepest), { minLength: 1, maxLength: 3 }),
    kind: deepest ? mostly('function', 'async function') : mostly('function', 'async function', 'graph'),
    attempts: mostly(1, 2, 3),
    defer: mostly('no', 'no', 'no', 'yes'),
  });

const breakpoints = (names: readonly string[]): fc.Arbitrary<readonly string[] | '*'> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<string[]>([]) },
    { weight: 2, arbitrary: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant('*' as const) },
  );

function graph(level: number, deepest: boolean): fc.Arbitrary<GraphPlan> {
  const names: readonly string[] = NAMES[level] ?? [];
  const some = (minLength: number, maxLength: number) =>
    fc.uniqueArray(fc.constantFrom(...names), { minLength, maxLength });
  const one = fc.constantFrom(...names);
  const route: fc.Arbitrary<RoutePlan> = fc.record({
    from: fc.constantFrom('__start__', ...names),
    to: fc.array(fc.array(one, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom('names', 'map', 'Sends'),
  });
  return fc.record({
    nodes: fc.tuple(...names.map((name) => node(name, names, level, deepest))),
    first: some(1, 2),
    edges: fc.uniqueArray(fc.tuple(one, fc.constantFrom(...names, '__end__')), {
      maxLength: names.length,
      selector: (edge) => edge.join('>'),
    }),
    barriers: fc.array(fc.tuple(some(2, 3), one), { maxLength: level === 0 ? 2 : 1 }),
    routes: fc.uniqueArray(route, { maxLength: 2, selector: ({ from }) => from }),
    interruptBefore: breakpoints(names),
    interruptAfter: breakpoints(names),
    checkpointer: mostly('inherited', 'own namespace', 'none'),
  });
}

const answer: fc.Arbitrary<Answer> = fc.constantFrom<Answer>('yes', 'no', 1, 0, false, '', null, ['a', 'b']);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('resume' as const), answer, updates: keys(0).map((all) => all.slice(2)) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('resume by id' as const),
      answer,
      which: fc.constantFrom('first' as const, 'all' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('go on' as const),
      stops: mostly<readonly string[] | null>(null, ['*'], ['beta', 'delta']),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('input' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), to: fc.constantFrom(...NAMES[0]) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      asNode: fc.option(fc.constantFrom(...NAMES[0], ...NAMES[0], '__input__', '__end__', '__copy__')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('edit at once' as const),
      asNodes: fc.array(fc.uniqueArray(fc.constantFrom(...NAMES[0]), { minLength: 1, maxLength: 2 }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit within' as const),
      asNode: fc.option(fc.constantFrom(...NAMES[1])),
      then: fc.constantFrom('go on' as const, 'leave' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('travel within' as const),
      back: fc.integer({ min: 0, max: 3 }),
      then: fc.constantFrom('go on' as const, 'resume' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('travel' as const),
      back: fc.integer({ min: 0, max: 5 }),
      then: fc.constantFrom('go on' as const, 'edit' as const, 'input' as const, 'resume' as const),
    }),
  },
);

const watching: fc.Arbitrary<Watching> = fc.record({
  modes: fc.oneof(
    { weight: 4, arbitrary: fc.constant(ALL_MODES) },
    { weight: 1, arbitrary: fc.constantFrom(...ALL_MODES).map((mode) => [mode]) },
    { weight: 1, arbitrary: fc.subarray(ALL_MODES, { minLength: 2 }) },
  ),
  subgraphs: fc.boolean(),
  durability: mostly('async', 'sync', 'exit'),
});

export const plan: fc.Arbitrary<Plan> = fc
  .record({
    graphs: fc.oneof(
      fc.tuple(graph(0, true)),
      fc.tuple(graph(0, false), graph(1, true)),
      fc.tuple(graph(0, false), graph(1, false), graph(2, true)),
    ),
    pace: mostly<Plan['pace']>('by turns', 'free'),
    maxConcurrency: mostly<number | null>(null, 2, 3),
    order: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 }),
    recursionLimit: fc.integer({ min: 5, max: 6 }),
    watching,
    steps: fc.array(step, { maxLength: 3 }),
  })
  .map(tame);
