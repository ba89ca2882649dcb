// The error classes by themselves: names, codes, texts, fields, and the guards that know them.
import { program } from './harness.js';
import type { Library } from './library.js';

const PLAIN = [
  'GraphRecursionError',
  'GraphValueError',
  'InvalidUpdateError',
  'EmptyInputError',
  'EmptyChannelError',
  'MultipleSubgraphsError',
  'UnreachableNodeError',
  'RemoteException',
  'StateGraphInputError',
] as const;

const CODES = [
  'GRAPH_RECURSION_LIMIT',
  'INVALID_CONCURRENT_GRAPH_UPDATE',
  'INVALID_GRAPH_NODE_RETURN_VALUE',
  'MISSING_CHECKPOINTER',
  'UNREACHABLE_NODE',
] as const;

const GUARDS = [
  'isGraphInterrupt',
  'isGraphBubbleUp',
  'isParentCommand',
  'isGraphDrained',
  'isNodeError',
  'isNodeTimeoutError',
  'isUnknownInterruptError',
] as const;

const one = (lg: Library): Record<string, unknown> => ({
  interrupt: new lg.GraphInterrupt([{ id: 'a', value: 1 }]),
  breakpoint: new lg.GraphInterrupt([]),
  node: new lg.NodeInterrupt('why'),
  parent: new lg.ParentCommand(new lg.Command({ graph: lg.Command.PARENT, goto: 'x' })),
  drained: new lg.GraphDrained(),
  reason: new lg.GraphDrained('deploy'),
  idle: new lg.NodeTimeoutError({ node: 'n', elapsed: 12, kind: 'idle', idleTimeout: 10 }),
  run: new lg.NodeTimeoutError({ node: 'n', elapsed: 12, kind: 'run', runTimeout: 10, idleTimeout: 5 }),
  handled: new lg.NodeError('n', new Error('broken')),
  unknown: new lg.UnknownInterruptError('which?', { reason: 'ambiguous', pendingIds: ['a', 'b'] }),
  plain: new Error('plain'),
  copied: { name: 'GraphInterrupt', interrupts: [] },
});

program('classes with and without a code', (lg, t) => {
  for (const name of PLAIN) {
    const Class = lg[name];
    t.note(`${name} is called`, Class.unminifiable_name);
    t.note(name, new Class('a message'));
    t.note(`${name} without a message`, new Class());
    for (const lc_error_code of CODES) t.note(lc_error_code, new Class('a message', { lc_error_code }));
  }
});

program('classes with fields', (lg, t) => {
  for (const [label, error] of Object.entries(one(lg))) {
    const { name, message, ...fields } = error as Error;
    t.note(label, { name, message, fields: { ...fields, error: undefined, command: undefined } });
    t.note(`${label} is an Error`, error instanceof Error);
  }
});

program('timeouts without their limit', async (lg, t) => {
  await t.outcome('idle', () => new lg.NodeTimeoutError({ node: 'n', elapsed: 1, kind: 'idle', runTimeout: 1 }));
  await t.outcome('run', () => new lg.NodeTimeoutError({ node: 'n', elapsed: 1, kind: 'run', idleTimeout: 1 }));
});

program('guards know errors by their names', (lg, t) => {
  for (const guard of GUARDS) {
    const known = Object.entries(one(lg)).filter(([, error]) => lg[guard](error as never));
    t.note(
      guard,
      known.map(([label]) => label),
    );
    t.note(`${guard} of nothing`, lg[guard](undefined));
  }
});

program('the set of namespaces is shared', (lg, t) => {
  t.note('same', lg.getSubgraphsSeenSet() === lg.getSubgraphsSeenSet());
  t.note('size', lg.getSubgraphsSeenSet().size);
});
